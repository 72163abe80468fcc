"""A workspace, and an agent that talks about it with `memory mcp` over stdio."""

import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

import anyio
from anyio.from_thread import BlockingPortal
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import Implementation

from tests.support.processes.command_line import SECONDS, CommandLine, bare_environment

FIRST_DAY = date(2026, 1, 1)
DAYS = 25
NOTE = """# {day}

## Decisions

- We keep the ledger of boat {number} in folder {number:03}, because the harbour office asks for it.
- Zaliczka za łódkę {number} wynosi {price} złotych.
- 船{number}的钥匙在码头办公室。
"""
WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}


@dataclass
class Served:
    """A workspace, and ways to talk to the command about it; `agent` is the one that the server is started for.

    Its program calls itself `program`, and works in `folder`; that is `home` when left out.
    """

    root: Path
    home: Path
    variables: dict[str, str] = field(default_factory=lambda: dict(WORDS_ALONE))
    agent: str = ""
    program: str = "test"
    folder: Path | None = None

    @property
    def memory(self) -> CommandLine:
        """The command line."""
        return CommandLine(self.home)

    def parameters(self, *before: str) -> StdioServerParameters:
        """How an agent starts the server; `before` are words of a shell that run first, in the same process."""
        words = self.memory.words("mcp", "--workspace", self.root, *(("--agent", self.agent) if self.agent else ()))
        if before:
            words = ["sh", "-c", f"{' '.join(before)}; exec {shlex.join(words)}"]
        return StdioServerParameters(
            command=words[0],
            args=words[1:],
            env=bare_environment(self.home, **self.variables),
            cwd=self.folder or self.home,
        )

    @asynccontextmanager
    async def session(self, *before: str) -> AsyncIterator[ClientSession]:
        """A client that has shaken hands."""
        about = Implementation(name=self.program, version="1")
        async with (
            stdio_client(self.parameters(*before)) as streams,
            ClientSession(*streams, client_info=about) as client,
        ):
            await client.initialize()
            yield client

    def talk(self, talk: Callable[[ClientSession], Awaitable[None]], *before: str) -> None:
        """One conversation from beginning to end."""

        async def whole() -> None:
            with anyio.fail_after(SECONDS):
                async with self.session(*before) as client:
                    await talk(client)

        anyio.run(whole)


@dataclass
class Shared(Served):
    """One whose server stays, for all who only read."""

    portal: BlockingPortal | None = None
    client: ClientSession | None = None

    def talk(self, talk: Callable[[ClientSession], Awaitable[None]], *before: str) -> None:
        """A part of the one conversation."""
        assert self.portal is not None
        assert not before

        async def part() -> None:
            assert self.client is not None
            with anyio.fail_after(SECONDS):
                await talk(self.client)

        self.portal.call(part)


def new_served(folder: Path) -> Served:
    """One in a folder."""
    root, home = folder / "w", folder / "home"
    (root / "memory").mkdir(parents=True)
    home.mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    for number in range(DAYS):
        day = FIRST_DAY + timedelta(days=number)
        text = NOTE.format(day=day, number=number, price=40 + number)
        (root / "memory" / f"{day}.md").write_text(text, encoding="utf-8")
    return Served(root, home)
