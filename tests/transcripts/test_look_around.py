"""A look below the folder of a source for sessions that no source reads."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.clock import SystemClock
from pipeline.errors import ReadFailed
from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.transcripts import OtherKind
from pipeline.ports.engine import TranscriptSource
from pipeline.transcripts.catalog import Catalog
from pipeline.transcripts.look_around import Neighbourhood, note_other_kinds
from pipeline.transcripts.pieces import Pieces
from schemas.transcript import Session, TranscriptFile
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.ports.plain_redactor import PlainRedactor

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
OURS = conversation("ours", NOON, [("owner", "where is the boat?")])
THEIRS = conversation("theirs", NOON, [("owner", "where is the sauna?")])
ALONE = conversation("alone", NOON, [("machine", "tick")])


class Closed:
    """A source in which nothing can be read."""

    name = "closed"

    def __init__(self, *, listed: bool) -> None:
        self._listed = listed

    def files(self) -> Iterator[TranscriptFile]:
        """One file, unless not even that can be seen."""
        if not self._listed:
            raise ReadFailed(self.name, "Permission denied")
        yield TranscriptFile(path="a.db", size=1, mtime_ns=1)

    def read(self, path: str) -> Sequence[Session]:
        """It is locked."""
        raise ReadFailed(path, "SQLite cannot read it: database is locked")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger that knows the session that our source reads."""
    ledger = open_ledger(tmp_path / "state.db")
    Catalog([MemorySource(OURS)], ledger, PlainRedactor(), Pieces(ledger.pieces, SystemClock())).refresh()
    yield ledger
    ledger.store.close()


def seen(ledger: Ledger, **others: TranscriptSource) -> list[OtherKind]:
    """What the ledger knows after a look at these sources over the folder of ours."""
    note_other_kinds(ledger, Neighbourhood({"memory": Path("/agents")}, lambda _: others))
    return ledger.other_kinds.of("memory")


def test_a_session_that_nobody_reads_is_noted(ledger: Ledger) -> None:
    """With a file of it, and the number of files of that kind that nobody reads; one that we read is none."""
    others = MemorySource(OURS, THEIRS, ALONE)
    assert [OtherKind("memory", "codex", "theirs.jsonl", 2)] == seen(ledger, codex=others)
    assert [] == seen(ledger, codex=MemorySource(OURS))


def test_a_copy_of_a_known_session_is_no_other(ledger: Ledger) -> None:
    """Agents keep copies beside their sessions."""
    assert [] == seen(ledger, codex=MemorySource(OURS.model_copy(update={"path": "ours.checkpoint.jsonl"})))


def test_machines_alone_are_nobodys_session(ledger: Ledger) -> None:
    """A log of a program looks like that."""
    assert [] == seen(ledger, codex=MemorySource(ALONE))


def test_what_cannot_be_read_is_passed_over(ledger: Ledger) -> None:
    """It may be anything, and it is no trouble of ours."""
    others: dict[str, TranscriptSource] = {
        "closed": Closed(listed=True),
        "hidden": Closed(listed=False),
        "codex": MemorySource(THEIRS),
    }
    assert ["codex"] == [other.kind for other in seen(ledger, **others)]
