"""`memory transcripts`."""

from collections.abc import Callable
from pathlib import Path

from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said


def test_lists_sessions(workspace: Path, call: Callable[..., Said]) -> None:
    """Each session with its source, its times and its file."""
    (record,) = call("transcripts", "--json", "--workspace", workspace).records
    assert (record["id"], record["source"], record["path"]) == ("s-one", "openclaw", "s-one.jsonl")
    assert (record["first"], record["last"]) == ("2026-02-02T09:02:00+00:00", "2026-02-02T09:06:00+00:00")
    assert "s-one" in call("transcripts", "--workspace", workspace).out


def test_shows_the_conversation(workspace: Path, call: Callable[..., Said]) -> None:
    """Only what the owner and the assistant said, in order; numbers count every record."""
    records = call("transcripts", "show", "s-one", "--json", "--workspace", workspace).records
    assert set(records[0]) == {"number", "entry_ids", "role", "origin", "time", "text"}
    assert [(record["number"], record["origin"]) for record in records] == [
        (2, "owner"),
        (3, "assistant"),
        (4, "owner"),
        (6, "owner"),
    ]
    assert records[1]["entry_ids"] == ["e0000003"]


def test_all_shows_the_rest_too(workspace: Path, call: Callable[..., Said]) -> None:
    """With --all the messages of tools and machines are listed, without their text."""
    records = call("transcripts", "show", "s-one", "--all", "--json", "--workspace", workspace).records
    assert [
        (record["number"], record["origin"], record["text"]) for record in records if record["origin"] == "tool"
    ] == [(5, "tool", "")]
    output = call("transcripts", "show", "s-one", "--all", "--workspace", workspace).out
    assert " tool\n  (left out: only conversation has its text here)\n" in output


def test_secrets_are_masked(workspace: Path, call: Callable[..., Said]) -> None:
    """A secret in a transcript is not shown."""
    file = workspace / "sessions" / "s-one.jsonl"
    file.write_text(file.read_text().replace("why is the sky blue?", "my key is AKIAIOSFODNN7EXAMPLE"))
    said = call("transcripts", "show", "s-one", "--workspace", workspace)
    assert "AKIAIOSFODNN7EXAMPLE" not in said.out
    assert "my key is" in said.out


def test_a_terminal_is_not_steered(workspace: Path, call: Callable[..., Said]) -> None:
    """Escape characters in what was said do not reach the terminal."""
    file = workspace / "sessions" / "s-one.jsonl"
    file.write_text(file.read_text().replace("why is the sky blue?", "red \\u001b[31mtext"))
    assert "\x1b" not in call("transcripts", "show", "s-one", "--workspace", workspace).out


def test_a_session_is_located_by_its_file(workspace: Path, call: Callable[..., Said]) -> None:
    """The file's name without its ending names the session too."""
    (workspace / "sessions" / "s-one.jsonl").rename(
        workspace / "sessions" / "other.jsonl.reset.2026-02-03T00-00-00.000Z"
    )
    assert len(call("transcripts", "show", "other", "--json", "--workspace", workspace).records) == 4


def test_an_unknown_session_is_2(workspace: Path, call: Callable[..., Said]) -> None:
    """A wrong id is told with known ones; where there is none, with where to look."""
    said = call("transcripts", "show", "s-own", "--workspace", workspace)
    assert (said.code, said.err) == (2, "memory: There is no session 's-own'. Known: s-one.\n")
    (workspace / "sessions" / "s-one.jsonl").unlink()
    said = call("transcripts", "show", "s-one", "--workspace", workspace)
    expected = "memory: There is no session 's-one'. `memory transcripts` lists the sessions.\n"
    assert (said.code, said.err) == (2, expected)


def test_the_beginning_of_an_id_will_do(workspace: Path, call: Callable[..., Said]) -> None:
    """Of a session or of its file, when no other begins so; else those that do are listed, each with its file."""
    lines = OpenClawLines("t-one")
    lines.user("hello")
    lines.write(workspace / "sessions" / "by-its-file.jsonl")
    for name, number in (("s-", 4), ("t-", 1), ("by-", 1), ("by-its-file", 1)):
        assert number == len(call("transcripts", "show", name, "--json", "--workspace", workspace).records)
    lines = OpenClawLines("s-other")
    lines.user("hello")
    lines.write(workspace / "sessions" / "s-other.jsonl")
    said = call("transcripts", "show", "s-o", "--workspace", workspace)
    assert (2, True) == (said.code, "More than one session begins with 's-o'; name one of them:\n" in said.err)
    assert "\n  s-one  2026-02-02 09:02, s-one.jsonl\n" in said.err
    assert 4 == len(call("transcripts", "show", "s-one", "--json", "--workspace", workspace).records)


def test_no_sessions_is_a_sentence(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing to read is said."""
    (workspace / "sessions" / "s-one.jsonl").unlink()
    assert call("transcripts", "--workspace", workspace).out.startswith("No session was found.")


def test_everything_said_can_be_printed(workspace: Path, memory: CommandLine) -> None:
    """Half a surrogate pair in a transcript, and a locale without our letters, are no bug."""
    file = workspace / "sessions" / "s-one.jsonl"
    file.write_text(file.read_text().replace("why is the sky blue?", "\\ud83d 决定 \\ud83d\\ude00?"))
    days = ("--from", "2026-02-02", "--to", "2026-02-02")
    assert memory("backfill", "micro_sync", *days, "--workspace", workspace).code == 0
    show = ("transcripts", "show", "s-one", "--workspace", workspace)
    for locale in ("C.UTF-8", "POSIX"):
        said = memory(*show, "--json", LC_ALL=locale, PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
        assert (said.code, said.err) == (0, "")
        assert said.records[-1]["text"].endswith("决定 \U0001f600?")
        assert memory(*show, LC_ALL=locale).code == 0
