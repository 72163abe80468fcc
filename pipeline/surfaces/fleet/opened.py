"""A workspace that a front has open: its newest generation in the cache, and the application over it.

A generation is replaced by a newer one while nobody reads it: an answer is of one generation, as a whole.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from typing import Any

from pipeline.app.detail_index import update_details
from pipeline.app.index import IndexOptions, open_index
from pipeline.app.said_index import QuestionUpdate
from pipeline.clock import stopwatch
from pipeline.errors.fleet import WorkspaceTakenOut
from pipeline.fleet.front import Front, ShownGeneration
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.index.sync.update import update
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.snapshot import snapshot_of
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.web.server import Application
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.fleet.routes import ROUTES
from pipeline.surfaces.http.application import offered_api
from pipeline.surfaces.http.mcp_endpoint import McpEndpoint
from pipeline.surfaces.http.state import HttpState
from schemas.fleet_act import FleetAct
from schemas.reports.fleet import FleetActReport

_LINGER = 60.0
"""Seconds for which an index stays open after a question."""


class OpenedWorkspace:
    """A workspace of the fleet at one front. For one event loop."""

    def __init__(self, front: Front, workspace: FleetWorkspace, version: str) -> None:
        """Nothing is opened yet."""
        self._front, self._workspace, self._version = front, workspace, version
        self._turn, self._unread = asyncio.Lock(), asyncio.Event()
        self._unread.set()
        self._readers = 0
        self._live: _LiveGeneration | None = None
        self._shown = 0
        self._is_gone = False

    @property
    def is_idle(self) -> bool:
        """Whether nobody reads it, or waits to."""
        return not self._readers and not self._turn.locked()

    @property
    def is_open(self) -> bool:
        """Whether a generation is open."""
        return self._live is not None

    @property
    def is_cached(self) -> bool:
        """Whether the cache has its folder."""
        return self._shown > 0

    @asynccontextmanager
    async def reading(self, generation: int, agent: str) -> AsyncIterator[Application]:
        """The application over this generation, or a newer one, which stays as it is meanwhile."""
        async with self._turn:
            if self._is_gone:
                raise WorkspaceTakenOut(self._workspace.name)
            live = self._live
            if live is None or live.shown.number < generation or (agent and agent not in live.shown.agents):
                await self._unread.wait()
                await self._end()
                live = self._live = await _LiveGeneration.begin(self._front, self._workspace, self._version)
                self._shown = live.shown.number
            self._readers += 1
            self._unread.clear()
        try:
            yield live.application
        finally:
            self._readers -= 1
            if not self._readers:
                self._unread.set()

    async def close(self) -> None:
        """Close what is open, once nobody reads it; the next request opens it again."""
        async with self._turn:
            await self._unread.wait()
            await self._end()

    async def follow(self, newest: int | None) -> None:
        """Have nothing of an earlier generation than the newest, of which something may have been forgotten since.

        A workspace that is open gets it, and of any other one the folder goes. `None` means that it was taken out.
        """
        if newest is not None and newest <= self._shown:
            return
        if newest is not None and self.is_open:
            async with self.reading(newest, ""):
                return
        self._is_gone = newest is None
        await self.drop()

    async def drop(self) -> None:
        """Close what is open, once nobody reads it, and remove its folder; the next request fetches it again."""
        async with self._turn:
            await self._unread.wait()
            await self._end()
            await asyncio.to_thread(self._front.drop_folder, self._workspace)
            self._shown = 0

    async def _end(self) -> None:
        live, self._live = self._live, None
        if live:
            await live.end()


@dataclass(frozen=True)
class _LiveGeneration:
    """A generation that is open, in a task of its own: the servers of MCP end in the task that began them."""

    shown: ShownGeneration
    application: Application
    task: "asyncio.Task[None]"
    asked_to_end: asyncio.Event

    @classmethod
    async def begin(cls, front: Front, workspace: FleetWorkspace, version: str) -> "_LiveGeneration":
        """Open the newest generation."""
        begun: asyncio.Future[tuple[ShownGeneration, Application]] = asyncio.get_running_loop().create_future()
        asked_to_end = asyncio.Event()

        async def live() -> None:
            with ExitStack() as stack:
                try:
                    shown = await asyncio.to_thread(front.show_newest, workspace)
                    acts = WorkspaceActs(front, workspace)
                    state = await asyncio.to_thread(stack.enter_context, _open_state(shown, acts, version))
                    mcp = McpEndpoint(state)
                    named = state.settings.agents.by_name
                    async with mcp.running({agent: agent in named for agent in shown.agents}):
                        api = offered_api(ROUTES, state, mcp, below=f"/w/{workspace.name}")
                        api.state.front = front
                        begun.set_result((shown, api))
                        await asked_to_end.wait()
                finally:
                    await asyncio.to_thread(stack.close)

        task = asyncio.create_task(live())
        either: set[asyncio.Future[Any]] = {task, begun}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not begun.done():
            await task  # it has failed
        shown, application = begun.result()
        return cls(shown, application, task, asked_to_end)

    async def end(self) -> None:
        """Close it."""
        self.asked_to_end.set()
        await self.task


@dataclass(frozen=True)
class WorkspaceActs:
    """The acts of a workspace, as its page and its API ask for them."""

    front: Front
    workspace: FleetWorkspace

    def ask(self, *acts: FleetAct) -> list[int]:
        """Ask for acts, for all or for none; their numbers."""
        return self.front.ask(self.workspace, *acts)

    def find_decisions(self) -> Mapping[str, FleetActReport]:
        """The acts that wait and decide about suggestions, by the ids of these."""
        return self.front.find_decisions(self.workspace)


@contextmanager
def _open_state(shown: ShownGeneration, acts: WorkspaceActs, version: str) -> Iterator[HttpState]:
    """The parts of the application over a generation, whose index of words is up to date."""
    root, context = shown.root, shown.context
    settings = load_settings(root, context.environment)
    health = HealthPages(HealthSource(stopwatch, lambda: snapshot_of(root, context, None, None)))
    with open_index(root, context, IndexOptions(linger=_LINGER)) as opened:
        update(opened.indexing)
        update_details(opened.details.indexing)
        in_use = SettingsInUse(root, context.environment, settings)
        answers = ServiceAnswers(root, opened, in_use, update=QuestionUpdate(opened))
        work = WorkProcesses(root, Children(root, {}, settings.retention))
        store = WorkspaceStore(root, settings.store)
        with answers, closing(store):
            yield HttpState(root, context, health, answers, version, store, work, acts=acts)
