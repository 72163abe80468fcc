"""Agents that wake up by the service."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

from pipeline.app.turns import AT_WORK
from pipeline.service.socket.client import ask
from tests.support.workspaces.animals import write_birds

AGENTS = 2 * AT_WORK


def test_many_agents_wake_up_at_once(tmp_path: Path, answering: Callable[..., AbstractContextManager[None]]) -> None:
    """More than are at work at once, again and again: each gets its own identity."""
    root, names = write_birds(tmp_path), [f"agent-{number}" for number in range(AGENTS)]
    (root / "memory.toml").write_text('timezone = "UTC"\n' + "".join(f"[agents.{name}]\n" for name in names))
    for name in names:
        (root / "agents" / name).mkdir(parents=True)
        (root / "agents" / name / "identity.md").write_text(f"I am {name}.\n")

    def identities(name: str) -> set[str]:
        answers = [ask(root, "wake", {"agent": name}) or {} for _ in range(20)]
        return {answer["parts"][0]["text"] for answer in answers}

    with answering(root, MEMORY_EMBEDDER__KIND="none"), ThreadPoolExecutor(AGENTS) as clients:
        assert [{f"I am {name}."} for name in names] == list(clients.map(identities, names))
