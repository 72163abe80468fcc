"""Subjects of runs, for people: a time as it is, a session by its words, a request by its kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pipeline.engine.context import Engine
from pipeline.engine.partitioning.changes import ALL
from pipeline.errors.corrections import UnknownBackfillRuns
from pipeline.ledger.runs import BackfillTotals, RunRecord
from pipeline.reports.runs import listed_run
from schemas.reports.runs import ListedRun
from schemas.transcript import id_in_file

_WORDS = 60  # characters of the first words of a session
_TAIL = 8  # characters of an id beside them
_MOST = 30  # transcripts that are read for one answer
_LARGEST = 1_000_000  # bytes of a transcript that is read for its first words


class SubjectSort(StrEnum):
    """The sort of subject that a run has.

    `TIME` is a day, a week or a month, `MOMENT` a window that begins then, `ALL` everything, `SESSION` a session from a
    moment on, `GROUP` several sessions, `ACCEPTED` a suggestion that a person accepted, `ASKED` what somebody asked.
    """

    TIME = "time"
    MOMENT = "moment"
    ALL = "all"
    SESSION = "session"
    GROUP = "group"
    ACCEPTED = "accepted"
    ASKED = "asked"


@dataclass(frozen=True)
class RunSubject:
    """The subject of a run. `words` are a time, a number, or the first words of a session or its source's name.

    `tail` is the beginning of the id of a session.
    """

    sort: SubjectSort
    moment: datetime
    words: str = ""
    tail: str = ""


@dataclass(frozen=True)
class NamedRun:
    """A run with what it is about."""

    run: ListedRun
    about: RunSubject


def named_runs(engine: Engine, records: Sequence[RunRecord]) -> list[NamedRun]:
    """Runs as they are listed; the words of each session are read once."""
    names = SessionWords(engine)
    return [NamedRun(listed_run(record), subject_of(record, names)) for record in records]


class SessionWords:
    """Names of sessions for people, each looked at once; in `kept` also for later, while its files are the same."""

    def __init__(self, engine: Engine, kept: dict[str, tuple[object, str]] | None = None) -> None:
        """Nothing is read yet."""
        self._engine = engine
        self._known = dict[str, str]()
        self._kept = {} if kept is None else kept

    def of(self, session_id: str) -> str:
        """The first words of a session, or its source's name where these cannot be read or are too far away."""
        if session_id not in self._known:
            self._known[session_id] = self._read(session_id)
        return self._known[session_id]

    def _read(self, session_id: str) -> str:
        files = self._engine.ledger.files.of_session(session_id)
        if not files:
            return ""
        stamp = tuple(file.file for file in files)
        if self._kept.get(session_id, ("",))[0] == stamp:
            return self._kept[session_id][1]
        small = len(self._known) < _MOST and not files[0].machine and sum(file.file.size for file in files) <= _LARGEST
        text = " ".join(((small and self._engine.catalog.title(session_id)) or files[0].source).split())
        words = text if len(text) <= _WORDS else f"{text[:_WORDS].rstrip()}\N{HORIZONTAL ELLIPSIS}"
        if small:
            self._kept[session_id] = stamp, words
        return words


def subject_of(record: RunRecord, names: SessionWords) -> RunSubject:
    """The subject of a run, by its key."""
    key, moment = record.key, record.window.start
    if key == ALL:
        return RunSubject(SubjectSort.ALL, moment)
    session, at, _ = key.rpartition("@")
    if at:
        return RunSubject(SubjectSort.SESSION, moment, names.of(session), short_session(session))
    for sort, beginning in ((SubjectSort.ACCEPTED, "accept-"), (SubjectSort.ASKED, "ask-")):
        if key.startswith(beginning):
            return RunSubject(sort, moment)
    if key.isdigit():
        return RunSubject(SubjectSort.GROUP, moment, key)
    own = key.removeprefix(f"{record.job}-")  # a correction is named after its job and its day
    return RunSubject(SubjectSort.MOMENT if "/" in key else SubjectSort.TIME, moment, own)


def short_session(session_id: str) -> str:
    """The beginning of the id of a session, as its files have it."""
    return id_in_file(session_id)[:_TAIL]


_BACKFILLS = 3


def backfill_named(engine: Engine, backfill: str) -> BackfillTotals:
    """The totals of a back-fill.

    Raises:
        UnknownBackfillRuns: no run is known that carries the id.
    """
    for totals in engine.ledger.runs.backfill_totals(backfill) if backfill else ():
        return totals
    raise UnknownBackfillRuns(backfill, engine.ledger.runs.backfills()[:_BACKFILLS], "")
