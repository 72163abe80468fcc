"""What an engine keeps of files for as long as it is open."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.engine.inputs import all_facts
from pipeline.ledger.changes import BlockState
from pipeline.process.context import ProcessContext
from tests.support.builders.fact_bench import FIRST, fact, fact_bench, retain
from tests.support.workspaces.many_entries import many_entries
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]


def test_a_fact_is_seen_in_a_file_that_had_none(tmp_path: Path) -> None:
    """At once, also where the size stays and the change falls within the same second."""
    root = many_entries(tmp_path / "work", 10)
    file, text = root / "memory" / "notes.md", "## Retain\n- W @Ann: Ann swims\n"
    file.write_text("-" * len(text))
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        before, status = all_facts(engine), file.stat()
        file.write_text(text)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        assert (0, ["Ann swims"]) == (len(before), [one.text for one in all_facts(engine)])


def test_facts_are_read_again_only_where_a_file_or_the_ledger_has_changed(new_bench: NewBench) -> None:
    """A fact of ours that the ledger gives up is one of other hands at once; the facts of other files are kept."""
    bench, days = fact_bench(new_bench), (FIRST, FIRST + timedelta(days=1))
    retain(bench, *(fact("Ann swims", "Ann", day=day) for day in days))
    engine, first, second = bench.engine, *(f"memory/retain/{day}.md" for day in days)
    before = all_facts(engine)
    assert all(one is same for one, same in zip(before, all_facts(engine), strict=True))

    with (bench.root / second).open("a") as file:
        file.write("- W @Ann: Ann rows\n")
    ours, _, theirs = all_facts(engine)
    assert (True, "Ann rows", "") == (ours is before[0], theirs.text, theirs.id)

    engine.ledger.changes.set_state(first, ours.id, BlockState.FORGOTTEN)
    assert [(first, ""), (second, before[1].id), (second, "")] == [(one.path, one.id) for one in all_facts(engine)]
