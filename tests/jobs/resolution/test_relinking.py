"""Links that were made before, judged again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import cast

from jobs.resolution.relinking import drop_unsound_links, relink_entries
from pipeline.job import OFFLINE, Answer, Ask, Run, Task, WrittenFiles
from pipeline.model.question import Readers
from schemas.entry import Entry, Status, Trust
from schemas.links import LinkQuestion, LinkVerdict, is_kept, with_kept
from schemas.window import Window
from tests.support.builders.job_run import job_run, unasked
from tests.support.builders.link_rows import linked
from tests.support.builders.linked_entries import START, said_on

ARCHIVE = said_on(0, "the imaging archive keeps its backups for 35 days")
LAB = said_on(1, "the lab keeps its backups for 53 days", supersedes=(ARCHIVE.id,))
OLD = said_on(2, "loki keeps logs for 30 days")
NEW = said_on(3, "loki keeps logs for 14 days", supersedes=(OLD.id,))


def run_of(entries: Sequence[Entry], ask: Ask = unasked, way: str = OFFLINE) -> Run:
    """What the judgement sees."""
    window = Window(start=START, end=START + timedelta(days=60))
    return job_run(window, ask, way, written=WrittenFiles(tuple(entries)))


def test_a_link_between_two_things_of_one_sort_falls() -> None:
    """One that names the same subject with another value stands."""
    assert [LAB.model_copy(update={"supersedes": ()})] == relink_entries(run_of([ARCHIVE, LAB, OLD, NEW]))


def test_the_link_of_a_late_entry_falls_on_both_sides() -> None:
    """What was written as superseded holds again."""
    late = ARCHIVE.model_copy(update={"status": Status.SUPERSEDED, "superseded_by": (LAB.id,)})
    assert [ARCHIVE, LAB.model_copy(update={"supersedes": ()})] == relink_entries(run_of([late, LAB]))


def test_what_fell_is_linked_to_what_it_does_replace() -> None:
    """An earlier version took the wrong one of two."""
    right = said_on(0, "the lab keeps its backups for 40 days", id="RULE-lab")
    assert [LAB.model_copy(update={"supersedes": (right.id,)}).supersedes] == [
        entry.supersedes for entry in relink_entries(run_of([ARCHIVE, right, LAB]))
    ]


def test_what_was_replaced_along_with_another_stands_with_it() -> None:
    """A repetition of the replaced entry falls with it, whatever its own words are."""
    again = said_on(2, "the log rule of loki, as before", id="RULE-again", reinforces=(OLD.id,))
    new = NEW.model_copy(update={"supersedes": (OLD.id, again.id)})
    changed = relink_entries(run_of([OLD, again, new]))

    assert new.id not in {entry.id for entry in changed}


def test_what_a_model_judged_or_a_person_changed_stands() -> None:
    """Neither is for code to judge."""
    judged = LAB.model_copy(update={"grounds": "the model m judged `replaces`"})
    changed = LAB.model_copy(update={"trust": Trust.QUOTED})

    assert ([], []) == (relink_entries(run_of([ARCHIVE, judged])), relink_entries(run_of([ARCHIVE, changed])))


def test_a_model_decides_where_one_is_asked() -> None:
    """Only about what code would not link, and what that may replace instead."""

    def agreed(tasks: Sequence[Task[Answer]]) -> list[Answer]:
        questions = [cast("LinkQuestion", task.input) for task in tasks]
        return [cast("Answer", linked(question, lambda *_: LinkVerdict.REPLACES)) for question in questions]

    assert [] == relink_entries(run_of([ARCHIVE, LAB, OLD, NEW], agreed, "m"))


def test_code_decides_about_a_link_that_no_model_may_see() -> None:
    """Its entries are from sources of two programs; the program of both decides about a link within its sources."""
    asked = list[frozenset[str]]()

    def agreed(tasks: Sequence[Task[Answer]]) -> list[Answer]:
        asked.extend(task.sources for task in tasks)
        questions = [cast("LinkQuestion", task.input) for task in tasks]
        return [cast("Answer", linked(question, lambda *_: LinkVerdict.REPLACES)) for question in questions]

    def fallen(archive: str, lab: str) -> list[str]:
        run = run_of([_from(archive, ARCHIVE), _from(lab, LAB), OLD, NEW], agreed, "claude")
        return [entry.id for entry in relink_entries(replace(run, models=replace(run.models, reader=readers.name_of)))]

    readers = Readers({}, "claude", OFFLINE, {"claude_code": "claude", "codex": "codex"})
    assert [LAB.id] == fallen("claude_code", "codex")
    assert [] == asked
    assert [] == fallen("codex", "codex")
    assert [{"codex"}] == asked


def _from(source: str, entry: Entry) -> Entry:
    return entry.model_copy(update={"source": entry.source.model_copy(update={"session_path": f"{source}:x"})})


def test_readers_see_no_link_that_does_not_stand() -> None:
    """All other entries are as they were, in their order; also copies that do not count."""
    copy = LAB.model_copy(update={"confidence": 0.1})

    assert [ARCHIVE, LAB.model_copy(update={"supersedes": ()}), copy, NEW] == drop_unsound_links(
        [ARCHIVE, LAB, copy, NEW]
    )
    assert [NEW, ARCHIVE] == drop_unsound_links([NEW, ARCHIVE])


def test_what_a_person_kept_stands() -> None:
    """That link alone, whichever of the two entries says so."""
    kept = LAB.model_copy(update={"grounds": with_kept("", ARCHIVE.id)})
    other = LAB.model_copy(update={"grounds": with_kept("", "RULE-other")})
    late = ARCHIVE.model_copy(update={"superseded_by": (LAB.id,), "grounds": with_kept("", LAB.id)})

    assert ([], []) == (relink_entries(run_of([ARCHIVE, kept])), relink_entries(run_of([late, LAB])))
    assert [other.id] == [entry.id for entry in relink_entries(run_of([ARCHIVE, other]))]


def test_grounds_name_all_links_that_a_person_kept() -> None:
    """Other grounds keep none."""
    grounds = with_kept(with_kept("the same subject (lab)", "A"), "B")
    assert (True, True, False) == tuple(is_kept(grounds, name) for name in ("A", "B", "C"))
    assert not is_kept("the same subject (A), and nothing that changes it", "A")
