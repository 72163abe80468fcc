"""A workspace, and an agent that talks about it to the server of `memory mcp`, in this process or in its own."""

import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

import anyio
from anyio.from_thread import BlockingPortal
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, Implementation, TextContent

from pipeline.surfaces.cli.commands.mcp import agent_server
from tests.support.processes.called_command import CalledCommand
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
    """A workspace, and ways to talk about it to a server of this process; `agent` is the one that it serves.

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
        return CalledCommand(self.home)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[ClientSession]:
        """A client that has shaken hands."""
        variables = {"HOME": str(self.home), **self.variables}
        about = Implementation(name=self.program, version="1")
        with agent_server(self.root, variables, self.agent, folder=str(self.folder or self.home)) as server:
            async with Client(server, mode="legacy", client_info=about) as client:
                yield client.session

    def talk(self, talk: Callable[[ClientSession], Awaitable[None]]) -> None:
        """One conversation from beginning to end."""

        async def whole() -> None:
            with anyio.fail_after(SECONDS):
                async with self.session() as client:
                    await talk(client)

        anyio.run(whole)


@dataclass
class ServedByProcess(Served):
    """One whose server is the command, in a process of its own; `before` are words of a shell that run first in it."""

    before: Sequence[str] = ()

    @property
    def memory(self) -> CommandLine:
        """The command line, in processes."""
        return CommandLine(self.home)

    @property
    def parameters(self) -> StdioServerParameters:
        """How an agent starts the server."""
        words = self.memory.words("mcp", "--workspace", self.root, *(("--agent", self.agent) if self.agent else ()))
        if self.before:
            words = ["sh", "-c", f"{' '.join(self.before)}; exec {shlex.join(words)}"]
        return StdioServerParameters(
            command=words[0],
            args=words[1:],
            env=bare_environment(self.home, **self.variables),
            cwd=self.folder or self.home,
        )

    @asynccontextmanager
    async def session(self) -> AsyncIterator[ClientSession]:
        """A client that has shaken hands."""
        about = Implementation(name=self.program, version="1")
        async with (
            stdio_client(self.parameters) as streams,
            ClientSession(*streams, client_info=about) as client,
        ):
            await client.initialize()
            yield client


@dataclass
class Shared(Served):
    """One whose server stays, for all who only read."""

    portal: BlockingPortal | None = None
    client: ClientSession | None = None

    def talk(self, talk: Callable[[ClientSession], Awaitable[None]]) -> None:
        """A part of the one conversation."""
        assert self.portal is not None

        async def part() -> None:
            assert self.client is not None
            with anyio.fail_after(SECONDS):
                await talk(self.client)

        self.portal.call(part)


def new_served(folder: Path) -> Served:
    """One in a folder."""
    return Served(*_new_workspace(folder))


def new_served_by_process(folder: Path) -> ServedByProcess:
    """One in a folder whose server is a process."""
    return ServedByProcess(*_new_workspace(folder))


def _new_workspace(folder: Path) -> tuple[Path, Path]:
    """A workspace of 25 days, not indexed yet, and an empty home."""
    root, home = folder / "w", folder / "home"
    (root / "memory").mkdir(parents=True)
    home.mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    for number in range(DAYS):
        day = FIRST_DAY + timedelta(days=number)
        text = NOTE.format(day=day, number=number, price=40 + number)
        (root / "memory" / f"{day}.md").write_text(text, encoding="utf-8")
    return root, home


def text_of(result: CallToolResult) -> str:
    """The text that an agent gets."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
