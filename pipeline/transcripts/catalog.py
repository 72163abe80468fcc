"""The catalog: which transcript files there are, what is in them, and which of them a window needs."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby

from pipeline.errors import ReadFailed, TranscriptUnreadable, WriteFailed
from pipeline.ledger import Ledger
from pipeline.ledger.coverage import State
from pipeline.ledger.transcripts import WHOLE, FileRecord
from pipeline.ports.engine import Redactor, TranscriptSource
from pipeline.transcripts.counts import unaccounted_growth
from pipeline.transcripts.pieces import Pieces
from pipeline.transcripts.projects import folders_of
from pipeline.transcripts.selection import SEVERAL, Selection, opening_of
from pipeline.transcripts.session_names import SessionNames
from pipeline.transcripts.tool_calls import written_texts
from schemas.entry import Source
from schemas.evidence import RecordEvidence
from schemas.transcript import Message, Origin, OtherMachine, Session, TranscriptFile
from schemas.window import Window

_KEPT_CHARACTERS = 32_000_000  # of parsed text held between windows: long sessions are read once, not once a window
_TITLE = 100  # characters
_REDACTED = 2_000  # characters, so that no secret at the end of a title is cut before it is recognised
_MESSAGES_BEFORE = 2  # to find out whether a message answers a question for a secret
_ReadFile = tuple[str, TranscriptFile, Sequence[Session]]
"""A file as it was read: the name of its source, its version, and its sessions."""


@dataclass(frozen=True)
class Refreshed:
    """The result of reading the sources: the numbers of files read and gone, and the errors of unreadable ones.

    `unreadable` has a sentence for each; the ledger keeps them until they can be read, or are gone.
    """

    read: int
    gone: int
    unreadable: tuple[str, ...]


class Catalog:
    """The transcripts of all sources, each session read only when it is needed."""

    def __init__(
        self,
        sources: Sequence[TranscriptSource],
        ledger: Ledger,
        redactor: Redactor,
        pieces: Pieces,
        selection: Selection | None = None,
    ) -> None:
        """When the `selection` changes, all files of a source are read again."""
        self._pieces = pieces
        self._selection = selection or Selection()
        self._names = SessionNames(ledger.session_kinds, self._selection.kinds)
        self._sources = {source.name: source for source in sources}
        self._ledger = ledger
        self._redactor = redactor
        self._kept: OrderedDict[tuple[tuple[str, TranscriptFile, str | None], ...], Session] = OrderedDict()
        self._size = 0
        self._latest: _ReadFile | None = None

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kinds of the sources, by name."""
        return self._names.kinds

    def mask_text(self, text: str) -> str:
        """A text of another file with its secrets masked, as in transcripts."""
        return self._redactor.redact(text)

    def refresh(self, between: Callable[[], None] = lambda: None) -> Refreshed:
        """Look at all sources; read what is new or changed and mark the covered time it has new messages for.

        `between` is called before each file is read, and may raise to stop there.
        """
        self._latest = None
        by_source = [self._refresh(source, between) for source in self._sources.values()]
        # The troubles of sources that the settings name no more are forgotten.
        for name in self._ledger.unreadable.sources():
            if name not in self._sources:
                for path in self._ledger.unreadable.of(name):
                    self._ledger.unreadable.clear(name, path)
        # The covered time of pieces that were open when their messages were read, and are over by now.
        for session_id in self._ledger.pieces.over(self._pieces.clock.now()):
            try:
                session = self._read_whole(self._ledger.files.of_session(session_id))
            except ReadFailed:  # they stay open until they can be read: a whole source comes back without a change
                continue
            with self._ledger.store.transaction():
                if session:
                    self._mark_stale(session)
                else:
                    self._ledger.pieces.note_open(session_id, None)
        return Refreshed(
            read=sum(refreshed.read for refreshed in by_source),
            gone=sum(refreshed.gone for refreshed in by_source),
            unreadable=tuple(reason for refreshed in by_source for reason in refreshed.unreadable),
        )

    def _refresh(self, source: TranscriptSource, between: Callable[[], None]) -> Refreshed:
        files, unreadable = self._ledger.files, self._ledger.unreadable
        try:
            present = {file.path: file for file in source.files()}
        except ReadFailed as error:  # a folder that is not mounted has not lost its files
            unreadable.note(source.name, WHOLE, error.reason)
            return Refreshed(0, 0, (str(error),))
        files.read_as(source.name, self._selection.fingerprint(source.name))
        known, troubled, reasons = files.by_path(source.name), unreadable.of(source.name), list[str]()
        for path in troubled.keys() - present.keys():
            unreadable.clear(source.name, path)
        # What could not be read may be readable now although it has not changed.
        changed = [file for file in present.values() if known.get(file.path) != file or file.path in troubled]
        for file in changed:
            between()
            try:
                held = source.read(file.path)
            except ReadFailed as error:
                unreadable.note(source.name, file.path, error.reason)
                reasons.append(str(error))
                continue
            self._note_file(source.name, file, held)
            if len(changed) == 1:  # after a turn: the index of what was said asks for this session next
                self._latest = source.name, file, held
        # A store that cannot be read has not lost its sessions.
        missing = [path for path in known.keys() - present.keys() if path.rpartition("/")[0] not in present]
        for path in missing:
            files.drop(source.name, path)
        return Refreshed(len(changed) - len(reasons), len(missing), tuple(reasons))

    def files(self, window: Window) -> list[FileRecord]:
        """The files of the sessions with messages around `window`, as of the last refresh."""
        return self._ledger.files.overlapping(window)

    def sessions(self, window: Window, horizon: datetime | None = None) -> list[Session]:
        """The sessions with pieces that have messages in `window`, redacted, sorted by their first message.

        Each is whole up to the end of the last of these pieces. From `horizon` on nothing is seen.

        Raises:
            ReadFailed: a file cannot be read, also after a second look: `TranscriptUnreadable`, unless its whole source
                cannot be.
        """
        try:
            return self._read_inside(window, horizon)
        except ReadFailed:  # an agent renames or deletes a file at any moment after we looked
            self.refresh()
            return self._read_inside(window, horizon)

    def _read_inside(self, window: Window, horizon: datetime | None) -> list[Session]:
        wholes = (self._read_whole(files) for files in _by_session(self.files(window)))
        seen = (self._cut_to_window(whole, window, horizon) for whole in wholes if whole)
        inside = [self._with_routine(session, window) for session in seen if session.pieces]
        return sorted(inside, key=lambda session: (session.messages[0].time, session.session_id, session.path))

    def _cut_to_window(self, whole: Session, window: Window, horizon: datetime | None) -> Session:
        """A session as a run of the window sees it: with the pieces that are over and have messages in the window.

        What its records prove is seen up to the window's end: an agent may go on when all has been said.
        """
        times = [message.time for message in whole.conversation if message.time in window]
        closed = self._pieces.closed_pieces(whole, horizon) if times else []
        pieces = tuple(piece for piece in closed if any(time in piece for time in times))
        end = pieces[-1].end if pieces else window.start
        until = min(max(end, window.end), horizon or window.end) if pieces else end
        evidence = tuple(record for record in whole.evidence if record.time < until)
        return whole.before(end).model_copy(update={"pieces": pieces, "evidence": evidence})

    def keep_pieces(self, sessions: Iterable[Session]) -> None:
        """Keep the pieces that sessions show: they are about to be asked about, and are never cut anew."""
        shown = [session for session in sessions if session.pieces and not session.machine]
        with self._ledger.store.transaction() if shown else nullcontext():
            for session in shown:
                self._ledger.pieces.keep(session.session_id, session.pieces)

    def _with_routine(self, session: Session, window: Window) -> Session:
        """The session, marked if it is a routine one as of the window's end."""
        opening = opening_of(session)
        if not opening.digest or opening.second:
            return session
        alike = self._ledger.files.opened_alike(opening.digest, session.messages[0].time, window.end)
        return session.model_copy(update={"routine": True}) if alike >= SEVERAL else session

    def session(self, session_id: str) -> Session | None:
        """A session, whole and redacted, by its id; `None` when its files are gone."""
        try:
            return self._read_whole(self._ledger.files.of_session(session_id))
        except ReadFailed:  # an agent may delete a file at any moment after we looked
            return None

    def cited_session(self, source: Source) -> Session | None:
        """The session that an entry cites, as `session`; never one of another kind than the source that it names."""
        return self.session(self.cited_id(source))

    def as_known(self, session: Session, window: Window) -> Session:
        """A whole session as a run of the window sees it."""
        return self._with_routine(self._cut_to_window(session, window, None), window)

    def cited_id(self, source: Source) -> str:
        """The id of the session that an entry cites."""
        return self._names.cited_id(source)

    def project_of(self, source: Source) -> str:
        """The project in which the cited words were said; empty where none is known."""
        return self.project_lookup()(source)

    def project_lookup(self) -> Callable[[Source], str]:
        """A function as `project_of` that asks for each session once: thousands of entries cite few sessions."""
        known = dict[tuple[str, str], list[tuple[int, str]]]()

        def project_of(source: Source) -> str:
            cited = source.session_id, source.session_path
            if cited not in known:
                known[cited] = self._ledger.session_projects.of_session(self.cited_id(source))
            last = source.message_range[1]
            return next((project for number, project in known[cited] if number <= last), "")

        return project_of

    def project_named(self, given: str) -> str:
        """The name of a project that is given by a name, or by a folder of this machine from its root on."""
        return self._redactor.redact(self._selection.projects.project_name(given, self._ledger.project_names.of))

    def sources_of(self, session_id: str) -> frozenset[str]:
        """The sources that the session of an id may be from; all of them when none is known."""
        sources = {record.source for record in self._ledger.files.of_session(session_id)}
        kind = self._ledger.session_kinds.of(session_id)
        of_kind = {name for name, other in self.kinds.items() if kind and other == kind}
        return frozenset(sources or of_kind or self._sources)

    def reserve(self, cited: Sequence[Source]) -> None:
        """Let cited sessions have their ids before others that claim these."""
        if cited:
            with self._ledger.store.transaction():
                self._names.reserve(cited)

    def messages_with(self, has: Callable[[Message], bool]) -> Iterator[tuple[str, Message]]:
        """The messages that can be read of which `has` says so, as they stand in their files, with the ids of sessions.

        What cannot be read now is passed over, and so are sessions of machines.
        """
        for files in _by_session(self._ledger.files.sessions()):
            session = self._as_written(files)
            if session and not session.machine:
                yield from ((session.session_id, message) for message in session.readable if has(message))

    def conversation(self, session_id: str, clean: Callable[[Session], Container[int]]) -> Session | None:
        """The session as `session` gives it, without the evidence of its records, and not held in memory.

        `clean` gets the session as it is written, and gives the numbers of messages that are known to have nothing to
        mask.

        Raises:
            ReadFailed: its files cannot be read now.
        """
        latest, self._latest = self._latest, None
        session = self._read_parts(self._ledger.files.of_session(session_id), latest)
        if session is None:
            return None
        said = session.model_copy(update={"evidence": ()})
        return redact_session(said, self._redactor, self._names_of_projects(session), clean(said))

    def session_as_written(self, session_id: str) -> Session | None:
        """The session for another machine: as it is written, with its id in its files, its projects by their names.

        Nothing of it is masked (`mask_session`). `None` when its files are gone, or cannot be read now.
        """
        latest, self._latest = self._latest, None
        session = self._as_written(self._ledger.files.of_session(session_id), latest)
        if session is None:
            return None
        names, kind = self._names_of_projects(session), self._names.kind_of(session)
        remotes = self._selection.projects.remotes(session)
        elsewhere = OtherMachine(
            kind=kind, remotes={self._ledger.project_names.of(place): remote for place, remote in remotes.items()}
        )
        update = {"session_id": session_id.removeprefix(f"{kind}:"), "elsewhere": elsewhere}
        return _with_projects(session, names).model_copy(update=update)

    def mask_session(self, session: Session, clean: Container[int]) -> Session:
        """A session of `session_as_written`, with its secrets masked but in the messages of the numbers `clean`."""
        return redact_session(session, self._redactor, None, clean)

    def title(self, session_id: str) -> str:
        """The owner's first words in a session, see `first_words`; empty when its files are gone.

        They are read from its files each time: the ledger holds no words of transcripts, which `forget` would miss.
        """
        session = self._as_written(self._ledger.files.of_session(session_id))
        return first_words(session, self._redactor) if session else ""

    def unreadable_sources(self) -> dict[str, str] | None:
        """The reason why each source cannot be listed, by its name, as of the last refresh; `None` when any can."""
        whole = {name: self._ledger.unreadable.of(name).get(WHOLE) for name in self._sources}
        reasons = {name: file.reason for name, file in whole.items() if file}
        return reasons if len(reasons) == len(whole) else None

    def listing(self) -> list[FileRecord]:
        """Every file that holds a session."""
        return self._ledger.files.sessions()

    def all_files(self) -> list[FileRecord]:
        """Every file that was read, by source: also those whose session is left out, and those that hold none."""
        return [record for name in self._sources for record in self._ledger.files.of_source(name)]

    def _note_file(self, source: str, file: TranscriptFile, read: Sequence[Session]) -> None:
        with self._ledger.store.transaction():
            sessions = [self._names.give_id(session) for session in read]
            before = self._ledger.files.of_path(source, file.path)
            records = [self._make_record(source, file, session) for session in sessions]
            records = [replace(record, unaccounted=unaccounted_growth(before, records)) for record in records]
            self._ledger.files.note(records or [FileRecord(source, file, None, None, None)])
            self._ledger.unreadable.clear(source, file.path)
            for session, record in zip(sessions, records, strict=True):
                if session.messages and not record.left_out:
                    self._ledger.episodes.note_changed(session.session_id)
                    for place, remote in self._selection.projects.remotes(session).items():
                        self._ledger.project_names.hold(place, remote)
                    parts = self._ledger.files.of_session(session.session_id)
                    whole = session if len(parts) == 1 else self.session(session.session_id) or session
                    if not session.elsewhere:  # another machine has other files at these paths
                        self._ledger.written_texts.note(session.session_id, written_texts(whole))
                    self._note_projects(whole, self._names_of_projects(session) if whole is session else {})
                    self._mark_stale(whole)

    def _names_of_projects(self, session: Session) -> dict[str, str]:
        """The names of a session's projects, by the folders that its files give."""
        places = self._selection.projects.places(session)
        return {folder: self._ledger.project_names.of(place) for folder, place in places.items()}

    def _note_projects(self, session: Session, names: Mapping[str, str]) -> None:
        """Note in which projects a session was; `names` are those of its folders, none where it has them already."""
        said_in = [(message.number, session.project_of(message)) for message in session.messages]
        folders = {folder for _, folder in said_in}
        masked = {folder: self._redactor.redact(names.get(folder, folder)) for folder in folders}
        self._ledger.session_projects.note(session.session_id, ((number, masked[folder]) for number, folder in said_in))

    def _make_record(self, source: str, file: TranscriptFile, session: Session) -> FileRecord:
        times, opening = [message.time for message in session.messages], opening_of(session)
        return FileRecord(
            source=source,
            file=file,
            session=session.session_id,
            first=min(times, default=None),
            last=max(times, default=None),
            agent=session.agent,
            left_out=self._selection.why_left_out(session, source),
            opening=opening.digest,
            second=opening.second,
            counts=Counter(message.origin.value for message in session.messages) + Counter(session.skipped),
            machine=session.machine,
            archived=session.archived,
        )

    def _mark_stale(self, session: Session) -> None:
        """Mark the covered time in which pieces that are over have messages that no run has seen."""
        self._ledger.pieces.note_open(session.session_id, self._pieces.next_over(session))
        coverage, keyed, name = self._ledger.coverage, self._ledger.keyed, session.session_id
        times = [message.time for message in session.messages]
        span = Window(start=min(times), end=max(times) + timedelta(microseconds=1))
        seen = cache(lambda: session.model_copy(update={"pieces": tuple(self._pieces.closed_pieces(session))}))
        for job in self._pieces.readers:
            for subject in dict.fromkeys(("", *coverage.subjects(job))):
                for stretch in coverage.stretches(job, span, subject):
                    covered = stretch.state is State.COVERED and not stretch.stale
                    if covered and coverage.unseen(stretch, name, ids_inside(seen(), stretch.window)):
                        coverage.mark_stale(stretch)
            for record in keyed.with_input(job, name):
                if not record.stale and keyed.unseen(record, name, ids_inside(seen(), record.partition.window)):
                    keyed.mark_stale(record)

    def _read_whole(self, records: Sequence[FileRecord]) -> Session | None:
        key = tuple((record.source, record.file, record.session) for record in records)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        parts = [part for record in records if (part := self._read_or_note(record)) and part.messages]
        if not parts:
            return None
        # Merged first: what a message answers may be the last that another file holds.
        merged = merge(parts)
        session = self._kept[key] = redact_session(merged, self._redactor, self._names_of_projects(merged))
        self._size += _size(session)
        while self._size > _KEPT_CHARACTERS and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._size -= _size(oldest)
        return session

    def _as_written(self, records: Iterable[FileRecord], latest: _ReadFile | None = None) -> Session | None:
        """A session with its secrets; `None` when its files are gone, or cannot be read now."""
        with suppress(ReadFailed):
            return self._read_parts(records, latest)
        return None

    def _read_parts(self, records: Iterable[FileRecord], latest: _ReadFile | None) -> Session | None:
        """The session in files, as it is written; `None` when they are gone. That of `latest` is read already."""
        parts = [part for record in records if (part := self._read_from_file(record, latest)) and part.messages]
        return merge(parts) if parts else None

    def _read_from_file(self, record: FileRecord, latest: _ReadFile | None = None) -> Session | None:
        source = self._sources.get(record.source)
        if latest and latest[:2] == (record.source, record.file):
            held = latest[2]
        else:
            held = source.read(record.file.path) if source else ()
        name = record.session or ""
        own = next((session for session in held if self._names.is_named(session, name)), None)
        return own.model_copy(update={"session_id": name}) if own else None

    def _read_or_note(self, record: FileRecord) -> Session | None:
        try:
            return self._read_from_file(record)
        except ReadFailed as error:  # known from when it could be read, and not changed since
            if WHOLE in self._ledger.unreadable.of(record.source):
                raise
            with suppress(WriteFailed):  # as the ledger of a copy does
                self._ledger.unreadable.note(record.source, record.file.path, error.reason)
            raise TranscriptUnreadable(record.file.path, error.reason) from error


def first_words(session: Session, redactor: Redactor) -> str:
    """The owner's first words on one line, redacted, of 100 characters at most; empty when only others speak."""
    said = deque[str](maxlen=_MESSAGES_BEFORE)
    for message in session.messages:
        if message.origin is Origin.OWNER:
            return " ".join(redactor.redact(message.text[:_REDACTED], tuple(said)).split())[:_TITLE]
        if message.conversational:
            said.append(message.text)
    return ""


def _size(session: Session) -> int:
    return sum(len(message.text) for message in session.messages)


def _by_session(records: Sequence[FileRecord]) -> Iterator[list[FileRecord]]:
    ordered = sorted(records, key=lambda record: (record.session or "", record.source, record.file.path))
    for _, files in groupby(ordered, key=lambda record: record.session):
        yield list(files)


def merge(parts: Sequence[Session]) -> Session:
    """The session out of several files of one kind with one id; a message that stands in more than one counts once.

    The files follow each other by their first message, and of those that begin together an archive comes first, since
    it does not grow any more: so the numbers of its messages stay what they are. The numbers of the next file stand
    when they are higher, else they run on. A message that stands in a live file is cited there, also when an archive
    holds it too. Words in a person's place in a machine's file stay the machine's when another file is a
    person's.
    """
    ordered = sorted(
        parts, key=lambda part: (min(message.time for message in part.messages), not part.archived, part.path)
    )
    if len(ordered) == 1:
        return ordered[0]
    machine = all(part.machine for part in ordered)
    ordered = ordered if machine else [_without_owner(part) for part in ordered]
    messages, places, proven = list[Message](), dict[str, int](), dict[tuple[object, ...], RecordEvidence]()
    for part in ordered:
        new = [message for message in part.messages if not _repeats(message, messages, places)]
        last = messages[-1].number if messages else 0
        moved = last if new and new[0].number <= last else 0
        for evidence in part.evidence:
            place = evidence.project or (part.project if part.project != ordered[0].project else "")
            key = (evidence.kind, evidence.time, evidence.text, evidence.todos)
            proven.setdefault(key, evidence.model_copy(update={"number": moved + evidence.number, "project": place}))
        for message in new:
            folder = message.project or (part.project if part.project != ordered[0].project else "")
            places.update(dict.fromkeys(message.names, len(messages)))
            messages.append(message.model_copy(update={"number": moved + message.number, "project": folder}))
    live = [part for part in ordered if not part.archived]
    own = live[0] if live else ordered[0]
    standing = {
        name: part for part in reversed([*live, *ordered]) for message in part.messages for name in message.names
    }
    update = {
        "source": own.source,
        "path": own.path,
        "archived": own.archived,
        "machine": machine,
        "messages": tuple(_cite_file(message, standing, own) for message in messages),
        "evidence": tuple(proven.values()),
        "other_sources": frozenset(part.source for part in ordered) - {own.source},
    }
    return ordered[0].model_copy(update=update)


def _without_owner(part: Session) -> Session:
    """A file without words of a person, when it is known to be a machine's in spite of such words."""
    if not part.machine or not any(message.origin is Origin.OWNER for message in part.messages):
        return part
    said = [
        message.model_copy(update={"origin": Origin.MACHINE}) if message.readable else message
        for message in part.messages
    ]
    return part.model_copy(update={"messages": tuple(said)})


def _repeats(message: Message, messages: list[Message], places: dict[str, int]) -> bool:
    """Whether a message of an earlier file is the same; that one then takes the names of this one."""
    place = next((places[name] for name in message.names if name in places), None)
    if place is None:
        return False
    first = messages[place]
    if more := tuple(name for name in message.names if name not in first.names):
        places.update(dict.fromkeys(more, place))
        messages[place] = first.model_copy(update={"aliases": (*first.aliases, *more)})
    return True


def _cite_file(message: Message, standing: Mapping[str, Session], own: Session) -> Message:
    """The message with its file, where that is not the session's `own`; `standing` is the file of each name."""
    files = [standing[name] for name in message.names if name in standing]
    part = next((part for part in files if not part.archived), files[0])
    if part is own or message.session_path:
        return message
    return message.model_copy(update={"session_path": part.session_path})


def redact_session(
    session: Session, redactor: Redactor, names: Mapping[str, str] | None = None, clean: Container[int] = ()
) -> Session:
    """The session without secrets, without the text of unreadable messages, and with its projects by their names.

    `names` are those of its folders; `clean` the numbers of messages that are known to have nothing to mask.
    """
    messages, said = list[Message](), deque[str](maxlen=_MESSAGES_BEFORE)
    projects = {folder: redactor.redact((names or {}).get(folder, folder)) for folder in folders_of(session)}
    for message in session.messages:
        text = message.text if message.readable else ""
        if text and message.number not in clean:
            text = redactor.redact(text, tuple(said))
        masked = {"text": text, "project": projects[message.project]}
        same = masked == {"text": message.text, "project": message.project}
        messages.append(message if same else message.model_copy(update=masked))
        if message.conversational:
            said.append(message.text)
    evidence = tuple(
        proven.with_words(redactor.redact).model_copy(update={"project": projects[proven.project]})
        for proven in session.evidence
    )
    update = {"project": projects[session.project], "messages": tuple(messages), "evidence": evidence}
    return session.model_copy(update=update)


def _with_projects(session: Session, names: Mapping[str, str]) -> Session:
    """The session with its projects by their names, where its files give folders."""
    messages = (message.model_copy(update={"project": names[message.project]}) for message in session.messages)
    evidence = (proven.model_copy(update={"project": names[proven.project]}) for proven in session.evidence)
    own = {"project": names[session.project], "messages": tuple(messages), "evidence": tuple(evidence)}
    return session.model_copy(update=own)


def ids_inside(session: Session, window: Window) -> list[str]:
    """The ids of the messages inside the window and the session's pieces.

    Copied history is left out: it belongs to another session. A summary says nothing new.
    """
    retold = {Origin.MEMORY, Origin.SUMMARY}
    own = (message for message in session.messages if message.time in window and message.origin not in retold)
    seen = (message for message in own if any(message.time in piece for piece in session.pieces))
    return [entry_id for message in seen for entry_id in message.entry_ids]
