"""The contract of every transcript source: inherit one in a test class, and define how its sessions are made."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Origin, Session

OWNER = "we keep one queue"
ASSISTANT = "Then one queue it is."


class SourceContract(ABC):
    """Any source. Its sessions have a message `OWNER` of the owner and the answer `ASSISTANT` of the assistant."""

    @abstractmethod
    def source(self, root: Path) -> TranscriptSource:
        """A source with at least two sessions; `root` is an empty folder that it may use."""

    def sessions(self, root: Path) -> list[Session]:
        """All sessions of a new source."""
        source = self.source(root)
        return [session for file in source.files() for session in source.read(file.path)]

    def test_files_stand_in_the_order_of_their_paths(self, tmp_path: Path) -> None:
        """A listing is sorted, and has no path twice."""
        paths = [file.path for file in self.source(tmp_path).files()]
        assert sorted(set(paths)) == paths
        assert len(paths) > 1

    def test_reading_is_pure(self, tmp_path: Path) -> None:
        """The same file gives the same session, however often and in whatever order it is read."""
        source = self.source(tmp_path)
        paths = [file.path for file in source.files()]
        first = [source.read(path) for path in paths]
        again = [source.read(path) for path in reversed(paths)]
        assert first == again[::-1]

    def test_sessions_name_their_source_and_path(self, tmp_path: Path) -> None:
        """An entry can lead back to the file its words stand in; a file has each id once."""
        source = self.source(tmp_path)
        for file in source.files():
            sessions = source.read(file.path)
            assert len({session.session_id for session in sessions}) == len(sessions) > 0
            assert {f"{source.name}:{file.path}"} == {session.session_path for session in sessions}

    def test_numbers_increase(self, tmp_path: Path) -> None:
        """Messages stand in the order of their numbers, from 1, and no number twice."""
        for session in self.sessions(tmp_path):
            numbers = [message.number for message in session.messages]
            assert sorted(set(numbers)) == numbers
            assert min(numbers) >= 1

    def test_entry_ids_are_unique(self, tmp_path: Path) -> None:
        """An entry id names one message of its session."""
        for session in self.sessions(tmp_path):
            ids = [entry_id for message in session.messages for entry_id in message.entry_ids]
            assert sorted(set(ids)) == sorted(ids)

    def test_times_are_in_utc(self, tmp_path: Path) -> None:
        """Every time is aware, and in UTC."""
        offsets = {message.time.utcoffset() for session in self.sessions(tmp_path) for message in session.messages}
        assert {timedelta(0)} == offsets

    def test_every_text_can_be_written(self, tmp_path: Path) -> None:
        """Every text can be encoded as UTF-8."""
        for session in self.sessions(tmp_path):
            session.model_dump_json().encode("utf-8")

    def test_tells_owner_and_assistant_apart(self, tmp_path: Path) -> None:
        """The owner's and the assistant's words keep their origins."""
        said = {
            (message.origin, message.text) for session in self.sessions(tmp_path) for message in session.conversation
        }
        assert {(Origin.OWNER, OWNER), (Origin.ASSISTANT, ASSISTANT)} <= said

    def test_a_missing_file_raises(self, tmp_path: Path) -> None:
        """A file that is gone is an error with a sentence, not an empty session."""
        with pytest.raises(ReadFailed, match=r"gone\.jsonl"):
            self.source(tmp_path).read("gone.jsonl")


class FileSourceContract(SourceContract):
    """A source over a folder of files with one JSON object a line."""

    FOREIGN: ClassVar[dict[str, bytes]] = {
        "empty": b"",
        "bytes": b"\x00\xff\xfe\n\x80",
        "prose": b"# notes\n\n- one\n",
        "messages": b'{"role": "user", "content": "hello"}\n',
        "agent": b'{"timestamp": "2026-02-02T09:00:00Z", "type": "session_meta", "payload": {"id": "5f"}}\n',
    }
    REPEATABLE: ClassVar[int] = 0
    """How many messages of `lines` have neither an id nor a time, so that the same again is another one."""

    @abstractmethod
    def open(self, root: Path) -> TranscriptSource:
        """The source over a folder."""

    @abstractmethod
    def lines(self, session_id: str) -> Sequence[bytes]:
        """The lines of a session, each with its end. The first identifies the format; several have messages."""

    def file_name(self, session_id: str) -> str:
        """The name of a session's file."""
        return f"{session_id}.jsonl"

    def source(self, root: Path) -> TranscriptSource:
        """Two sessions, one of them in a folder below."""
        (root / "below").mkdir()
        (root / "below" / self.file_name("second")).write_bytes(b"".join(self.lines("second")))
        (root / self.file_name("first")).write_bytes(b"".join(self.lines("first")))
        return self.open(root)

    def read(self, root: Path, content: bytes) -> Session | None:
        """The sessions of one file with this content."""
        name = self.file_name("one")
        (root / name).write_bytes(content)
        return next(iter(self.open(root).read(name)), None)

    @pytest.mark.parametrize("kind", FOREIGN)
    def test_passes_over_the_files_of_others(self, tmp_path: Path, kind: str) -> None:
        """A file that is no session of this format gives none, in silence."""
        assert self.read(tmp_path, self.FOREIGN[kind]) is None

    def test_a_growing_file_keeps_its_numbers(self, tmp_path: Path) -> None:
        """The messages of a shorter file are unchanged in the longer one."""
        lines = self.lines("grows")
        whole = self.read(tmp_path, b"".join(lines))
        assert whole is not None
        for length in range(1, len(lines)):
            shorter = self.read(tmp_path, b"".join(lines[:length]))
            assert shorter is not None
            places = {message.number: (message.entry_ids[0], message.time) for message in whole.messages}
            for message in shorter.messages:
                assert places[message.number] == (message.entry_ids[0], message.time)

    def test_a_cut_last_line_waits(self, tmp_path: Path) -> None:
        """A line that is still being written changes nothing until it is whole."""
        lines = self.lines("cut")
        before = self.read(tmp_path, b"".join(lines[:-1]))
        assert before is not None
        for length in range(1, len(lines[-1]) - 1):
            cut = self.read(tmp_path, b"".join(lines[:-1]) + lines[-1][:length])
            assert cut is not None
            assert before.messages == cut.messages
            assert cut.skipped.get("live_tail") == 1

    def test_a_last_line_without_its_end_counts_when_it_is_whole(self, tmp_path: Path) -> None:
        """The line end is not part of the record."""
        content = b"".join(self.lines("whole"))
        assert self.read(tmp_path, content) == self.read(tmp_path, content.rstrip(b"\n"))

    def test_a_bad_line_is_counted_and_keeps_its_number(self, tmp_path: Path) -> None:
        """Messages after a line that does not parse have the number of their own line."""
        lines = self.lines("bad")
        whole = self.read(tmp_path, b"".join(lines))
        broken = self.read(tmp_path, lines[0] + b'{"type": \n' + b"".join(lines[1:]))
        assert whole is not None
        assert broken is not None
        assert broken.skipped.get("bad_line") == 1
        assert [message.number + (message.number > 1) for message in whole.messages] == [
            message.number for message in broken.messages
        ]

    def test_repeated_lines_count_once(self, tmp_path: Path) -> None:
        """The same records twice in one file are the same messages, unless they may be alike by chance."""
        lines = self.lines("twice")
        once = self.read(tmp_path, b"".join(lines))
        twice = self.read(tmp_path, b"".join(lines) * 2)
        assert once is not None
        assert twice is not None
        assert once.messages == twice.messages[: len(once.messages)]
        assert len(twice.messages) - len(once.messages) == self.REPEATABLE

    def test_stays_inside_its_folder(self, tmp_path: Path) -> None:
        """A path that an entry names cannot lead out of the source."""
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "outside.jsonl").write_bytes(b"".join(self.lines("outside")))
        with pytest.raises(ReadFailed, match="not inside"):
            self.open(root).read("../outside.jsonl")

    def test_a_missing_folder_raises(self, tmp_path: Path) -> None:
        """A root that is not mounted has not lost its files: that it cannot be listed is an error of its own."""
        with pytest.raises(ReadFailed, match="nowhere"):
            list(self.open(tmp_path / "nowhere").files())
