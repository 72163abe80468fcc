"""Kimi Code's wires: whose word each record is."""

import json
from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources import kimi
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import said
from tests.support.builders.kimi_lines import START, KimiLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source
from tests.support.tables import table


class TestKimiSource(FileSourceContract):
    """The contract, over wires of Kimi Code."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened_source(kimi, root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session with an answer in two pieces."""
        file = KimiLines()
        file.user(OWNER)
        file.assistant(ASSISTANT[:5], ASSISTANT[5:])
        file.user(f"żółć \ud83d 好 {session_id}")
        return file.lines


def test_default_root_is_in_the_home_folder(tmp_path: Path) -> None:
    """Wherever it is."""
    assert (tmp_path / ".kimi-code/sessions",) == kimi.KIND.roots(tmp_path, {})
    assert (Path("/srv/kimi/sessions"),) == kimi.KIND.roots(tmp_path, {"KIMI_CODE_HOME": "/srv/kimi"})


def test_all_pieces_of_a_step_are_one_message(tmp_path: Path) -> None:
    """At the place of the first; thoughts and calls of tools are no words."""
    lines = KimiLines()
    lines.add({"type": "turn.prompt", "input": []})
    lines.user("one queue", origin={"kind": "user"})
    lines.event("content.part", stepUuid="a", part={"type": "think", "text": "hm"})
    lines.event("content.part", stepUuid="a", part={"type": "text", "text": "One "})
    lines.event("tool.call", name="Bash")
    lines.event("content.part", stepUuid="a", part={"type": "text", "text": "it is."})
    (tmp_path / "wd/session_1").mkdir(parents=True)
    (tmp_path / "wd/session_1/state.json").write_text(json.dumps({"workDir": "/home/tom/shop"}))
    session = lines.read(tmp_path)
    assert said(session) == [("owner", "one queue"), ("assistant", "One it is.")]
    assert ("ev-3", "ev-4", "ev-6") == session.messages[1].entry_ids
    assert session.messages[0].time.timestamp() * 1_000 == START + 2 * 60_000
    assert (session.session_id, session.project, session.machine) == ("session_1", "/home/tom/shop", False)
    assert session.skipped == {"no_conversation": 2}


@table(
    ("origin", "words", "speaker"),
    [
        ({"kind": "user"}, "text", "owner"),
        ({"kind": "injection", "variant": "x"}, "text", "machine"),
        ({"kind": "cron_job"}, "text", "machine"),
        ({"kind": "hook_result"}, "text", "machine"),
        ({"kind": "shell_command"}, "text", "machine"),
        ({"kind": "compaction_summary"}, "text", "memory"),
        ({"kind": "skill_activation", "trigger": "user-slash", "skillArgs": "do it"}, "do it", "owner"),
        ({"kind": "skill_activation", "trigger": "model-tool", "skillArgs": "do it"}, "text", "machine"),
        ({"kind": "skill_activation", "trigger": "user-slash"}, "text", "machine"),
        ({"kind": "plugin_command", "trigger": "user-slash", "commandArgs": "do it"}, "do it", "owner"),
    ],
)
def test_the_origin_of_a_record_counts(tmp_path: Path, origin: dict[str, str], words: str, speaker: str) -> None:
    """What the program put in the person's place says so; after a command only its words are typed."""
    lines = KimiLines()
    lines.user("text", origin=origin)
    assert said(lines.read(tmp_path)) == [(speaker, words)]


def test_an_older_record_says_nothing_of_its_origin(tmp_path: Path) -> None:
    """A reminder in tags is the program's."""
    lines = KimiLines()
    lines.user("hello")
    lines.user("<system-reminder>\nbe brief\n</system-reminder>")
    assert [origin for origin, _ in said(lines.read(tmp_path))] == ["owner", "machine"]


def test_a_fork_does_not_repeat_what_it_copied(tmp_path: Path) -> None:
    """Up to its mark; what follows was said here. A summary is nobody's word."""
    lines = KimiLines()
    lines.user("before")
    lines.add({"type": "forked"})
    lines.user("after")
    lines.add({"type": "context.apply_compaction", "summary": "all"})
    session = lines.read(tmp_path)
    assert said(session) == [("memory", "before"), ("owner", "after"), ("memory", "all")]
    assert session.skipped == {"copied": 1}


def test_a_sub_agent_is_a_machine_with_a_parent(tmp_path: Path) -> None:
    """Its wire lies beside the main one."""
    lines = KimiLines()
    lines.user("Search the code.")
    session = lines.read(tmp_path, "wd/session_1/agents/agent-2/wire.jsonl")
    assert (session.session_id, session.machine, session.parent) == ("session_1.agent-2", True, "session_1")


def test_what_is_unknown_is_counted(tmp_path: Path) -> None:
    """Records, events, origins and sides by their names."""
    lines = KimiLines()
    lines.add({"type": "hologram", "text": "it will rain"})
    lines.event("step.skip", text="it will rain")
    lines.user("x", origin={"kind": "dream"})
    lines.message("human", "it will rain")
    assert {"unknown_record:hologram", "unknown_event:step.skip", "unknown_kind:dream", "unknown_role:human"} == set(
        lines.read(tmp_path).skipped
    )
