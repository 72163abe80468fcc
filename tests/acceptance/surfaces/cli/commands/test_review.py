"""`memory suggestions review`, and what the other commands say of an entry that is in review."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from tests.support.builders import earlier_version
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.terminal import at_keyboard

JUNK = "why is the grass in the garden still green?"
DAY = "memory/2026-02-03.md"
LATER = f"{earlier_version.REPLACING}from now on never delete a log of the loki server before 30 days are over"


@pytest.fixture
def old(filled: Path) -> Path:
    """The workspace with an entry that an earlier version wrote on the next day."""
    return written(filled, JUNK)


def written(root: Path, *texts: str) -> Path:
    """The workspace with an entry of an earlier version for each of these texts of the owner, four hours apart."""
    for number, text in enumerate(texts):
        lines = OpenClawLines(f"s-of-{number}", start=datetime(2026, 2, 3, 9 + 4 * number, tzinfo=UTC))
        lines.user(text)
        lines.write(root / "sessions" / f"s-of-{number}.jsonl")
    engine = open_engine(root, ProcessContext({}))
    prepare(engine)
    others = (job for job in engine.jobs if job.name != earlier_version.JOB.name)
    before = replace(engine, jobs=(earlier_version.JOB, *others))
    plan = in_days(before, [earlier_version.JOB], date(2026, 2, 3), date(2026, 2, 3))
    assert len(texts) == sum(len(outcome.written) for outcome in work_through(Runner(before), plan, again=True))
    engine.ledger.store.close()
    return root


def junk_id(call: Callable[..., Said], root: Path) -> str:
    """The id of the entry of the earlier version."""
    records = call("show", "entries", "--json", "--workspace", root).records
    return next(str(record["id"]) for record in records if record["conclusion"] == JUNK)


def status(call: Callable[..., Said], root: Path) -> dict[str, str]:
    """The status of each entry, by its day."""
    return {one["date"][:10]: one["status"] for one in call("show", "entries", "--json", "--workspace", root).records}


def test_lists_what_would_not_be_written_today(old: Path, call: Callable[..., Said]) -> None:
    """With the reason and the command that comes next; the doctor offers it, and no file changes."""
    before = (old / DAY).read_bytes()
    said = call("suggestions", "review", "--workspace", old)
    lines = ["not_settled, 1 entry", f"  {junk_id(call, old)}", f"    2026-02-03  {JUNK}"]
    assert (0, lines) == (said.code, said.out.splitlines()[:3])
    assert said.out.endswith(
        "1 entry would not be written today. To decide about them: memory suggestions review --apply\n"
    )
    offered = [one for one in call("doctor", "--json", "--workspace", old).records if one["check"] == "review"]
    assert ["warn"] == [one["health"] for one in offered]
    assert "`memory suggestions review`" in offered[0]["advice"]
    assert before == (old / DAY).read_bytes()


def test_a_fresh_workspace_has_nothing_to_review(filled: Path, call: Callable[..., Said]) -> None:
    """The doctor does not offer it, and no run is noted for it."""
    runs = len(call("show", "runs", "--json", "--workspace", filled).records)
    assert "Nothing to review.\n" == call("suggestions", "review", "--workspace", filled).out
    assert not [one for one in call("doctor", "--json", "--workspace", filled).records if one["check"] == "review"]
    assert runs == len(call("show", "runs", "--json", "--workspace", filled).records)


def test_apply_puts_it_before_a_person(old: Path, call: Callable[..., Said]) -> None:
    """Every command says so: status, suggestions, explain, search, runs; the doctor offers it no more."""
    said = call("suggestions", "review", "--apply", "--workspace", old)
    run_id = said.out.rsplit("memory undo ", 1)[1].strip()
    assert "One answer for all of them: memory suggestions accept --reason not_settled, or decline" in said.out
    assert {"2026-02-02": "active", "2026-02-03": "in_review"} == status(call, old)
    assert "1 suggestion waits for you" in call("status", "--workspace", old).out
    listed = call("suggestions", "--workspace", old).out
    assert f"2026-02-03  {JUNK}  (stands in its file, not_settled, 0.90)" in listed
    [waits] = call("suggestions", "--json", "--workspace", old).records
    assert ("entry", junk_id(call, old), "not_settled") == (waits["form"], waits["entry_id"], waits["reason"])
    story = call("show", "story", junk_id(call, old), "--workspace", old).out
    assert "in review      not_settled; it waits for you: `memory suggestions`" in story
    [answer] = call("search", "green grass garden", "--json", "--workspace", old).records
    [hit] = [one for one in answer["hits"] if one["entry_id"] == junk_id(call, old)]
    assert ("in_review", "in review") == (hit["status"], hit["uncertain"])
    assert "review" in call("show", "runs", "--workspace", old).out
    assert not [one for one in call("doctor", "--json", "--workspace", old).records if one["check"] == "review"]
    undone = call("undo", run_id, "--workspace", old)
    assert (0, True) == (undone.code, "taken back  1 suggestion" in undone.out)
    assert {"active"} == set(status(call, old).values())


def test_programs_get_one_object(old: Path, call: Callable[..., Said]) -> None:
    """Before and after."""
    [listed] = call("suggestions", "review", "--json", "--workspace", old).records
    assert ("", "", 0, []) == (listed["run_id"], listed["undo"], listed["unread"], listed["links"])
    [entry] = listed["entries"]
    assert (JUNK, "not_settled", DAY) == (entry["text"], entry["reason"], entry["path"])
    [applied] = call("suggestions", "review", "--apply", "--json", "--workspace", old).records
    assert (listed["entries"], f"memory undo {applied['run_id']}") == (applied["entries"], applied["undo"])
    [again] = call("suggestions", "review", "--json", "--workspace", old).records
    assert [] == again["entries"]


def test_a_person_keeps_it(old: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """By a run, in words of their own."""
    call("suggestions", "review", "--apply", "--workspace", old)
    [waits] = call("suggestions", "--json", "--workspace", old).records
    words = ("suggestions", "edit", waits["id"][:8], "--text", "The grass is green.")
    said = at_keyboard(memory, "accept\n", *words, "--workspace", old)
    assert (0, True) == (said.code, "kept what stands, by run " in said.out), said
    assert "The grass is green." in (old / DAY).read_text()
    assert {"active"} == set(status(call, old).values())
    undone = call("undo", said.out.split()[-1], "--workspace", old)
    assert "1 suggestion waits for you; `memory suggestions` lists it." == undone.out.splitlines()[-1]


def test_a_person_declines_it(old: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """It leaves its file by a run that undo takes back."""
    call("suggestions", "review", "--apply", "--workspace", old)
    before = (old / DAY).read_bytes()
    said = at_keyboard(memory, "decline\n", "suggestions", "decline", "--reason", "not_settled", "--workspace", old)
    assert (0, True) == (said.code, "1 suggestion declined" in said.out), said
    assert JUNK not in (old / DAY).read_text()
    assert 0 == call("undo", said.out.split()[-1], "--workspace", old).code
    assert before == (old / DAY).read_bytes()


@pytest.fixture
def linked(workspace: Path) -> Path:
    """Two rules that have nothing to do with each other, of which an earlier version let one replace the other."""
    return written(workspace, "from now on lock every door of the garage at night", LATER)


def test_a_link_is_kept_or_taken_apart(linked: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """It has no words to edit."""
    listed = call("suggestions", "review", "--apply", "--workspace", linked).out
    assert (" supersedes " in listed, "1 link waits for you" in listed) == (True, True)
    assert "(link, not_linked, 0.90)" in call("suggestions", "--workspace", linked).out
    [waits] = call("suggestions", "--json", "--workspace", linked).records
    refused = at_keyboard(memory, "", "suggestions", "edit", waits["id"], "--text", "x", "--workspace", linked)
    assert (2, True) == (refused.code, "This has no words of its own" in refused.err), refused
    kept = at_keyboard(memory, "accept\n", "suggestions", "accept", waits["id"], "--workspace", linked)
    assert "a person kept the link" in call("show", "story", waits["entry_id"], "--workspace", linked).out
    assert 0 == call("undo", kept.out.split()[-1], "--workspace", linked).code
    said = at_keyboard(memory, "decline\n", "suggestions", "decline", waits["id"], "--workspace", linked)
    assert (0, True) == (said.code, "What stood was taken out by run " in said.out)
    assert {"active"} == {one["status"] for one in call("show", "entries", "--json", "--workspace", linked).records}
