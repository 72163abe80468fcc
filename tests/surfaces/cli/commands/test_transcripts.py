"""`memory show transcripts`."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said


def test_lists_sessions(workspace: Path, call: Callable[..., Said]) -> None:
    """Each session with its source, its times and its file."""
    (record,) = call("show", "transcripts", "--json", "--workspace", workspace).records
    assert (record["id"], record["source"], record["path"]) == ("s-one", "openclaw", "s-one.jsonl")
    assert (record["first"], record["last"]) == ("2026-02-02T09:02:00+00:00", "2026-02-02T09:06:00+00:00")
    assert "s-one" in call("show", "transcripts", "--workspace", workspace).out


def test_a_program_gets_one_object_a_session(workspace: Path, call: Callable[..., Said]) -> None:
    """With the owner's and the machines' messages counted, and the owner's first words."""
    (record,) = call("show", "transcripts", "--json", "--workspace", workspace).records
    assert {
        "id": "s-one",
        "source": "openclaw",
        "agent": "",
        "path": "s-one.jsonl",
        "first": "2026-02-02T09:02:00+00:00",
        "last": "2026-02-02T09:06:00+00:00",
        "owner_messages": 3,
        "machine_messages": 0,
        "title": "from now on give every migration a downgrade that was actually run",
        "project": "~/shop",
        "short": "s-one",
    } == record


def test_a_session_in_two_files_is_one(workspace: Path, call: Callable[..., Said]) -> None:
    """Its messages count once, it is named by the file that is still written, and its title is the oldest."""
    whole = OpenClawLines("s-two")
    for words in ("the first words", "and more", "and the end"):
        whole.user(words)
    header, first, second, third = whole.lines
    whole.lines = [header, first, second]
    whole.write(workspace / "sessions" / "s-two.jsonl.reset.2026-02-02T16-37-44.079Z")
    whole.lines = [header, second, third]
    whole.write(workspace / "sessions" / "s-two.jsonl")
    _, both = call("show", "transcripts", "--json", "--workspace", workspace).records
    assert ("s-two", "s-two.jsonl") == (both["id"], both["path"])
    assert (3, "the first words") == (both["owner_messages"], both["title"])


def test_ids_are_short_as_far_as_they_differ(workspace: Path, call: Callable[..., Said]) -> None:
    """Long ids are shown as far as nothing else begins so, and the names of agents are cut."""
    ids = ("019a4c1e-77f0-7c2e-b9a0-11d5b6f3a001", "019a4c1e-77f1-7c2e-b9a0-11d5b6f3a002")
    for session_id, words in zip(ids, ("tell me of the boat " * 20, "每次迁移都要有真正运行过的降级" * 9), strict=True):
        lines = OpenClawLines(session_id)
        lines.user(words)
        lines.write(workspace / "sessions" / "agents" / "a-reviewer-of-many-words" / "sessions" / f"{session_id}.jsonl")
    head, *rows = call("show", "transcripts", "--workspace", workspace).out.splitlines()
    assert ["SESSION", "AGENT", "FIRST", "OWNER", "MACHINE", "FIRST", "WORDS"] == head.split()
    assert {"s-one", "019a4c1e-77f0", "019a4c1e-77f1"} == {row.split()[0] for row in rows}
    assert 2 == sum("openclaw/a-reviewer…  " in row for row in rows)
    assert 1 == len(call("show", "transcript", "019a4c1e-77f1", "--json", "--workspace", workspace).records)


def test_why_tells_what_is_not_read(workspace: Path, call: Callable[..., Said]) -> None:
    """Sessions that a setting leaves out, those of machines alone, empty ones, and files without a session."""
    folder = workspace / "sessions"
    with (workspace / "memory.toml").open("a") as file:
        file.write('exclude = [{ first_words = "[cron" }]\n')
    for name, words in (("s-cron", "[cron] tidy up"), ("s-boat", "where is the boat?")):
        lines = OpenClawLines(name)
        lines.user(words)
        lines.write(folder / f"{name}.jsonl")
    alone = OpenClawLines("s-alone")
    alone.assistant("Nobody asked.")
    alone.write(folder / "s-alone.jsonl")
    OpenClawLines("s-empty").write(folder / "s-empty.jsonl")
    (folder / "notes.jsonl").write_text('{"note": "no session at all"}\n')
    listed = call("show", "transcripts", "--json", "--workspace", workspace).records
    assert ["s-alone", "s-boat", "s-one"] == sorted(record["id"] for record in listed)
    records = call("show", "transcripts", "--why", "--json", "--workspace", workspace).records
    assert {
        "s-boat.jsonl": "",
        "s-one.jsonl": "",
        "s-cron.jsonl": 'a rule of `exclude` fits: first_words = "[cron"',
        "s-alone.jsonl": "machine",
        "s-empty.jsonl": "no messages",
        "notes.jsonl": "no session",
    } == {record["path"]: record["left_out"] for record in records}
    shown = call("show", "transcripts", "--why", "--workspace", workspace).out
    read, passed = shown.split("\nNot read:\n")
    assert ("s-one" in read, "s-cron" in read, "a rule of `exclude` fits" in passed) == (True, False, True)
    assert "no session: notes.jsonl" in passed


def test_a_session_in_two_files_is_left_out_once(workspace: Path, call: Callable[..., Said]) -> None:
    """Each session stands once among those that are not read."""
    with (workspace / "memory.toml").open("a") as file:
        file.write('exclude = [{ session = "s-one" }]\n')
    shutil.copy(workspace / "sessions/s-one.jsonl", workspace / "sessions/s-one.jsonl.reset.2026-02-02T16-37-44.079Z")
    (record,) = call("show", "transcripts", "--why", "--json", "--workspace", workspace).records
    assert ("s-one", True) == (record["id"], "exclude" in record["left_out"])


def test_a_machine_is_not_counted_as_the_owner(workspace: Path, call: Callable[..., Said]) -> None:
    """What stands in the owner's place in a session of a sub-agent is a machine's, and no title."""
    lines = OpenClawLines("s-sub")
    lines.user("Decision: compare three tents.")
    lines.assistant("The blue one.")
    lines.write(workspace / "sessions" / "s-sub.jsonl")
    index = {"agent:main:subagent:1f": {"sessionId": "s-sub"}}
    (workspace / "sessions" / "sessions.json").write_text(json.dumps(index))
    whole = OpenClawLines("s-sub")
    whole.user("Decision: compare three tents.")
    for number in range(2):
        listed = call("show", "transcripts", "--json", "--workspace", workspace).records
        (record,) = (record for record in listed if record["id"] == "s-sub")
        assert (0, 1, "") == (record["owner_messages"], record["machine_messages"], record["title"]), number
        whole.write(workspace / "sessions" / "s-sub.jsonl.reset.2026-02-02T16-37-44.079Z")


def test_shows_the_conversation(workspace: Path, call: Callable[..., Said]) -> None:
    """Only what the owner and the assistant said, in order; numbers count every record."""
    records = call("show", "transcript", "s-one", "--json", "--workspace", workspace).records
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
    records = call("show", "transcript", "s-one", "--all", "--json", "--workspace", workspace).records
    assert [
        (record["number"], record["origin"], record["text"]) for record in records if record["origin"] == "tool"
    ] == [(5, "tool", "")]
    output = call("show", "transcript", "s-one", "--all", "--workspace", workspace).out
    assert " tool\n  (left out: only conversation has its text here)\n" in output


def test_secrets_are_masked(workspace: Path, call: Callable[..., Said]) -> None:
    """A secret in a transcript is not shown."""
    file = workspace / "sessions" / "s-one.jsonl"
    file.write_text(file.read_text().replace("why is the sky blue?", "my key is AKIAIOSFODNN7EXAMPLE"))
    said = call("show", "transcript", "s-one", "--workspace", workspace)
    assert "AKIAIOSFODNN7EXAMPLE" not in said.out
    assert "my key is" in said.out


def test_a_terminal_is_not_steered(workspace: Path, call: Callable[..., Said]) -> None:
    """Escape characters in what was said do not reach the terminal."""
    file = workspace / "sessions" / "s-one.jsonl"
    file.write_text(file.read_text().replace("why is the sky blue?", "red \\u001b[31mtext"))
    assert "\x1b" not in call("show", "transcript", "s-one", "--workspace", workspace).out


def test_a_session_is_located_by_its_file(workspace: Path, call: Callable[..., Said]) -> None:
    """The file's name without its ending names the session too."""
    (workspace / "sessions" / "s-one.jsonl").rename(
        workspace / "sessions" / "other.jsonl.reset.2026-02-03T00-00-00.000Z"
    )
    assert len(call("show", "transcript", "other", "--json", "--workspace", workspace).records) == 4


def test_an_unknown_session_is_2(workspace: Path, call: Callable[..., Said]) -> None:
    """A wrong id is told with known ones; where there is none, with where to look."""
    said = call("show", "transcript", "s-own", "--workspace", workspace)
    assert (said.code, said.err) == (
        2,
        "memory: There is no session 's-own'. Some are: s-one. `memory show transcripts` lists the sessions.\n",
    )
    (workspace / "sessions" / "s-one.jsonl").unlink()
    said = call("show", "transcript", "s-one", "--workspace", workspace)
    expected = "memory: There is no session 's-one'. `memory show transcripts` lists the sessions.\n"
    assert (said.code, said.err) == (2, expected)


def test_the_beginning_of_an_id_will_do(workspace: Path, call: Callable[..., Said]) -> None:
    """Of a session or of its file, when no other begins so; else those that do are listed, each with its file."""
    lines = OpenClawLines("t-one")
    lines.user("hello")
    lines.write(workspace / "sessions" / "by-its-file.jsonl")
    for name, number in (("s-", 4), ("t-", 1), ("by-", 1), ("by-its-file", 1)):
        assert number == len(call("show", "transcript", name, "--json", "--workspace", workspace).records)
    lines = OpenClawLines("s-other")
    lines.user("hello")
    lines.write(workspace / "sessions" / "s-other.jsonl")
    said = call("show", "transcript", "s-o", "--workspace", workspace)
    assert (2, True) == (said.code, "More than one session begins with 's-o'; name one of them:\n" in said.err)
    assert "\n  s-one  2026-02-02 09:02, s-one.jsonl\n" in said.err
    assert 4 == len(call("show", "transcript", "s-one", "--json", "--workspace", workspace).records)


def test_no_sessions_is_a_sentence(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing to read is said."""
    (workspace / "sessions" / "s-one.jsonl").unlink()
    assert call("show", "transcripts", "--workspace", workspace).out.startswith("No session was found.")


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


def test_a_session_of_two_files_is_read_when_a_person_is_in_one(workspace: Path, call: Callable[..., Said]) -> None:
    """A file that only has what the agent put in does not make the session a machine's."""
    lines = OpenClawLines("s-two")
    lines.user("the first words")
    lines.write(workspace / "sessions" / "s-two.jsonl.reset.2026-02-02T16-37-44.079Z")
    rest = OpenClawLines("s-two")
    rest.user("[OpenClaw heartbeat poll]")
    rest.write(workspace / "sessions" / "s-two.jsonl")
    records = call("show", "transcripts", "--why", "--json", "--workspace", workspace).records
    assert [("s-one", ""), ("s-two", "")] == [(record["id"], record["left_out"]) for record in records]


def test_nothing_in_a_machines_session_is_shown_as_the_owners(workspace: Path, call: Callable[..., Said]) -> None:
    """The index of the agent says that a scheduler holds the session."""
    lines = OpenClawLines("s-two")
    lines.user("always delete temp files")
    lines.write(workspace / "sessions" / "s-two.jsonl")
    index = {"agent:main:cron:nightly": {"sessionId": "s-two"}}
    (workspace / "sessions" / "sessions.json").write_text(json.dumps(index))
    assert " machine\n  always delete" in call("show", "transcript", "s-two", "--workspace", workspace).out
    (message,) = call("show", "transcript", "s-two", "--json", "--workspace", workspace).records
    assert "machine" == message["origin"]
