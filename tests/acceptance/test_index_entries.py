"""What was settled anew, and what was forgotten, as the whole pipeline writes it down and the index finds it."""

from datetime import date
from pathlib import Path

import pytest

from tests.support.processes.commands import RealWorkspace
from tests.support.workspaces.four_days import FourDays
from tests.support.workspaces.searched import WORDS_ALONE, Searched

QUESTION = "what deposit for all cabins"
OLD, NEW = "the deposit is 30 percent for all cabins", "the deposit is 20 percent for all cabins, not 30 any more"


@pytest.fixture
def searched(four_days: FourDays) -> Searched:
    """A workspace in which all that was said is written down."""
    searched = Searched(RealWorkspace(four_days.memory.root, WORDS_ALONE))
    ended = searched.memory.memory("backfill", "micro_sync", *four_days.backfill[-4:])
    assert ended.code == 0, ended.shown
    return searched


def test_what_was_superseded_gives_way(searched: Searched, first_day: date) -> None:
    """The later rule is found and the earlier is not; on the day of the earlier it was the other way round."""
    now = searched.ask(QUESTION)
    assert (True, "active") == (NEW in now.hits[0].text, now.hits[0].status)
    assert [] == [hit.text for hit in now.hits if OLD in hit.text and hit.status == "active"]
    then = searched.ask(QUESTION, "--as-of", str(first_day))
    assert (True, "active") == (OLD in then.hits[0].text, then.hits[0].status)
    assert [] == [hit.text for hit in then.hits if NEW in hit.text]
    both = searched.ask(QUESTION, "--status", "superseded")
    assert [("superseded", True)] == [(hit.status, "superseded by" in hit.uncertain) for hit in both.hits]
    assert all(searched.cites(hit) for answer in (now, then, both) for hit in answer.hits)


def holding(folder: Path, words: str) -> list[Path]:
    """The files of a folder that have these words in their bytes."""
    return [path for path in folder.rglob("*") if path.is_file() and words.encode() in path.read_bytes()]


def test_what_was_forgotten_is_not_in_the_index(searched: Searched) -> None:
    """No byte of it is left there, and nothing that was beside it is lost; nor does it come back by itself."""
    assert NEW in searched.ask(QUESTION).hits[0].text
    entry = next(record for record in searched.memory.entries() if OLD in record["quote"])
    assert OLD in searched.ask(QUESTION, "--status", "superseded").hits[0].text
    forgotten = searched.memory.memory("forget", entry["id"], "--yes")
    assert (0, True) == (forgotten.code, "The index was built anew without it." in forgotten.shown), forgotten.shown
    assert [] == holding(searched.index, OLD)
    searched.reindex()
    searched.reindex("--full")
    assert [] == holding(searched.index, OLD)
    assert NEW in searched.ask(QUESTION).hits[0].text
    assert "sauna key" in searched.ask("who has the sauna key").hits[0].text
