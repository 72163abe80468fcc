"""The view of a fleet at a front: whose a token is, the newest generation of a workspace, acts and their answers.

A front reads, and writes nothing but acts and tokens; its copy of a ledger takes no change. Any number of them may run.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from threading import BoundedSemaphore
from uuid import UUID

from pipeline.errors import WriteFailed
from pipeline.errors.fleet import UnknownAct
from pipeline.fleet.acts import ask, read_act, read_decisions
from pipeline.fleet.cache import Cache
from pipeline.fleet.figures import read_figures
from pipeline.fleet.machine import Machine
from pipeline.fleet.queue import FOR_A_PERSON, offer_work
from pipeline.fleet.tokens import (
    OF_BROWSER,
    FleetCaller,
    NewToken,
    add_token,
    agents_with_tokens,
    drop_browser_tokens,
    find_caller,
    find_operator,
    revoke_token,
)
from pipeline.fleet.workspaces import FleetWorkspace, find_newest_generations, note_words
from pipeline.process.context import ProcessContext
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.layout import FORGOTTEN, INDEX_FOLDER
from pipeline.workspace.regular_files import make_folder
from schemas.fleet_act import FleetAct
from schemas.reports.fleet import FleetActReport, FleetFigures

_BY_WORDS = {"MEMORY_EMBEDDER__KIND": "none"}
"""A front compares words alone: the vectors of each generation would take it minutes."""
_MODEL = "MEMORY_MODEL__"
_NO_MODEL = {f"{_MODEL}BASE_URL": "", f"{_MODEL}NAME": ""}
"""A front asks no model: there is no ledger in which it could book that, so no limit of the owner would hold."""
_MADE_AFTER = "forgotten.sha256"
"""The file in an index with the hash of what had been forgotten when it was made."""
_FILLED_AT_ONCE = 3
"""Folders that are filled at the same time: each has a connection as long, and who asks for a token needs another."""
SIGNED_IN = timedelta(days=30)
"""The time for which a browser stays signed in."""


@dataclass(frozen=True)
class ShownGeneration:
    """A generation of a workspace in a folder of the cache, which `context` opens; `agents` have a token."""

    number: int
    root: Path
    context: ProcessContext
    agents: tuple[str, ...]


class Front:
    """The fleet as a front sees it. May be used from several threads."""

    def __init__(self, machine: Machine) -> None:
        """`machine` has a cache folder that no other process uses."""
        self._machine = machine
        self._database, self.clock = machine.database, machine.context.clock
        self._filling = BoundedSemaphore(_FILLED_AT_ONCE)

    def find_caller(self, token: str, workspace: str) -> FleetCaller | None:
        """The caller with a token of the workspace of this name."""
        with self._database.transaction() as connection:
            return find_caller(connection, token, workspace, self.clock.now())

    def find_operator(self, token: str) -> str:
        """The name of a token of the operator; empty for any other."""
        with self._database.transaction() as connection:
            return find_operator(connection, token, self.clock.now())

    def sign_in(self, workspace: FleetWorkspace | None) -> str:
        """A new token for a browser, which ends by itself; without a workspace the operator's."""
        now = self.clock.now()
        new = NewToken(f"{OF_BROWSER}{now:%Y%m%d}-{secrets.token_hex(3)}", lasting=SIGNED_IN)
        with self._database.transaction() as connection:
            drop_browser_tokens(connection, workspace)
            return add_token(connection, workspace, new, now)

    def sign_out(self, workspace: FleetWorkspace | None, name: str) -> None:
        """Revoke the token of this name if it is that of a browser."""
        if not name.startswith(OF_BROWSER):
            return
        with self._database.transaction() as connection:
            revoke_token(connection, workspace, name)

    def ask(self, workspace: FleetWorkspace, *acts: FleetAct) -> list[int]:
        """Ask for acts, for all or for none, and wake a worker; the numbers of the acts."""
        now = self.clock.now()
        with self._database.transaction() as connection:
            numbers = [ask(connection, workspace.id, workspace.name, act, now) for act in acts]
            offer_work(connection, workspace.id, FOR_A_PERSON)
        return numbers

    def find_decisions(self, workspace: FleetWorkspace) -> dict[str, FleetActReport]:
        """The acts that wait and decide about suggestions, by the ids of these."""
        with self._database.transaction() as connection:
            return read_decisions(connection, workspace.id)

    def note_words(self, workspace: FleetWorkspace) -> None:
        """Note that words arrive which jobs read."""
        with self._database.transaction() as connection:
            note_words(connection, workspace.id, self.clock.now())

    def read_act(self, workspace: FleetWorkspace, seq: int, asker: str | None = None) -> FleetActReport:
        """An act, with its answer once there is one; with `asker` one of that agent.

        Raises:
            UnknownAct: none has this number, or its answer is not kept any more.
        """
        with self._database.transaction() as connection:
            if act := read_act(connection, workspace.id, seq, asker):
                return act
        raise UnknownAct(str(seq), ())

    def read_figures(self) -> FleetFigures:
        """The figures of the fleet now."""
        with self._database.snapshot() as connection:
            return read_figures(connection, self.clock.now())

    def find_newest_generations(self, workspaces: Sequence[UUID]) -> dict[UUID, int]:
        """The newest generations of workspaces; one that was taken out of the fleet has none."""
        with self._database.transaction() as connection:
            return find_newest_generations(connection, workspaces)

    def clear_cache(self) -> None:
        """Remove all folders: nobody knows what was forgotten since an earlier process filled them."""
        Cache(self._machine.cache).evict(())

    def drop_folder(self, workspace: FleetWorkspace) -> None:
        """Remove the folder of a workspace; nobody may have it open."""
        self._machine.drop_folder(workspace.id)

    def is_full(self, folders: int) -> bool:
        """Whether so many folders are too many for the cache, or its disk has too little room."""
        return Cache(self._machine.cache, self._machine.limits).is_over(folders)

    def root_of(self, workspace: FleetWorkspace) -> Path:
        """The folder of a workspace at this front."""
        return self._machine.cache / str(workspace.id)

    def show_newest(self, workspace: FleetWorkspace) -> ShownGeneration:
        """Fill the folder of a workspace with its newest generation; nobody may have the folder open.

        Where something was forgotten since the last time, the index goes: it is made anew, without what was forgotten.
        """
        with self._filling:
            checkout = self._machine.fill_newest(workspace)
        root = self.root_of(workspace)
        try:
            _drop_outdated_index(root)
        except OSError as error:
            raise WriteFailed(str(root), error.strerror or str(error)) from error
        with self._database.transaction() as connection:
            agents = tuple(agents_with_tokens(connection, workspace))
        context = self._machine.context_of(checkout)
        environment = {name: value for name, value in context.environment.items() if not name.startswith(_MODEL)}
        context = replace(context, environment=environment | _NO_MODEL | _BY_WORDS, read_only=True)
        return ShownGeneration(checkout.generation, root, context, agents)


def _drop_outdated_index(root: Path) -> None:
    """Drop an index that was made before something was forgotten: its files may have the words still."""
    index, forgotten = root / STATE_FOLDER / INDEX_FOLDER, root / FORGOTTEN
    seen = hashlib.sha256(forgotten.read_bytes() if forgotten.exists() else b"").hexdigest()
    note = index / _MADE_AFTER
    if not note.exists() or note.read_text(encoding="ascii") != seen:
        if index.exists():
            rmtree(index)
        make_folder(index)
        note.write_text(seen, encoding="ascii")
