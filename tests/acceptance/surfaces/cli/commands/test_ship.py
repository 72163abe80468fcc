"""`memory ship` in a process of its own, which is killed while it sends."""

from pathlib import Path
from queue import Queue
from subprocess import Popen

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.processes.command_line import CommandLine, end_of
from tests.support.workspaces.shipping import Between, Laptop, receiving, sessions_in

MOST = 30
"""Kills; each lets one request more through than the one before."""


def test_killed_between_any_two_answers(memory: CommandLine, tmp_path: Path) -> None:
    """At each request it is killed when the server has kept it, and before it knows: nothing is lost or doubled."""
    laptop, started, killed = Laptop(tmp_path / "laptop"), Queue[Popen[str]](), 0
    for session in ("s-1", "s-2", "s-3"):
        lines = ClaudeLines(session)
        for number in range(30):
            lines.user(f"{session} says {number} {'words ' * 5_000}")
        lines.write(laptop.sessions / "shop" / f"{session}.jsonl")
    with receiving(tmp_path / "server") as server:
        with Between(server, left=1, at_last=lambda: started.get().kill()) as between:
            named = laptop.variables(between.address, server.person)
            while killed < MOST:
                started.put(process := memory.start("ship", "--workspace", laptop.root, **named))
                if end_of(process).code == 0:
                    break
                killed += 1
                between.left = killed + 1
        assert 3 < killed < MOST
        assert [30, 30, 30] == [talk["messages"] for talk in server.ask("/api/v1/sessions").value]
        assert sessions_in(laptop.root) == sessions_in(server.root)
