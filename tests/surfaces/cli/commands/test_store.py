"""`memory store`: large texts are stored, listed, shown in parts, pinned, pruned, taken away and brought back."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.app.requester import Requester
from pipeline.clock import SystemClock
from pipeline.process.context import ProcessContext
from schemas.conversation import NewConversation
from tests.support.ports.clock import FixedClock
from tests.support.processes.command_line import Said
from tests.support.tables import table
from tests.support.workspaces.conversing import open_conversations

LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
TEXT = "\n".join(f"2026-02-02 10:00:00 INFO step {number} of the build" for number in range(1000)) + "\n"


@pytest.fixture
def stored(workspace: Path, call: Callable[..., Said]) -> tuple[Path, str]:
    """A workspace with a stored text, and its key."""
    said = call("store", "--description", "the build", "--json", "--workspace", workspace, answer=TEXT)
    return workspace, said.records[0]["key"]


def test_a_text_on_stdin_is_stored(workspace: Path, call: Callable[..., Said]) -> None:
    """Its placeholder is printed; a second time it is the same one."""
    words = ("store", "--type", "log", "--description", "the build", "--workspace", workspace)
    first, second = call(*words, answer=TEXT), call(*words, answer=TEXT)
    assert "[MemoryRef: log_the-build_" in first.out
    assert first.out == second.out
    (listed,) = call("store", "list", "--json", "--workspace", workspace).records
    assert ("log", 1000, len(TEXT)) == (listed["type"], listed["lines"], listed["size"])


def test_a_small_text_is_printed_as_it_is(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing is stored."""
    assert "small\n" == call("store", "--workspace", workspace, answer="small\n").out
    assert "Nothing is stored yet." in call("store", "list", "--workspace", workspace).out


@pytest.mark.parametrize("trouble", ["newer", "no workspace"])
def test_what_cannot_be_stored_is_printed(trouble: str, stored: tuple[Path, str], call: Callable[..., Said]) -> None:
    """As it came, with the sentence on stderr and its exit code: nothing of a pipe is lost."""
    workspace, _ = stored
    if trouble == "newer":
        with closing(sqlite3.connect(workspace / "store" / "memory.db", isolation_level=None)) as database:
            database.execute("UPDATE alembic_version SET version_num = '999'")
    said = call("store", "--workspace", workspace if trouble == "newer" else workspace / "nowhere", answer=TEXT)
    assert (True, TEXT, True) == (said.code != 0, said.out, said.err.startswith("memory: "))


@table(
    ("words", "expected"),
    [
        (("--lines", "3-4"), ["INFO step 2 of", "INFO step 3 of"]),
        (("--query", "step 777 "), ["777 of the build"]),
        (("--page", "2"), ["Go on with page=3."]),
        ((), ["the build: 1000 lines", "  size     1000 lines,"]),
    ],
)
def test_a_part_is_shown(
    stored: tuple[Path, str], call: Callable[..., Said], words: tuple[str, ...], expected: list[str]
) -> None:
    """Lines, what has some words, a page, or what is known of it."""
    workspace, key = stored
    said = call("store", "show", key, *words, "--workspace", workspace)
    assert (0, []) == (said.code, [part for part in expected if part not in said.out])
    assert call("store", "show", key, *words, "--json", "--workspace", workspace).records


@table(
    ("words", "sentence"),
    [
        (("show", "log_other_0123456789"), "There is no stored detail 'log_other_0123456789'."),
        (("show", "../../etc/passwd"), "There is no stored detail '../../etc/passwd'."),
        (("pin", "log_other_0123456789"), "There is no stored detail 'log_other_0123456789'."),
    ],
)
def test_an_unknown_key_has_a_sentence(
    stored: tuple[Path, str], call: Callable[..., Said], words: tuple[str, ...], sentence: str
) -> None:
    """And exit code 2."""
    said = call("store", *words, "--workspace", stored[0])
    assert (2, True) == (said.code, sentence in said.err)


def test_lines_are_printed_as_they_stand(stored: tuple[Path, str], call: Callable[..., Said]) -> None:
    """Without numbers, however long; other parts are shown, and not printed."""
    workspace, key = stored
    lines = TEXT.splitlines(keepends=True)
    for wanted, expected in (("2-3", lines[1:3]), ("999-", lines[998:]), ("2-900", lines[1:900])):
        said = call("store", "show", key, "--raw", "--lines", wanted, "--workspace", workspace)
        assert "".join(expected) == said.out
    assert 2 == call("store", "show", key, "--raw", "--query", "build", "--workspace", workspace).code
    assert "names no lines" in call("store", "show", key, "--raw", "--lines", "x", "--workspace", workspace).err


def test_a_placeholder_is_no_key(stored: tuple[Path, str], call: Callable[..., Said]) -> None:
    """It is called so, with the key that stands in it, and not expired."""
    workspace, key = stored
    said = call("store", "show", f"[MemoryRef: {key} - the build]", "--workspace", workspace)
    assert (2, f"memory: This is a placeholder, and not a key. Its key is '{key}': ask with that alone.") == (
        said.code,
        said.err.strip(),
    )


@pytest.mark.parametrize(
    ("called", "type_", "pinned"),
    [("command_output", "command", False), ("file_content", "log", False), ("user_preference", "text", True)],
)
def test_the_words_that_agents_have_for_types(
    called: str, type_: str, *, pinned: bool, workspace: Path, call: Callable[..., Said]
) -> None:
    """A file tells its form by itself, and what a user wants does not expire."""
    call("store", "--type", called, "--workspace", workspace, answer=TEXT)
    [kept] = call("store", "list", "--json", "--workspace", workspace).records
    assert (type_, pinned) == (kept["type"], kept["pinned"])


def test_a_key_that_is_unknown_is_named_beside_a_known_one(stored: tuple[Path, str], call: Callable[..., Said]) -> None:
    """The known one is pinned, and the exit code says that not all are."""
    workspace, key = stored
    said = call("store", "pin", "log_other_0123456789", key, "--workspace", workspace)
    assert (2, True, True) == (said.code, "1 text will not expire" in said.out, "'log_other_0123456789'" in said.err)


def test_what_expired_goes_unless_it_is_pinned(stored: tuple[Path, str], call: Callable[..., Said]) -> None:
    """A dry run changes nothing; afterwards a final sentence answers."""
    workspace, key = stored
    settings = workspace / "memory.toml"
    settings.write_text(f"{settings.read_text()}\n[store]\nretention = 0\n")
    expiring = call("store", "--json", "--workspace", workspace, answer=TEXT.replace("build", "tests")).records[0][
        "key"
    ]
    call("store", "pin", key, "--workspace", workspace)
    for words in (("--dry-run",), ()):
        (pruned,) = call("store", "prune", *words, "--json", "--workspace", workspace).records
        assert [expiring] == pruned["gone"]
    said = call("store", "show", expiring, "--workspace", workspace)
    assert (2, True) == (said.code, "has expired and is gone" in said.err)
    assert [key] == [
        one["key"] for one in call("store", "list", "--pinned", "--json", "--workspace", workspace).records
    ]
    some = call("store", "pin", "nokey", key, "log_other_0123456789", "--workspace", workspace)
    assert (2, "1 text will not expire.\n") == (some.code, some.out)
    assert ["'nokey'", "'log_other_0123456789'"] == [line.split()[6].rstrip(".") for line in some.err.splitlines()]
    assert "1 text may expire." in call("store", "unpin", key, "--workspace", workspace).out


def test_conversations_are_pruned_too(workspace: Path, call: Callable[..., Said]) -> None:
    """After their own retention, which nobody sets by accident to less than jobs need."""
    with open_conversations(workspace, ProcessContext({}, FixedClock(LONG_AGO))) as talks:
        talks.begin(Requester("bob", by_person=True), NewConversation(session_id="trip-1"))
    settings = {"MEMORY_STORE__CONVERSATION_RETENTION": "P7D"}
    would = call("store", "prune", "--dry-run", "--workspace", workspace, **settings)
    assert "1 conversation would go, with 0 texts.\n" in would.out
    (pruned,) = call("store", "prune", "--json", "--workspace", workspace, **settings).records
    assert (["trip-1"], []) == (pruned["conversations"], pruned["unread"])
    refused = call("store", "prune", "--workspace", workspace, MEMORY_STORE__CONVERSATION_RETENTION="P1D")
    assert (2, True) == (refused.code, "write P7D or more" in refused.err)


def test_an_export_comes_back_byte_by_byte(stored: tuple[Path, str], call: Callable[..., Said], tmp_path: Path) -> None:
    """Into another workspace, once; not for an agent, as an export may say what a person said."""
    workspace, key = stored
    other = tmp_path / "other"
    other.mkdir()
    (other / "memory.toml").write_text('timezone = "UTC"\n')
    (exported,) = call("store", "export", tmp_path / "out", "--json", "--workspace", workspace).records
    refused = call("store", "import", tmp_path / "out", "--workspace", other, CLAUDECODE="1")
    assert (True, True) == (bool(refused.code), "CLAUDECODE" in refused.err)
    none = {"conversations": [], "present_conversations": [], "preferences": 0}
    for expected in ({"added": [key], "present": []}, {"added": [], "present": [key]}):
        assert [expected | none] == call("store", "import", tmp_path / "out", "--json", "--workspace", other).records
    assert TEXT == call("store", "show", key, "--raw", "--workspace", other).out
    assert [key] == exported["keys"]
    assert 1 == call("store", "export", tmp_path / "out", "--workspace", workspace).code


def test_a_text_for_all_sessions_does_not_expire(workspace: Path, call: Callable[..., Said]) -> None:
    """Others do after `store.retention`, which is 30 days."""
    call("store", "--global", "--workspace", workspace, answer=TEXT)
    call("store", "--workspace", workspace, answer=f"{TEXT}more\n")
    first, second = call("store", "list", "--json", "--workspace", workspace).records
    assert second["expires_at"] is None
    assert first["expires_at"] > (SystemClock().now() + timedelta(days=29)).isoformat()
