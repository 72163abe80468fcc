"""Sessions in OpenClaw's store: which there are, how they are kept, and how they change while they are read."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.sources import openclaw
from pipeline.adapters.sources.reading.records import LONGEST_LINE
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.builders.openclaw_store import NAME, OpenClawStoreFile
from tests.support.ports.source_contract import ASSISTANT, OWNER, SourceContract
from tests.support.sources import opened_source

STORE = f"agents/main/agent/{NAME}"


source = partial(opened_source, openclaw)


def chat(session_id: str, *texts: str) -> OpenClawLines:
    """A session in which the owner says something, and is answered."""
    lines = OpenClawLines(session_id)
    for text in texts:
        lines.user(text)
        lines.assistant(f"Noted: {text}")
    return lines


def sessions(root: Path) -> list[Session]:
    """All sessions below `root`."""
    opened = source(root)
    return [session for file in opened.files() for session in opened.read(file.path)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[OpenClawStoreFile]:
    """An agent's store that it has open."""
    made = OpenClawStoreFile(tmp_path / "agents/main")
    with closing(made.agent):
        yield made


class TestOpenClawStore(SourceContract):
    """The contract, over a store and files of the same agent."""

    def source(self, root: Path) -> TranscriptSource:
        """A session in the store, one that was compressed, and one in a file."""
        made = OpenClawStoreFile(root / "agents/main")
        with closing(made.agent):
            made.put(chat("one", "żółć \ud83d 好"))
            lines = OpenClawLines("two")
            lines.user(f"[Telegram Tom (@tom) id:411 2026-02-02 09:00 UTC] {OWNER}\n[message_id: 7]")
            lines.assistant(ASSISTANT)
            made.compress(made.put(lines))
        chat("three", "hello").write(root / "agents/main/sessions/three.jsonl")
        return source(root)


def test_a_session_is_named_by_its_store_and_id(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """The number of a message is the place of its row, from 1; the agent is that of the folder."""
    store.put(chat("s-one", "We keep one queue."))
    (session,) = sessions(tmp_path)
    assert ("s-one", f"{STORE}/s-one", "main", "/home/tom/shop") == (
        session.session_id,
        session.path,
        session.agent,
        session.project,
    )
    assert [(2, "owner"), (3, "assistant")] == [(message.number, message.origin) for message in session.messages]
    assert (False, False, None) == (session.machine, session.archived, session.parent)


@pytest.mark.parametrize(
    "language", ["We keep one queue.", "Zostajemy przy jednej kolejce: żółć.", "我们只用一个队列。"]
)
@pytest.mark.parametrize("kept", ["rows", "compressed", "sqlite", "file"])
def test_a_session_reads_the_same_however_it_is_kept(
    tmp_path: Path, store: OpenClawStoreFile, kept: str, language: str
) -> None:
    """As rows, as compressed rows, or as one text in the store or beside it."""
    session_id = store.put(chat("s-one", language))
    (before,) = sessions(tmp_path)
    if kept == "compressed":
        store.compress(session_id)
    elif kept != "rows":
        store.set_aside(session_id, kept)
    (after,) = sessions(tmp_path)
    assert before == after
    assert said(after)[0] == ("owner", language)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("published", [True, False])
def test_a_deleted_session_is_read_from_its_archive(
    tmp_path: Path, store: OpenClawStoreFile, *, packed: bool, published: bool
) -> None:
    """From the file when it is there, else from the store, and once."""
    name = store.delete(store.put(chat("s-one", "We keep one queue.")), published=published, packed=packed)
    (session,) = sessions(tmp_path)
    assert (f"agents/main/sessions/{name}" if published else f"{STORE}/{name}") == session.path
    assert (session.session_id, session.archived, session.machine) == ("s-one", True, False)
    assert said(session)[0] == ("owner", "We keep one queue.")


def test_a_deleted_session_of_a_scheduler_is_a_machines(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """The archive keeps the key, in the store and for the file beside it."""
    store.delete(store.put(chat("s-one", "Write eight lines."), key="agent:main:cron:4c1f"), published=True)
    store.delete(store.put(chat("s-two", "Write nine lines."), key="agent:main:cron:4c1f"))
    assert [True, True] == [session.machine for session in sessions(tmp_path)]


def test_every_change_shows_in_the_listing(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """A record that was added, one that was rewritten, and a session that a machine took over."""
    opened, seen = source(tmp_path), set[object]()
    steps = [("one", {}), ("one", {}), ("two", {}), ("two", {"plugin_owner_id": "p"})]
    for text, window in steps:
        store.put(chat("s-one", text), **window)
        seen.update(opened.files())
    assert len(seen) == len(steps)


def test_a_long_record_keeps_its_number(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """As a long line of a file does."""
    lines = chat("s-one", "before")
    lines.user("x" * LONGEST_LINE)
    lines.user("after")
    store.put(lines)
    (session,) = sessions(tmp_path)
    assert [2, 3, 5] == [message.number for message in session.messages]
    assert session.skipped["line_too_long"] == 1


def test_damaged_rows_are_counted(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """A text that does not parse, one that does not unpack, one that is not there, and one at no place of a record."""
    session_id = store.put(chat("s-one", "hello", "again", "more"))
    for seq, columns in (
        (2, "event_json = '{'"),
        (3, "event_json = NULL, event_zstd = x'00'"),
        (4, "event_json = NULL"),
        (5, "seq = 9223372036854775807"),
        (6, "seq = 2147483647"),
    ):
        store.agent.execute(f"UPDATE transcript_events SET {columns} WHERE seq = {seq}")  # noqa: S608 - the test's own
    (session,) = sessions(tmp_path)
    assert ([("owner", "hello")], 5) == (said(session), session.skipped["bad_line"])
    assert session_id == session.session_id


def test_a_lost_cold_text_is_trouble_of_its_session(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """The other sessions of the store are read."""
    store.set_aside(store.put(chat("s-one", "hello")), "file")
    store.put(chat("s-two", "hello"))
    for file in (tmp_path / "agents/main/sessions/cold").iterdir():
        file.unlink()
    opened = source(tmp_path)
    with pytest.raises(ReadFailed, match="s-one"):
        opened.read(f"{STORE}/s-one")
    assert opened.read(f"{STORE}/s-two")


def test_a_session_without_a_header_is_read(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """Some versions began a session after a reset without one."""
    store.put(chat("s-one", "hello"))
    store.agent.execute("DELETE FROM transcript_events WHERE seq = 0")
    (session,) = sessions(tmp_path)
    assert ("s-one", ("owner", "hello")) == (session.session_id, said(session)[0])


def test_a_store_of_the_first_version_is_read(tmp_path: Path) -> None:
    """It had two tables, and no compressed rows."""
    store = OpenClawStoreFile(tmp_path / "agents/main")
    with closing(store.agent):
        store.put(chat("s-one", "hello"))
        for table in ("session_nodes", "session_transcript_archives", "session_transcript_cold_archives"):
            store.agent.execute(f"DROP TABLE {table}")
        store.agent.execute("ALTER TABLE transcript_events DROP COLUMN event_zstd")
        assert said(sessions(tmp_path)[0])[0] == ("owner", "hello")


VALUES = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=9) | st.binary(max_size=9)
COLUMNS = {
    "session_windows": ["session_id", "session_key", "updated_at", "transcript_updated_at", "chat_type", "spawned_by"],
    "session_nodes": ["entry_json", "created_via"],
    "transcript_events": ["session_id", "seq", "event_json", "event_zstd"],
    "session_transcript_archives": ["session_id", "session_key", "encoding", "archive_blob", "archive_name"],
    "session_transcript_cold_archives": [
        "session_id",
        "archive_name",
        "event_count",
        "last_seq",
        "storage",
        "archive_blob",
    ],
}


@pytest.fixture(scope="module")
def loose(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that takes any value in any column, and has something in each table."""
    root = tmp_path_factory.mktemp("loose")
    made = OpenClawStoreFile(root / "agents/main", strict=False)
    with closing(made.agent):
        made.put(chat("s-one", "hello"))
        made.compress(made.put(chat("s-two", "hello")))
        made.set_aside(made.put(chat("s-three", "hello")), "sqlite")
        made.delete(made.put(chat("s-four", "hello")))
        made.node("agent:main:main", {"spawnDepth": 0})
    return root


@given(data=st.data())
def test_any_value_in_any_column_is_lived_with(loose: Path, data: st.DataObject) -> None:
    """A session reads, is none, or is trouble of its own."""
    table = data.draw(st.sampled_from(sorted(COLUMNS)))
    column, value = data.draw(st.sampled_from(COLUMNS[table])), data.draw(VALUES)
    with TemporaryDirectory() as folder:
        root = Path(shutil.copytree(loose, folder, dirs_exist_ok=True))
        with closing(sqlite3.connect(root / STORE, isolation_level=None)) as agent:
            agent.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - the test's own
        opened = source(root)
        for file in opened.files():
            with contextlib.suppress(ReadFailed):
                for session in opened.read(file.path):
                    session.model_dump_json().encode("utf-8")


WRITER = """
import json, sqlite3, sys
agent = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
(first,) = agent.execute("SELECT event_json FROM transcript_events WHERE seq = 1").fetchone()
last = "first"
for number in range(2, 100):
    sys.stdin.readline()
    record = json.loads(first) | {"id": f"n{number}", "parentId": last}
    last = record["id"]
    row = ("s-one", number, json.dumps(record))
    agent.execute("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, 0)", row)
    print(number, flush=True)
"""


def test_a_store_is_read_while_the_agent_writes(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """Another process appends: each reading has whole records, and no fewer than the one before."""
    lines = OpenClawLines("s-one")
    lines.add(
        {"id": "first", "parentId": None, "type": "message", "message": {"role": "user", "content": "same words"}}
    )
    store.put(lines)
    opened, counts = source(tmp_path), list[int]()
    program = [sys.executable, "-c", WRITER, str(store.file)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        for _ in range(2, 100):
            agent.stdin.write("on\n")
            (session,) = opened.read(next(iter(opened.files())).path)
            assert {"same words"} == {message.text for message in session.messages}
            counts.append(len(session.messages))
            agent.stdout.readline()
    assert agent.returncode == 0
    assert sorted(counts) == counts
    assert 1 < counts[-1] <= 99


def test_the_time_of_a_change_is_the_later_of_two(tmp_path: Path, store: OpenClawStoreFile) -> None:
    """A session has a time of its own and one of its records; both are of a day that people live in."""
    lines = OpenClawLines("s-1")
    lines.user("hello")
    session, records = 1_795_837_000_000, 1_795_837_127_661
    store.put(lines, updated_at=session, transcript_updated_at=records)
    (listed,) = source(tmp_path).files()
    assert records == listed.mtime_ns // 1_000_000
    store.put(lines, updated_at=session + 1, transcript_updated_at=records)
    assert listed.mtime_ns != next(iter(source(tmp_path).files())).mtime_ns
