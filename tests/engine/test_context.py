"""What an engine keeps of files for as long as it is open."""

import os
from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.engine.inputs import all_facts
from pipeline.process.context import ProcessContext
from tests.support.workspaces.many_entries import many_entries


def test_a_fact_is_seen_in_a_file_that_had_none(tmp_path: Path) -> None:
    """At once, also where the size stays and the change falls within the same second."""
    root = many_entries(tmp_path / "work", 10)
    file, fact = root / "memory" / "notes.md", "## Retain\n- W @Ann: Ann swims\n"
    file.write_text("-" * len(fact))
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        before, status = all_facts(engine), file.stat()
        file.write_text(fact)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        assert (0, ["Ann swims"]) == (len(before), [one.text for one in all_facts(engine)])
