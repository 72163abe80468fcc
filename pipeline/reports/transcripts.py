"""The sessions of the sources: a list for programs and for people, and the one that is meant."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from itertools import groupby
from pathlib import PurePosixPath

from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.errors import SeveralNames, UnknownSession
from pipeline.ledger.transcripts import FileRecord
from pipeline.transcripts.selection import MACHINE, why_not_read
from pipeline.workspace.layout import short_of, whole_name
from schemas.reports.workspace import JudgedSession, ListedSession
from schemas.transcript import Message, Origin, Session, id_in_file

_OFFERED = 5


def listed_sessions(engine: Engine) -> list[ListedSession]:
    """The sessions that no setting leaves out, the oldest first; one that is in several files is one."""
    taken = [record for record in engine.catalog.all_files() if why_not_read(record) in {"", MACHINE}]
    taken.sort(key=lambda record: record.session or "")
    by_session = (list(group) for _, group in groupby(taken, key=lambda record: record.session))
    return sorted((_list_session(engine, records) for records in by_session), key=_age)


def judged_sessions(engine: Engine) -> list[JudgedSession]:
    """The same with all that is not read, and why: first what is read."""
    why = [(record, why_not_read(record)) for record in engine.catalog.all_files()]
    of_machines = {record.session for record, reason in why if reason == MACHINE} - {
        record.session
        for record, reason in why
        if not reason  # of several files of a session, a person may be in one
    }
    passed = [
        JudgedSession(**asdict(_single(engine, record)), left_out=reason)
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


def _list_session(engine: Engine, records: Sequence[FileRecord]) -> ListedSession:
    """A session; the messages that several of its files hold are counted once."""
    first, *others = records
    whole = engine.catalog.session(first.session or "") if others else None
    if whole is None:
        return _single(engine, first, engine.catalog.title(first.session or ""))
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
        project=engine.ledger.session_projects.last_of(whole.session_id),
        short=short_of(whole.session_id),
    )


def _single(engine: Engine, record: FileRecord, title: str = "") -> ListedSession:
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
        project=engine.ledger.session_projects.last_of(record.session) if record.session else "",
        short=short_of(record.session or ""),
    )


def _speakers(counts: Mapping[str, int], *, machine: bool) -> tuple[int, int]:
    """The numbers of messages by the owner and by machines. In a session of machines nothing is the owner's."""
    owners, machines = counts.get(Origin.OWNER, 0), counts.get(Origin.MACHINE, 0)
    return (0, owners + machines) if machine else (owners, machines)


def find_session(engine: Engine, name: str) -> Session:
    """A session by its id, or else by its file; the beginning of either is enough.

    Raises:
        NameRefused: there is none; several begin so.
    """
    records = engine.catalog.listing()
    by_file = {PurePosixPath(record.file.path).name.partition(".jsonl")[0]: record.session or "" for record in records}
    by_id = {
        record.session or "": f"{to_the_minute(record.first, engine.zone) if record.first else '-'}, {record.file.path}"
        for record in records
    }
    known = _full_ids(engine, by_id)
    offered = get_close_matches(name, known, n=_OFFERED, cutoff=0.3) or sorted(known)[-_OFFERED:]
    meant = [full for full in known if name in _forms(full)]
    if name and not meant and name not in by_file:
        meant = [full for full in known if any(form.startswith(name) for form in _forms(full))]
    if len(meant) > 1:
        raise SeveralNames(UnknownSession.sort, name, {full: by_id[known[full]] for full in meant})
    if meant:
        whole = known[meant[0]]
    else:
        files = {stem: by_id[session] for stem, session in by_file.items()}
        whole = by_file[whole_name(name, files, UnknownSession, offered)]
    if transcript := engine.catalog.session(whole):
        return transcript
    raise UnknownSession(name, [other for other in offered if other != whole])


def shown_messages(session: Session, *, everything: bool) -> list[Message]:
    """The messages of a session to show: its conversation, or all. In a machine's session nothing is the owner's."""
    messages = session.messages if everything else session.conversation
    machine = {"origin": Origin.MACHINE}
    return [
        message.model_copy(update=machine) if session.machine and message.origin is Origin.OWNER else message
        for message in messages
    ]


def _full_ids(engine: Engine, ids: Iterable[str]) -> dict[str, str]:
    """The ids by their full names: the kind of the source stands before an id that several kinds have."""
    several = {plain for plain, number in Counter(map(id_in_file, ids)).items() if number > 1}
    kinds = engine.ledger.session_kinds
    return {f"{kinds.of(name)}:{name}" if name in several else name: name for name in ids}


def _forms(full: str) -> tuple[str, str]:
    return full, id_in_file(full)
