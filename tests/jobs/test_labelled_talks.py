"""What becomes of labelled sessions, through the whole job: the floors of what is written, suggested and linked.

The sessions are in `labelled/`, in three languages. They are read without a model, by a model that answers as labelled,
and by one that makes mistakes. In the last way nothing wrong is written, because code checks every answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs.micro_sync import JOB
from pipeline.engine.suggestions import waiting
from pipeline.reports.entries import list_entries
from schemas.entry import Entry
from schemas.links import LinkVerdict
from schemas.settings import Settings
from schemas.suggestion import NewEntry
from tests.support.builders.labelled_reader import LabelledReader
from tests.support.builders.labelled_talks import LabelledTalks, labelled_talks
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FILES = sorted((Path(__file__).parent / "labelled").glob("*.txt"))
BEGUN = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC))
DONE = datetime(2026, 4, 1, 5, tzinfo=UTC)

Link = tuple[str, str, LinkVerdict]


@dataclass(frozen=True)
class Reading:
    """What became of the sessions of one language."""

    talks: LabelledTalks
    entries: tuple[Entry, ...]
    suggestions: tuple[Entry, ...]

    @property
    def written(self) -> list[str]:
        """The names of what was written, as often as it was; empty for what is no label."""
        return [self.name(entry) for entry in self.entries]

    @property
    def suggested(self) -> set[str]:
        """The names of what waits for a person."""
        return {self.name(entry) for entry in self.suggestions}

    @property
    def links(self) -> set[Link]:
        """The links of entries, by the names of what they link."""
        names = {entry.id: self.name(entry) for entry in self.entries}
        replaced = {(entry.id, other, LinkVerdict.REPLACES) for entry in self.entries for other in entry.supersedes}
        repeated = {(entry.id, other, LinkVerdict.SAME) for entry in self.entries for other in entry.reinforces}
        return {(names[later], names[earlier], verdict) for later, earlier, verdict in replaced | repeated}

    def name(self, entry: Entry) -> str:
        """The label of the message that an entry quotes."""
        session, number = entry.source.session_id, entry.source.entry_ids[0].rpartition("-")[2]
        [talk] = [one for one in self.talks.talks if one.session.session_id == session]
        return next((label.name for label in talk.labels if label.number == int(number)), "")

    def recall(self, *names: str) -> float:
        """The share of the labels that are among `names`."""
        return len(self.talks.labels.keys() & set(names)) / len(self.talks.labels)


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def talks(request: pytest.FixtureRequest) -> LabelledTalks:
    """The sessions of one language."""
    return labelled_talks(request.param)


def read(new_bench: NewBench, talks: LabelledTalks, model: ScriptedModel | None) -> Reading:
    """Run all windows of the sessions in order."""
    bench = new_bench(jobs=(JOB,), clock=FixedClock(DONE), settings=BEGUN, model=model)
    bench.say(*(talk.session for talk in talks.talks))
    bench.run_due()
    entries = tuple(place.entry for place in list_entries(bench.engine))
    proposed = (one.about.entry for one in waiting(bench.engine) if isinstance(one.about, NewEntry))
    return Reading(talks, entries, tuple(proposed))


def test_without_a_model_little_is_missed_and_nothing_is_wrong(new_bench: NewBench, talks: LabelledTalks) -> None:
    """What is written was settled; nearly all the rest is suggested; no link is wrong."""
    reading = read(new_bench, talks, None)
    assert "" not in reading.written
    assert len(set(reading.written)) == len(reading.written)
    assert reading.recall(*reading.written) >= 0.18
    assert reading.recall(*reading.written, *reading.suggested) >= 0.6
    assert reading.links <= talks.links


def test_a_doubt_swallows_no_clear_word(new_bench: NewBench) -> None:
    """What was suggested in one window and is said clearly in a later one of the same session is an entry."""
    bench = new_bench(jobs=(JOB,), clock=FixedClock(DONE), settings=BEGUN)
    doubtful = ("owner", "the posters hang in the library and in the bakery"), ("assistant", "Noted: library, bakery.")
    clear = ("owner", "remember: the posters hang in the library and in the bakery"), ("assistant", "Saved.")
    for turns in (doubtful, (*doubtful, *clear)):
        bench.say(conversation("s1", datetime(2026, 3, 2, 10, tzinfo=UTC), turns, step=timedelta(minutes=31)))
        bench.run_due()
        known = (len(waiting(bench.engine)), len(list_entries(bench.engine)))
        assert ((1, 0) if turns is doubtful else (0, 1)) == known


def test_a_model_that_is_right_is_taken_at_its_word(new_bench: NewBench, talks: LabelledTalks) -> None:
    """All is written once, and linked as it is judged: every right pair is proposed."""
    reading = read(new_bench, talks, ScriptedModel(LabelledReader(talks)))
    assert sorted(talks.labels) == sorted(reading.written)
    assert talks.links == reading.links
    assert [] == list(reading.suggestions)


def test_a_model_that_makes_mistakes_writes_nothing_wrong(new_bench: NewBench, talks: LabelledTalks) -> None:
    """Invented and misplaced quotes, words of others, doublets, wrong kinds and doubts: what is right is not lost."""
    reading = read(new_bench, talks, ScriptedModel(LabelledReader(talks, noise=True)))
    assert "" not in reading.written
    assert len(set(reading.written)) == len(reading.written)
    assert reading.recall(*reading.written) >= 0.7
    assert reading.recall(*reading.written, *reading.suggested) == 1
    both = {link for link in talks.links if {link[0], link[1]} <= set(reading.written)}
    assert both == reading.links
