"""Conversations, kept in the workspace for as long as the settings want, so that they outlive their transcripts.

There is a folder for each day (UTC) on which messages were written, and in it a file for each session: lines of JSON,
of which the first is about the session and the others are its messages. What expires leaves with its folder, and what
is forgotten with its file, to the last byte: a database keeps words in its free pages.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from pipeline.errors import WriteFailed
from pipeline.ports.engine import Clock
from pipeline.workspace.files import Workspace
from pipeline.workspace.regular_files import open_regular, replace_private
from schemas.settings import Settings
from schemas.transcript import Message, Session

FOLDER: Final = "said"
"""Below the folder of the workspace's state."""
MOST_BYTES: Final = 2_000_000_000
"""Bytes of all kept conversations; beyond that, the oldest days go before their time."""

_SUFFIX, _CHOICE = ".jsonl", "choice"
_OF_SESSION = {"session_id", "source", "path", "agent", "project", "zone"}


@dataclass(frozen=True)
class KeptSession:
    """A kept session: its id, a stamp of its parts, and their size in bytes."""

    session_id: str
    stamp: str
    size: int


@dataclass(frozen=True)
class KeptTalk:
    """The kept conversations of one workspace, masked, for `duration`; a `duration` of 0 keeps nothing.

    `sources` are those that are searched by their names, each with the choice of its sessions that the settings make:
    what was kept by another choice is not given any more. Who writes holds the latch of the index of what was said.
    """

    folder: Path
    duration: timedelta
    clock: Clock
    sources: Mapping[str, str]
    most_bytes: int = MOST_BYTES

    @property
    def is_there(self) -> bool:
        """Whether anything is kept."""
        return self.folder.exists()

    def sessions(self, without: Iterable[str] = ()) -> Iterator[KeptSession]:
        """The sessions that are kept and may be given, but those `without`; another process may drop any meanwhile."""
        parts, apart = dict[str, list[Path]](), {_file_name(name) for name in without}
        for folder in self._day_folders():
            with suppress(FileNotFoundError):
                for file in sorted(file for file in folder.iterdir() if file.suffix == _SUFFIX):
                    if file.name not in apart and file.exists():
                        parts.setdefault(file.name, []).append(file)
        for files in parts.values():
            about, sizes = next(_read_lines(files[-1]), None), list[tuple[str, int]]()
            with suppress(FileNotFoundError):
                sizes = [(file.parent.name, file.stat().st_size) for file in files]
            if about is not None and sizes and self._may_give(about):
                stamp = blake2b(json.dumps(sizes).encode(), digest_size=8).hexdigest()
                yield KeptSession(about["session_id"], f"kept {stamp}", sum(size for _, size in sizes))

    def read(self, session_id: str) -> Session | None:
        """The kept messages of a session, in order; `None` when there are none, or they cannot be read."""
        parts = [[*_read_lines(folder / _file_name(session_id))] for folder in self._day_folders()]
        about = next((part[0] for part in reversed(parts) if part), None)
        if about is None or about["session_id"] != session_id or not self._may_give(about):
            return None
        fields = {name: value for name, value in about.items() if name != _CHOICE}
        with suppress(ValidationError):
            session = Session.model_validate({**fields, "messages": [line for part in parts for line in part[1:]]})
            ordered = sorted(session.messages, key=lambda message: message.number)
            return session.model_copy(update={"messages": tuple(ordered)})
        return None

    def _may_give(self, about: Mapping[str, Any]) -> bool:
        """Whether a session would be read now by the same choice as when it was kept."""
        choice = self._choice_of(about)
        return bool(choice) and about.get(_CHOICE) == choice

    def _choice_of(self, about: Mapping[str, Any]) -> str:
        """A digest of the choice that a session is read by; empty when one of its sources is not searched."""
        others = about.get("other_sources", [])
        names = [about.get("source"), *(others if isinstance(others, list) else [others])]
        if not all(isinstance(name, str) and name in self.sources for name in names):
            return ""
        return blake2b("\n".join(self.sources[name] for name in names).encode(), digest_size=8).hexdigest()

    def keep(self, session: Session) -> None:
        """Keep what can be read of a session as it is now, in place of what was kept of it.

        Raises:
            WriteFailed: the system refuses.
        """
        said = sorted(session.readable, key=lambda message: (message.time, message.number))
        by_day = {
            day: list(messages) for day, messages in groupby(said, lambda message: message.time.astimezone(UTC).date())
        }
        about = session.model_dump(mode="json", include=_OF_SESSION) | {"other_sources": sorted(session.other_sources)}
        about[_CHOICE] = self._choice_of(about)
        first = self._first_day if about[_CHOICE] else date.max
        wanted = {day: _render_part(about, messages) for day, messages in by_day.items() if day >= first}
        with _writing(self.folder):
            for folder in self._day_folders():
                if date.fromisoformat(folder.name) not in wanted:
                    (folder / _file_name(session.session_id)).unlink(missing_ok=True)
            for day, data in wanted.items():
                file = self.folder / day.isoformat() / _file_name(session.session_id)
                if not _has_data(file, data):
                    self.folder.mkdir(mode=0o700, exist_ok=True)
                    replace_private(file, data, lasting=True)

    def drop(self, session_id: str) -> None:
        """Keep nothing of a session any more.

        Raises:
            WriteFailed: the system refuses.
        """
        with _writing(self.folder):
            for folder in self._day_folders():
                (folder / _file_name(session_id)).unlink(missing_ok=True)

    def limit(self, session_ids: Iterable[str]) -> None:
        """Remove what is older than wanted, all that is of no such session, and beyond `most_bytes` the oldest days.

        Raises:
            WriteFailed: the system refuses.
        """
        wanted, size = {_file_name(name) for name in session_ids}, 0
        with _writing(self.folder):
            for folder in reversed(list(self._day_folders())):
                for file in folder.iterdir():
                    if file.name not in wanted:  # that of a process that was killed, too
                        file.unlink(missing_ok=True)
                    else:
                        size += file.stat().st_size
                if (
                    date.fromisoformat(folder.name) < self._first_day
                    or size > self.most_bytes
                    or not any(folder.iterdir())
                ):
                    shutil.rmtree(folder)
            if self.is_there and not any(self.folder.iterdir()):
                self.folder.rmdir()

    @property
    def _first_day(self) -> date:
        """The first day that is kept, as a whole."""
        return (self.clock.now() - self.duration).astimezone(UTC).date() if self.duration else date.max

    def _day_folders(self) -> Iterator[Path]:
        """The folders of days, the oldest first."""
        with suppress(FileNotFoundError, NotADirectoryError):
            yield from sorted(folder for folder in self.folder.iterdir() if _is_day(folder))


def kept_talk(workspace: Workspace, settings: Settings, clock: Clock) -> KeptTalk:
    """The kept conversations of a workspace, as its settings want them."""
    choices = {
        source.root_name: source.model_dump_json(include={"kind", "agents", "projects", "include", "exclude"})
        for source in settings.transcript_sources
        if source.search
    }
    wanted = settings.search.keep_said if settings.search.said else timedelta(0)
    return KeptTalk(workspace.state_folder / FOLDER, wanted, clock, choices)


def _is_day(folder: Path) -> bool:
    try:
        return date.fromisoformat(folder.name).isoformat() == folder.name and folder.is_dir()
    except ValueError:
        return False


def _file_name(session_id: str) -> str:
    return f"{blake2b(session_id.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}{_SUFFIX}"


def _render_part(about: Mapping[str, Any], messages: Iterable[Message]) -> bytes:
    """The lines of a part of a session, with the fields of messages that their JSON leaves out otherwise."""
    lines = [
        message.model_dump(mode="json")
        | {"session_path": message.session_path, "aliases": message.aliases, "project": message.project}
        for message in messages
    ]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (about, *lines))
    return text.encode("utf-8", "surrogatepass")


def _read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """The lines of a part of a session, of which the first is about it; none when it is not there, or no such part."""
    with suppress(OSError, ValueError), open(file, "rb", opener=open_regular) as stream:
        for place, line in enumerate(stream):
            fields = json.loads(line.decode("utf-8", "surrogatepass"))
            if not isinstance(fields, dict) or (not place and not isinstance(fields.get("session_id"), str)):
                return
            yield fields


def _has_data(file: Path, data: bytes) -> bool:
    with suppress(OSError):
        return file.read_bytes() == data
    return False


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
