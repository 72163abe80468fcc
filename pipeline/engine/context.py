"""The tools of a run in one value, so that few arguments are passed on."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from pipeline.clock import SystemClock
from pipeline.events import Emit, silent
from pipeline.facts.sections import HEADING, facts_in
from pipeline.job import Agent, Ask, Job, Models
from pipeline.ledger import Ledger
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.markdown.encoding import conflicts
from pipeline.ports.engine import BatchServer, Clock
from pipeline.process.cancellation import CancellationToken
from pipeline.store.opening import WorkspaceStore
from pipeline.transcripts.catalog import Catalog
from pipeline.transcripts.look_around import NOWHERE, Neighbourhood
from pipeline.workspace.families import Parsed, TargetFiles
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from pipeline.workspace.regular_files import FileStamp, file_stamp
from schemas.agent_settings import AgentSettings
from schemas.fact import Fact
from schemas.hot_page import PATH as HOT_PAGE
from schemas.settings import Settings

if TYPE_CHECKING:
    from pipeline.model.ask import Asker

_MARK = HEADING.lower().encode()
"""A file without it has no fact."""


@dataclass(frozen=True)
class _KeptFacts:
    """The facts of a file with this stamp; `ours` are its blocks that the ledger has, by name and digest."""

    stamp: FileStamp
    ours: frozenset[tuple[str, str]]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class SeenText:
    """The text of a file as jobs see it: its hash, and whether it may have an entry."""

    digest: "hashlib._Hash"
    has_entry: bool


class AskerMaker(Protocol):
    """Makes the asker of the configured model, or the offline one."""

    def __call__(self, *, offline: bool = False) -> "Asker":
        """The asker of one run."""


@dataclass(frozen=True)
class Engine:
    """A workspace with the tools that run jobs on it.

    With `allow_shrink`, an option of the person, many entries may vanish, and a rewrite may lose some. `backfill` is
    the id that its runs carry, or empty. `neighbourhood` are where sessions of other kinds than those of the sources
    are looked for. The `store` is opened at its first use; without one there are no details. The families of files
    share what was `parsed`.
    """

    workspace: Workspace
    settings: Settings
    jobs: tuple[Job, ...]
    ledger: Ledger
    locks: Locks
    catalog: Catalog
    asker: AskerMaker
    new_run_id: Callable[[datetime], str]
    clock: Clock = field(default_factory=SystemClock)
    emit: Emit = silent
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    allow_shrink: bool = False
    backfill: str = ""
    horizon: datetime | None = None
    batches: BatchServer | None = None
    neighbourhood: Neighbourhood = NOWHERE
    store: WorkspaceStore | None = None
    parsed: Parsed = field(default_factory=dict, repr=False, compare=False)
    _first_volumes: dict[str, str] = field(init=False, default_factory=dict, repr=False, compare=False)

    _blocks: dict[str, tuple[FileStamp, list[Block]]] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    _facts: dict[str, _KeptFacts] = field(init=False, default_factory=dict, repr=False, compare=False)

    _texts: dict[str, tuple[FileStamp, SeenText]] = field(init=False, default_factory=dict, repr=False, compare=False)

    @property
    def zone(self) -> str:
        """The workspace's IANA zone."""
        return self.settings.timezone

    @property
    def writers(self) -> list[Job]:
        """The jobs that write entries."""
        return [job for job in self.jobs if job.writes.append]

    @property
    def page_job(self) -> Job | None:
        """The job that renders the page that agents read first."""
        return next((job for job in self.jobs if job.writes.family == HOT_PAGE), None)

    def family(self, job: Job) -> TargetFiles:
        """The files that a job writes."""
        return TargetFiles(self.workspace, job.writes, self.parsed)

    def first_volume(self, path: str) -> str:
        """The first volume of the page that a path is of; the path itself when no job writes it."""
        if path not in self._first_volumes:
            firsts = (self.family(job).first_volume(path) for job in self.jobs)
            self._first_volumes[path] = next(filter(None, firsts), path)
        return self._first_volumes[path]

    def blocks(self, path: str, status: os.stat_result) -> list[Block]:
        """The blocks in a file, kept while it has the same stamp."""
        stamp = file_stamp(status)
        if path not in self._blocks or self._blocks[path][0] != stamp:
            self._blocks[path] = stamp, find_blocks(self.workspace.read(path) or b"")
        return self._blocks[path][1]

    def seen_text(self, path: str, status: os.stat_result) -> SeenText:
        """The hash of a file's text, kept while it has the same stamp; the text itself is not."""
        stamp = file_stamp(status)
        if path not in self._texts or self._texts[path][0] != stamp:
            text = (self.workspace.read(path) or b"").decode(errors="replace").encode()
            self._texts[path] = stamp, SeenText(hashlib.sha256(text), b"\n- check: " in text)
        return self._texts[path][1]

    def facts(self, path: str, status: os.stat_result) -> tuple[Fact, ...]:
        """The facts in a file, but for those of other hands in the open conflict of a merge.

        They are kept while the file has the same stamp, and the ledger the same items of ours in it.
        """
        stamp, kept = file_stamp(status), self._facts.get(path)
        kept = kept if kept and kept.stamp == stamp else None
        data = b"" if kept else self.having(_MARK, path, status)
        if not (kept or data):
            return ()
        ours = frozenset((block.name, block.digest) for block in self.ledger.changes.standing_in(path))
        if not kept or kept.ours != ours:
            data = data or self.having(_MARK, path, status)
            disputed = list(conflicts(data))
            every = facts_in(data, path, ours, date.min)
            sure = (fact for fact in every if fact.id or not any(low <= fact.line <= high for low, high in disputed))
            kept = self._facts[path] = _KeptFacts(stamp, ours, tuple(sure))
        return kept.facts

    def having(self, mark: bytes, path: str, status: os.stat_result) -> bytes:
        """The bytes of a file in which a mark stands in any case; none of another one, which is read once like that."""
        stamp, key = file_stamp(status), (self.workspace.root, path, mark)
        if _WITHOUT.get(key) == stamp:
            return b""
        data = self.workspace.read(path) or b""
        if mark in data.lower():
            return data
        _WITHOUT[key] = stamp
        return b""

    def models(self, asker: "Asker", ask: Ask | None = None) -> Models:
        """The models of an asker, as a job sees them; with `ask` the job asks by it."""
        return Models(
            ask=ask or asker,
            way=asker.way,
            background=asker.background,
            sources_of=cache(self.catalog.sources_of),
            reader=asker.way_of,
            masked=self.catalog.mask_text,
        )

    def agent(self, name: str) -> Agent:
        """The agent of this name with its settings; those of none where the name is empty."""
        return Agent(name, self.settings.agents.by_name.get(name, AgentSettings()))

    def local_now(self) -> datetime:
        """The present moment in the workspace's zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))


_WITHOUT = dict[tuple[Path, str, bytes], FileStamp]()
"""By workspace, path and mark: the stamp of a file in which the mark was not found.

The engines of a process share it: a service opens an engine for each request.
"""
