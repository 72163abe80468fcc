"""DeepSeek's harness: whose word each event is."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import zstandard

from pipeline.adapters.sources import deepseek
from pipeline.ports.engine import TranscriptSource
from tests.support.builders.claude_lines import said
from tests.support.builders.deepseek_lines import START, DeepSeekLines
from tests.support.ports.source_contract import ASSISTANT, OWNER, FileSourceContract
from tests.support.sources import opened_source

opened = partial(opened_source, deepseek)


class TestDeepSeekSource(FileSourceContract):
    """The contract, over sessions that are not compressed."""

    def open(self, root: Path) -> TranscriptSource:
        """The source as the application opens it."""
        return opened(root)

    def lines(self, session_id: str) -> Sequence[bytes]:
        """A short session."""
        file = DeepSeekLines(session_id)
        file.user(OWNER)
        file.assistant(ASSISTANT)
        file.user("żółć \ud83d 好")
        return file.lines


def test_default_root_is_in_the_home_folder(tmp_path: Path) -> None:
    """Wherever it is."""
    assert (tmp_path / ".dsh/sessions",) == deepseek.KIND.roots(tmp_path, {})
    assert (Path("/srv/dsh/sessions"),) == deepseek.KIND.roots(tmp_path, {"DSH_HOME": "/srv/dsh"})


def test_the_source_of_a_message_counts(tmp_path: Path) -> None:
    """What a plugin puts into the person's place is its own; a compressed file is read as it grows, frame by frame."""
    lines = DeepSeekLines()
    lines.user("one queue")
    lines.user("Current runtime context.", source="plugin")
    lines.event("assistant/chunk", {"chunk": {"type": "text-delta", "text": "One."}})
    lines.assistant("One.")
    lines.result("web_search", "ok")
    lines.event("hologram", {"text": "it will rain"})
    file = tmp_path / "--shop--" / "session-1" / "session.jsonl.zstd"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"".join(map(zstandard.compress, lines.lines)))
    (listed,) = opened(tmp_path).files()
    (session,) = opened(tmp_path).read(listed.path)
    assert said(session) == [
        ("owner", "one queue"),
        ("machine", "Current runtime context."),
        ("assistant", "One."),
        ("web", "ok"),
    ]
    assert session.messages[0].time.timestamp() * 1_000 == START + 60_000
    assert (session.session_id, session.project, session.machine) == ("session-1", "/home/tom/shop", False)
    assert session.skipped == {"no_conversation": 2, "unknown_record:hologram": 1}


def test_a_delegate_is_a_machine(tmp_path: Path) -> None:
    """Its depth says so."""
    lines = DeepSeekLines(delegationDepth=1)
    lines.user("Search the code.")
    (tmp_path / "session.jsonl").write_bytes(b"".join(lines.lines))
    (session,) = opened(tmp_path).read("session.jsonl")
    assert session.machine
