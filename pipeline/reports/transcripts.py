"""The sessions of the sources: a list for programs and for people, and the one that is meant."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from itertools import groupby
from pathlib import PurePosixPath

from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.errors import UnknownSession
from pipeline.ledger.files import FileRecord
from pipeline.transcripts.selection import MACHINE, why_not_read
from pipeline.workspace.prefixes import whole_name
from schemas.reports.workspace import JudgedSession, ListedSession
from schemas.transcript import Origin, Session

_OFFERED = 5


def listed_sessions(engine: Engine) -> list[ListedSession]:
    """The sessions that no setting leaves out, the oldest first; one that is in several files is one."""
    taken = [record for record in engine.catalog.all_files() if why_not_read(record) in {"", MACHINE}]
    return sorted((_listed(engine, records) for records in _by_session(taken)), key=_age)


def judged_sessions(engine: Engine) -> list[JudgedSession]:
    """The same with all that is not read, and why: first what is read."""
    why = [(record, why_not_read(record)) for record in engine.catalog.all_files()]
    of_machines = {record.session for record, reason in why if reason == MACHINE}
    passed = [
        JudgedSession(**asdict(_single(record)), left_out=reason)
        for record, reason in why
        if reason not in {"", MACHINE}
    ]
    taken = [
        JudgedSession(**asdict(session), left_out=MACHINE if session.id in of_machines else "")
        for session in listed_sessions(engine)
    ]
    once = {(session.id or session.path, session.left_out): session for session in [*taken, *passed]}.values()
    return [session for session in taken if not session.left_out] + sorted(
        [session for session in once if session.left_out], key=_age
    )


def _age(session: ListedSession) -> tuple[float, str]:
    return session.first.timestamp() if session.first else 0, session.path


def _by_session(records: Iterable[FileRecord]) -> Iterator[Sequence[FileRecord]]:
    ordered = sorted(records, key=lambda record: record.session or "")
    for _, group in groupby(ordered, key=lambda record: record.session):
        yield list(group)


def _listed(engine: Engine, records: Sequence[FileRecord]) -> ListedSession:
    """One session; the messages that several of its files hold are counted once."""
    first, *others = records
    whole = engine.catalog.session(first.session or "") if others else None
    if whole is None:
        return _single(first, engine.catalog.title(first.session or ""))
    times = [message.time for message in whole.messages]
    owners, machines = _speakers(Counter(message.origin for message in whole.messages), machine=whole.machine)
    return ListedSession(
        id=whole.session_id,
        source=whole.source,
        agent=whole.agent,
        path=whole.path,
        first=min(times),
        last=max(times),
        owner_messages=owners,
        machine_messages=machines,
        title="" if whole.machine else engine.catalog.title(whole.session_id),
    )


def _single(record: FileRecord, title: str = "") -> ListedSession:
    owners, machines = _speakers(record.counts, machine=record.machine)
    return ListedSession(
        id=record.session,
        source=record.source,
        agent=record.agent,
        path=record.file.path,
        first=record.first,
        last=record.last,
        owner_messages=owners,
        machine_messages=machines,
        title="" if record.machine else title,
    )


def _speakers(counts: Mapping[str, int], *, machine: bool) -> tuple[int, int]:
    """How many messages the owner wrote, and how many machines. In a session of machines nothing is the owner's."""
    owners, machines = counts.get(Origin.OWNER, 0), counts.get(Origin.MACHINE, 0)
    return (0, owners + machines) if machine else (owners, machines)


def find_session(engine: Engine, name: str) -> Session:
    """A session by its id, or else by its file; the beginning of either is enough.

    Raises:
        UnknownSession: there is none.
        SeveralNames: several begin so.
    """
    records = engine.catalog.listing()
    by_file = {_stem(record.file.path): record.session or "" for record in records}
    titles = {record.session or "": _title(record, engine.zone) for record in records}
    offered = get_close_matches(name, titles, n=_OFFERED, cutoff=0.3) or sorted(titles)[-_OFFERED:]
    if name in by_file and name not in titles:
        whole = by_file[name]
    elif any(title.startswith(name) for title in titles):
        whole = whole_name(name, titles, UnknownSession, offered)
    else:
        files = {stem: titles[session] for stem, session in by_file.items()}
        whole = by_file[whole_name(name, files, UnknownSession, offered)]
    if transcript := engine.catalog.session(whole):
        return transcript
    raise UnknownSession(name, [other for other in offered if other != whole])


def _stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".jsonl")[0]


def _title(record: FileRecord, zone: str) -> str:
    """When a session began, and where it lies."""
    return f"{to_the_minute(record.first, zone) if record.first else '-'}, {record.file.path}"
