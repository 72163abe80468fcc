"""Sources that are read in vain: `config check`, `doctor` and `status` say so, each with what to do."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import Said

Call = Callable[..., Said]
LONG_AFTER = datetime(2026, 2, 9, 12, tzinfo=UTC).timestamp()
"""A week after the messages."""


def alarms(workspace: Path, call: Call) -> dict[str, str]:
    """The causes of the alarms and their sentences, as `status` has them for programs; the other commands agree."""
    records = call("status", "--json", "--workspace", workspace).records
    (source,) = [record for record in records if record.get("source") == "openclaw"]
    check, status, doctor = (
        call(*words, "--workspace", workspace).out for words in (("config", "check"), ("status",), ("doctor",))
    )
    for alarm in source["alarms"]:
        assert f"warning  source openclaw: {alarm['sentence']}. {alarm['advice']}\n" in check
        assert f"warning  source openclaw: {alarm['sentence']}\n         {alarm['advice']}\n" in status
        assert f"source openclaw: {alarm['sentence']}\n      {alarm['advice']}\n" in doctor
    assert bool(source["alarms"]) == ("source openclaw: " in status)
    return {alarm["cause"]: alarm["sentence"] for alarm in source["alarms"]}


def written(workspace: Path, name: str, *kinds: str, at: float = LONG_AFTER) -> Path:
    """A session with a message, then records of these kinds; the file was written at that time."""
    lines = OpenClawLines(name)
    lines.user("where is the boat?")
    for place, kind in enumerate(kinds):
        lines.add({"type": kind, "text": f"the owner said number {place}"})
    file = lines.write(workspace / "sessions" / f"{name}.jsonl")
    os.utime(file, (at, at))
    return file


def test_a_source_that_is_read_raises_none(workspace: Path, call: Call) -> None:
    """Though its file is newer than its messages: what is in it is all known."""
    assert {} == alarms(workspace, call)


def test_a_folder_without_a_file(workspace: Path, call: Call) -> None:
    """It may be the wrong one."""
    (workspace / "sessions" / "s-one.jsonl").unlink()
    assert {"empty": "sessions holds no openclaw session"} == alarms(workspace, call)
    assert 0 == call("doctor", "--workspace", workspace).code


def test_files_without_a_session(workspace: Path, call: Call) -> None:
    """Something is there and nothing of it is understood, which fails the doctor."""
    (workspace / "sessions" / "s-one.jsonl").write_text('{"type": "of another agent"}\n' * 3)
    assert {"no_sessions": "sessions has 1 file(s), and no openclaw session is in them"} == alarms(workspace, call)
    assert 1 == call("doctor", "--workspace", workspace).code


def test_settings_that_leave_all_out(workspace: Path, call: Call) -> None:
    """And sessions of machines: the reasons are told by another command."""
    with (workspace / "memory.toml").open("a") as file:
        file.write('exclude = [{ session = "s-" }]\n')
    lines = OpenClawLines("alone")
    lines.assistant("Nobody asked.")
    lines.write(workspace / "sessions" / "alone.jsonl")
    shown = "none of its sessions is read: the settings leave out 1, only machines speak in 1"
    assert {"empty": shown} == alarms(workspace, call)
    (source,) = [entry for entry in call("status", "--json", "--workspace", workspace).records if "alarms" in entry]
    assert (0, 1, 1, 2) == (source["sessions"], source["left_out"], source["machine_sessions"], source["files"])
    assert "`memory show transcripts --why`" in source["alarms"][0]["advice"]


def test_sessions_of_another_kind_below_the_folder(workspace: Path, call: Call) -> None:
    """An alarm until a source reads them, whatever its folder; files of no agent raise none."""
    lines = ClaudeLines("5d0c1b7e-3f42-4a86-9e15-70b2c84d1a01")
    lines.user("where is the sauna?")
    lines.assistant("By the lake.")
    lines.write(workspace / "sessions" / "projects" / "shop" / f"{lines.session_id}.jsonl")
    (workspace / "sessions" / "notes.jsonl").write_text('{"note": "of no agent"}\n')
    shown = "sessions holds sessions of claude_code that no source reads, such as projects/shop/5d0c1b7e-"
    result = alarms(workspace, call)
    assert (["other_kind"], True) == (list(result), result["other_kind"].startswith(shown))
    with (workspace / "memory.toml").open("a") as file:
        file.write('[[sources]]\nkind = "claude_code"\npath = "sessions/projects"\n')
    assert {} == alarms(workspace, call)


def test_a_folder_of_an_agent_that_no_setting_names_is_a_hint(workspace: Path, home: Path, call: Call) -> None:
    """As soon as something is in it, and until it is named or ignored; it is no alarm and no warning."""
    folder = home / ".claude" / "projects"
    folder.mkdir(parents=True)
    words = (("config", "check"), ("status",), ("doctor",))
    assert [False] * 3 == [str(folder) in call(*entry, "--workspace", workspace).out for entry in words]
    lines = ClaudeLines("5d0c1b7e-3f42-4a86-9e15-70b2c84d1a01")
    lines.user("where is the sauna?")
    lines.write(folder / "shop" / f"{lines.session_id}.jsonl")
    hint = f"{folder} has sessions of claude_code, and no setting names it"
    advice = f'To read them, add a [[sources]] table with kind = "claude_code" and path = "{folder}"; '
    advice += "with its path in sources_ignored nothing says so any more."
    for entry in words:
        said = call(*entry, "--workspace", workspace).out
        assert (True, True) == (hint in said, advice in said)
    records = call("status", "--json", "--workspace", workspace).records
    assert {"unnamed": str(folder), "kind": "claude_code"} in records
    assert {} == alarms(workspace, call)
    file = workspace / "memory.toml"
    before = file.read_text()
    file.write_text('sources_ignored = ["~/.claude/projects"]\n' + before)
    assert [False] * 3 == [hint in call(*entry, "--workspace", workspace).out for entry in words]
    file.write_text(f'{before}[[sources]]\nkind = "claude_code"\npath = "~/.claude"\n')
    assert [False] * 3 == [hint in call(*entry, "--workspace", workspace).out for entry in words]


def test_a_file_that_is_written_and_not_understood(workspace: Path, call: Call) -> None:
    """A week after its last message, with records of an unknown kind."""
    written(workspace, "s-two", "novelty")
    shown = (
        "no message is read from 1 file(s) that are still written: s-two.jsonl was written on 2026-02-09 12:00, "
        "and its last message is of 2026-02-02 09:02"
    )
    assert {"stalled": shown} == alarms(workspace, call)


@pytest.mark.parametrize("kinds", [(), ("model_change",)])
def test_a_file_that_was_touched_or_got_a_title_is_not_stalled(
    workspace: Path, call: Call, kinds: tuple[str, ...]
) -> None:
    """All that is in it is known."""
    written(workspace, "s-two", *kinds)
    assert {} == alarms(workspace, call)


def test_an_archive_is_not_stalled(workspace: Path, call: Call) -> None:
    """Its agent has put it aside."""
    file = written(workspace, "s-two", "novelty")
    file.rename(file.with_name("s-two.jsonl.reset.2026-02-09T12-00-00.000Z"))
    assert {} == alarms(workspace, call)


def test_copied_files_are_stalled_only_when_they_grow(workspace: Path, call: Call) -> None:
    """A copy gives all files one time, also those that are all known; one that grows is written by its agent."""
    kinds = [("novelty",), (), ("model_change",), ()]
    files = [written(workspace, f"s-{number}", *kind, at=LONG_AFTER + number) for number, kind in enumerate(kinds)]
    assert {} == alarms(workspace, call)
    with files[0].open("a") as file:
        file.write('{"type": "novelty", "text": "and said more", "id": "n-2", "timestamp": "2026-02-09T12:00:00Z"}\n')
    os.utime(files[0], (LONG_AFTER, LONG_AFTER))
    result = alarms(workspace, call)["stalled"]
    assert result.startswith("no message is read from 1 file(s) that are still written: s-0.jsonl")
    with files[0].open("a") as file:
        file.write('{"type": "model_change", "id": "n-3", "timestamp": "2026-02-09T12:00:01Z"}\n')
    os.utime(files[0], (LONG_AFTER, LONG_AFTER))
    assert {} == alarms(workspace, call)


def test_many_records_of_unknown_kinds(workspace: Path, call: Call) -> None:
    """Their kinds are named with their numbers; few of them, or of few records, are no alarm."""
    noon = datetime(2026, 2, 2, 12, tzinfo=UTC).timestamp()
    written(workspace, "s-two", *["novelty"] * 8, *["oddity"] * 4, at=noon)
    assert {} == alarms(workspace, call)
    written(workspace, "s-two", *["novelty"] * 9, *["oddity"] * 5, at=noon)
    shown = "14 of 20 records in its 2 newest file(s) are not known: 9 unknown_record:novelty, 5 unknown_record:oddity"
    assert {"unknown_records": shown} == alarms(workspace, call)
    assert 1 == call("doctor", "--workspace", workspace).code
    written(workspace, "s-two", *["novelty"] * 4, *["model_change"] * 20, at=noon)
    assert {} == alarms(workspace, call)
    (source,) = [entry for entry in call("status", "--json", "--workspace", workspace).records if "alarms" in entry]
    assert {
        "seen": 30,
        "understood": 6,
        "ignored": {"no_conversation": 20},
        "unknown": {"unknown_record:novelty": 4},
    } == source["records"]
    line = "30 records: 6 understood, 20 ignored (20 no_conversation), 4 unknown (4 unknown_record:novelty)"
    assert f"source openclaw: 2 sessions; {line}\n" in call("config", "check", "--workspace", workspace).out
    assert f"source openclaw: 2 session(s) in sessions; {line}\n" in call("doctor", "--workspace", workspace).out


def test_records_of_unknown_kinds_without_words_are_no_alarm(workspace: Path, call: Call) -> None:
    """Agents add kinds for costs, requests and marks, and some repeat what a message says."""
    file = written(workspace, "s-two", at=datetime(2026, 2, 2, 12, tzinfo=UTC).timestamp())
    about = {"cost": {"tokens": 12}, "request": {"model": "m-1", "system": [{"text": "You are a helper."}]}}
    again = {"message": {"role": "user", "content": "where is the boat?"}}
    with file.open("a") as stream:
        for number in range(20):
            record = {"type": f"kind-{number}", "id": f"k-{number}", "timestamp": "2026-02-02T09:05:00Z"}
            stream.write(json.dumps(record | (again if number % 2 else about)) + "\n")
    assert {} == alarms(workspace, call)
    assert 0 == call("doctor", "--workspace", workspace).code


def test_settings_can_be_checked_though_the_ledger_cannot_be_used(workspace: Path, call: Call) -> None:
    """The sources are not looked at then, which is told."""
    (workspace / ".memory").mkdir()
    (workspace / ".memory" / "state.db").write_bytes(b"no database" * 500)
    said = call("config", "check", "--workspace", workspace)
    assert (0, True) == (said.code, "warning  the sources cannot be looked at: " in said.out)
