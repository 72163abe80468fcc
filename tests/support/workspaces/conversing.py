"""The conversations of a workspace, opened for a test."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.app.conversations import Conversations, conversations_in
from pipeline.app.requester import Requester
from pipeline.context.sections import RecalledText
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import NewConversation, NewMessage, SessionSettings
from schemas.transcript import Role
from tests.support.ports.clock import FixedClock

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
OWNER = Requester("", "main", by_person=True)
SETTINGS = 'timezone = "UTC"\n'


@contextmanager
def open_conversations(root: Path, context: ProcessContext, **ports: Any) -> Iterator[Conversations]:  # noqa: ANN401 - as they are given
    """The conversations while the store is open."""
    store = WorkspaceStore(root, load_settings(root, context.environment).store)
    try:
        yield conversations_in(store, context, load_settings(root, context.environment), **ports)
    finally:
        store.close()


@contextmanager
def opened(root: Path, settings: str = SETTINGS, **ports: object) -> Iterator[Conversations]:
    """The conversations of a workspace with these settings; the memory has one passage about a queue."""
    (root / "memory.toml").write_text(settings)
    context = ProcessContext({}, FixedClock(NOW))

    def recalling(question: str, most: int, floor: float) -> Sequence[RecalledText]:
        return [RecalledText("memory/a.md#L4", f"{question} {most} {floor}")]

    with open_conversations(root, context, recalling=recalling, **ports) as conversations:
        yield conversations


def begun(talks: Conversations, who: Requester = OWNER, settings: SessionSettings | None = None) -> str:
    """The id of a new session."""
    wanted = NewConversation(session_id="s-1", settings=settings or SessionSettings())
    return talks.begin(who, wanted).conversation.session_id


def user(*texts: str) -> list[NewMessage]:
    """Messages on the user's side."""
    return [NewMessage(role=Role.USER, text=text) for text in texts]
