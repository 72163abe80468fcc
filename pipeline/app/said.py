"""Messages of the transcripts of a workspace, as their index reads them, and the two sides of that index."""

import json
import mmap
import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.app.redaction import open_redactor
from pipeline.errors import PipelineError
from pipeline.markdown.entries import parse_entry
from pipeline.ports.engine import Clock, Redactor
from pipeline.ports.said import BytePlace, SaidSession, ScreenedWords
from pipeline.settings.load import configured_secrets
from pipeline.transcripts.kept_talk import KeptTalk, kept_talk
from pipeline.workspace.files import Workspace
from pipeline.workspace.forgotten import read_forgotten_messages, read_topics
from pipeline.workspace.regular_files import open_regular
from schemas.entry import Entry
from schemas.settings import Settings
from schemas.transcript import Message, Session

if TYPE_CHECKING:
    from pipeline.engine.context import Engine
    from pipeline.ledger import Ledger

PACKAGE: Final = "agent-memory-pipeline"
_LONGEST: Final = 1 << 16
"""Bytes of a passage in its file at most."""
_AHEAD: Final = 1 << 24
"""Bytes that are looked through for the next text: tools may have printed as much between two messages."""
_TELLING: Final = 24
"""Bytes of a text that stands in few places: what is looked for next stands behind it."""
_MISSES: Final = 20
"""After so many texts in a row that stand nowhere, the file is one that has them in another form."""


@dataclass
class TranscriptWords:
    """`pipeline.ports.said.SaidSource` of a workspace.

    Its ledger, and its engine, which loads ten times as much, are opened at the first need.
    """

    workspace: Workspace
    settings: Settings
    clock: Clock
    opening_ledger: "Callable[[], Ledger]"
    opening_engine: "Callable[[], Engine]"

    @cached_property
    def _redactor(self) -> Redactor:
        return open_redactor(self.settings)

    @cached_property
    def _talk(self) -> KeptTalk:
        return kept_talk(self.workspace, self.settings, self.clock)

    @cached_property
    def _folders(self) -> dict[str, Path]:
        """The folders of the sources by their names."""
        root = self.workspace.root
        return {source.root_name: (root / Path(source.path).expanduser()).resolve() for source in self.settings.sources}

    @cached_property
    def _ledger(self) -> "Ledger":
        return self.opening_ledger()

    @cached_property
    def _engine(self) -> "Engine":
        return self.opening_engine()

    @property
    def rules(self) -> str:
        """The version of the product, what it masks, what is not read of the sources, what is forgotten and kept."""
        narrowed = [
            source.model_dump_json()
            for source in self.settings.sources
            if not source.search or source.agents or source.projects or source.include or source.exclude
        ]
        topics = [f"{topic.salt} {topic.text} {topic.until}" for topic in read_topics(self.workspace)]
        messages = map(str, sorted(read_forgotten_messages(self.workspace).listed))
        secrets = sorted(configured_secrets(self.settings))
        kept = str(self.settings.search.keep_said)
        known = [metadata.version(PACKAGE), self.settings.timezone, kept, *narrowed, *secrets, *topics, *messages]
        return blake2b("\n".join(known).encode("utf-8", "replace"), digest_size=16).hexdigest()

    @cached_property
    def _masking(self) -> bytes:
        """The version of the product and the secrets of the settings: what is masked changes with them alone."""
        known = [metadata.version(PACKAGE), *sorted(configured_secrets(self.settings))]
        return blake2b("\n".join(known).encode("utf-8", "replace")).digest()

    def list_sessions(self) -> Iterator[SaidSession]:
        """The sessions of the sources that are searched, those with the newest files first; then those kept alone."""
        from pipeline.ledger.transcripts import WHOLE  # noqa: PLC0415 - most questions need it not

        unreadable = self._ledger.unreadable
        away = {(name, path) for name in unreadable.sources() for path in unreadable.of(name)}
        apart = {source.root_name for source in self.settings.sources if not source.search}
        rows = self._ledger.files.by_session()
        dated, there = list[tuple[int, SaidSession]](), list[str]()
        for session_id, group in groupby(rows, key=lambda row: row.session_id):
            files = list(group)
            there.append(session_id)
            if apart.isdisjoint(record.source for record in files) and not all(record.machine for record in files):
                stamp = blake2b("\n".join(record.stamp for record in files).encode("utf-8", "replace"), digest_size=8)
                size = sum(record.file.size for record in files)
                newest = max(record.file.mtime_ns for record in files)
                is_away = any((record.source, path) in away for record in files for path in (WHOLE, record.file.path))
                dated.append((newest, SaidSession(session_id, stamp.hexdigest(), size, away=is_away)))
        yield from (session for _, session in sorted(dated, key=lambda pair: (-pair[0], pair[1].session_id)))
        for one in self._talk.sessions(without=there):
            yield SaidSession(one.session_id, one.stamp, one.size, kept=True)

    def read(self, session_id: str) -> Session | None:
        """A session as it may be found."""
        with suppress(PipelineError):  # of a source that cannot be read now, nothing is shown
            session = self._engine.catalog.session(session_id)
            if session is not None and not session.machine:
                return self._without_withheld(session)
        return None

    def read_kept_session(self, session_id: str) -> Session | None:
        """A kept session, masked by the rules of today, when no file has the session any more."""
        with suppress(PipelineError):
            return self._kept_session(session_id)
        return None

    def _kept_session(self, session_id: str) -> Session | None:
        session = self._talk.read(session_id) if self._talk.duration else None
        if session is None or self._engine.catalog.session(session_id) is not None:
            return None
        return self._without_withheld(self._mask_secrets(session))

    def take(self, session_id: str, before: ScreenedWords) -> tuple[Session | None, ScreenedWords] | None:
        """A session to be indexed; it is kept as it is now, where the settings want that.

        Without an engine, for example by a slip in the settings, it raises the error, and what was kept stays.
        """
        catalog, screening = self._engine.catalog, _Screening(self._masking, before)
        session: Session | None = None
        is_refused = False
        try:
            masked = catalog.conversation(session_id, screening.begin)
            if masked is not None and not masked.machine:
                screening.end(masked)
                session = self._without_withheld(masked, screening.clean)
        except PipelineError:  # nothing that was kept is dropped
            is_refused = True
        try:
            session = session or self._kept_session(session_id)
        except PipelineError:
            is_refused = True
        if session is not None and self._talk.duration:
            self._talk.keep(session)
        elif self._talk.is_there and not (self._talk.duration and is_refused):
            self._talk.drop(session_id)
        return None if is_refused and session is None else (session, screening.after)

    def settle(self, listed: Iterable[SaidSession], *, anew: bool = False) -> None:
        """Keep no session that is not listed, and nothing that is older than wanted."""
        if not self._talk.is_there:
            return
        self._talk.limit(session.session_id for session in listed)
        for one in self._talk.sessions() if anew else ():
            if (session := self._talk.read(one.session_id)) is not None:
                self._talk.keep(self._without_withheld(self._mask_secrets(session)))
            else:
                self._talk.drop(one.session_id)

    def _mask_secrets(self, session: Session) -> Session:
        """The session as it was kept, masked by the rules of today."""
        from pipeline.transcripts.catalog import redact_session  # noqa: PLC0415 - it leads to the ledger

        return redact_session(session, self._redactor)

    def _without_withheld(self, session: Session, silent: Container[int] = ()) -> Session:
        """The session without what is forgotten or off the record.

        `silent` are the numbers of messages that are known not to ask for that.
        """
        from pipeline.engine.forgotten_topics import without_forgotten  # noqa: PLC0415 - most questions need it not
        from pipeline.entries.voice.off_record import on_record  # noqa: PLC0415 - most questions need it not

        (kept,) = without_forgotten(self.workspace, [on_record(session, silent)])
        gone = read_forgotten_messages(self.workspace)
        return kept.keeping([message for message in kept.messages if not gone.have(session.session_id, message.names)])

    def undone(self, days: Collection[date]) -> Sequence[Entry]:
        """The entries of some days that an undo took out; none where the ledger cannot be read now."""
        with suppress(PipelineError):
            changes = self._ledger.changes
            # The day of a file is local to the workspace, those of messages to their sessions.
            near = {(day + timedelta(beside)).isoformat() for day in days for beside in (-1, 0, 1)}
            blocks = [block for block in changes.undone() if any(day in block.path for day in near)]
            written = {
                (path, block.name, block.digest): block
                for path in {block.path for block in blocks}
                for change in changes.of_path(path)
                for block in change.blocks().values()
            }
            texts = (written.get((block.path, block.name, block.digest)) for block in blocks)
            return [entry for block in texts if block and (entry := parse_entry(block))]
        return []

    def find(self, path: str, texts: Sequence[str], start: int = 0) -> list[BytePlace | None]:
        """The places of texts in a file of JSON, in their order."""
        file = self._file(path)
        if file is None:
            return [None] * len(texts)
        try:
            with (
                open(file, "rb", opener=open_regular) as stream,
                mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
            ):
                return list(_places(data, path, texts, start))
        except (OSError, ValueError):  # it is gone, or empty
            return [None] * len(texts)

    def text(self, place: BytePlace) -> str | None:
        """The text at a place."""
        file = self._file(place.path)
        if file is None or not 0 <= place.size <= _LONGEST:
            return None
        try:
            with open(file, "rb", opener=open_regular) as stream:
                stream.seek(place.start)
                return str(json.loads(b'"%b"' % stream.read(place.size), strict=False))
        except (OSError, ValueError):
            return None

    def _file(self, path: str) -> Path | None:
        source, _, inside = path.partition(":")
        folder = self._folders.get(source)
        if folder is None:
            return None
        file = folder / inside
        real = os.path.realpath(file)  # a question asks for some thirty places: a `Path` takes thrice as long for it
        return file if real.startswith(f"{folder}{os.sep}") else None

    def look(self) -> None:
        """Look for sessions that are new or have changed."""
        from pipeline.app.engine import look  # noqa: PLC0415 - it leads to all jobs

        look(self._engine)

    def close(self) -> None:
        """Let the ledger go."""
        if ledger := self.__dict__.pop("_ledger", None):  # where a cached property keeps its value
            ledger.store.close()
        if engine := self.__dict__.pop("_engine", None):
            engine.ledger.store.close()


class _Screening:
    """The taking of one session: `clean` are the numbers of the messages that need not be looked through again.

    What is found in a message depends on it and on what was said before it, so a session that begins as it did is
    looked through from where it goes on. `after` is what to remember.
    """

    def __init__(self, masking: bytes, before: ScreenedWords) -> None:
        """`masking` is what a digest begins with."""
        self._masking, self._before = masking, before
        self._written: Sequence[Message] = ()
        self._digest = ""
        self.clean = frozenset[int]()
        self.after = ScreenedWords()

    def begin(self, written: Session) -> Container[int]:
        """Find out how much of a session is as it was."""
        self._written, digest = written.readable, blake2b(self._masking, digest_size=16)
        for place, message in enumerate(self._written, 1):
            said = message.text.encode("utf-8", "surrogatepass")
            digest.update(b"%d %s %d\n%b" % (message.number, message.origin.encode(), len(said), said))
            if place == self._before.count and digest.hexdigest() == self._before.digest:
                same = {earlier.number for earlier in self._written[:place]}
                self.clean = frozenset(same.difference(self._before.telling))
        self._digest = digest.hexdigest()
        return self.clean

    def end(self, masked: Session) -> None:
        """Note in which of the other messages something was found."""
        from pipeline.entries.voice.off_record import asks_off_record  # noqa: PLC0415 - most questions need it not

        others = (pair for pair in zip(self._written, masked.readable, strict=True) if pair[1].number not in self.clean)
        telling = tuple(
            message.number for was, message in others if was.text != message.text or asks_off_record(message)
        )
        self.after = ScreenedWords(len(self._written), self._digest, telling)


def _places(data: mmap.mmap, path: str, texts: Sequence[str], start: int) -> Iterator[BytePlace | None]:
    misses, at = 0, start
    for text in texts:
        forms = _forms(text) if misses <= _MISSES else ()
        located = next((place for form in forms if (place := _place(data, path, form, at, start))), None)
        if located is None:
            misses += 1
        else:
            misses, at = 0, located.start + (located.size if located.size >= _TELLING else 0)
        yield located


def _place(data: mmap.mmap, path: str, form: bytes, at: int, start: int) -> BytePlace | None:
    if len(form) > _LONGEST:
        return None
    place = data.find(form, at, at + _AHEAD)
    place = data.find(form, start, start + _AHEAD) if place < 0 and at != start else place
    return BytePlace(path, place, len(form)) if place >= 0 else None


def _forms(text: str) -> Iterator[bytes]:
    """A text as programs write it in JSON: letters as they are, or all but ASCII as escapes."""
    with suppress(UnicodeEncodeError):
        yield json.dumps(text, ensure_ascii=False)[1:-1].encode()
    if not text.isascii():
        yield json.dumps(text)[1:-1].encode()
