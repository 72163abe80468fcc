"""A machine of a fleet: workspaces that it has checked out, each in a folder of its cache."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.errors import WriteFailed
from pipeline.errors.fleet import CheckoutLost, GenerationDamaged, WorkspaceTakenOut
from pipeline.events import Event
from pipeline.fleet.cache import Cache, CacheLimits
from pipeline.fleet.checkout import Checkout, Published, is_lost, publish, take_workspace
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.pieces import read_pieces
from pipeline.fleet.slice_store import SliceStore
from pipeline.fleet.tree import WorkspaceTree
from pipeline.fleet.workspaces import (
    FleetWorkspace,
    find_existing_workspaces,
    find_generations_of_forgetting,
    find_newest_generations,
)
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.settings.locate import WORKSPACE_VARIABLE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout

_NO_HOME = "nobody"
_SERVERS = ("MEMORY_MODEL__BASE_URL", "MEMORY_MODEL__NAME", "MEMORY_EMBEDDER__BASE_URL")
_LOGGED = frozenset({"job", "key", "run", "run_id", "ending", "reason", "rebuilt"})
_NO_EPOCH = -1  # with which nobody has taken a workspace
EndTransaction = Callable[[Connection[TupleRow], Checkout], None]
"""What belongs into the transaction that publishes, with the checkout to go on with."""


@dataclass
class Machine:
    """A machine with a `cache` folder that no other process uses. `fetched` counts the pieces that it has read.

    Who works in a folder holds `busy`.
    """

    database: FleetDatabase
    cache: Path
    context: ProcessContext
    limits: CacheLimits = field(default_factory=CacheLimits)
    fetched: int = 0
    busy: Lock = field(default_factory=Lock)
    _trees: dict[UUID, WorkspaceTree] = field(default_factory=dict)
    _filled: dict[UUID, int] = field(default_factory=dict)

    def evict(self) -> None:
        """Remove folders that are too many, or have what is gone from the fleet; nobody may be busy.

        That is a workspace that was taken out, or words that were forgotten after this process has filled the folder.
        """
        cache = Cache(self.cache, self.limits)
        try:
            with self.database.transaction() as connection:
                kept = find_existing_workspaces(connection, cache.workspaces())
                forgotten = find_generations_of_forgetting(connection, [*kept])
            kept -= {name for name, generation in forgotten.items() if generation > self._filled.get(name, 0)}
            for workspace in cache.evict(kept):
                self._trees.pop(workspace, None)
        except OSError as error:
            raise WriteFailed(str(error.filename or self.cache), error.strerror or str(error)) from error

    def drop_folder(self, workspace: UUID) -> None:
        """Remove the folder of a workspace; nobody may be busy in it."""
        shutil.rmtree(Cache(self.cache).folder(workspace), ignore_errors=True)
        self._trees.pop(workspace, None)

    def take(self, workspace: FleetWorkspace) -> Checkout:
        """Take a workspace, whoever has it."""
        with self.database.transaction() as connection:
            return take_workspace(connection, workspace.id, workspace.name)

    def fill(self, checkout: Checkout) -> None:
        """Make the folder of a checkout have the files of its generation."""
        tree = self._tree(checkout)
        try:
            tree.look(checkout.files)  # before a transaction waits for it: some GB take a minute
            with self.database.snapshot() as connection:
                self.fetched += tree.match(checkout.files, partial(read_pieces, connection, checkout.workspace))
            self._filled[checkout.workspace] = checkout.generation
            Cache(self.cache).note_use(checkout.workspace)
        except OSError as error:
            raise WriteFailed(str(tree.root), error.strerror or str(error)) from error
        except ValueError as error:
            # Who took it meanwhile may have forgotten something, and with it every earlier generation.
            with self.database.transaction() as connection:
                if is_lost(connection, checkout):
                    raise CheckoutLost(checkout.name) from error
            raise GenerationDamaged(checkout.name, checkout.generation) from error

    def fill_newest(self, workspace: FleetWorkspace) -> Checkout:
        """Make the folder of a workspace have its newest generation, for readers: nothing can be published with it.

        Raises:
            WorkspaceTakenOut: it was taken out of the fleet.
        """
        with self.database.snapshot() as connection:
            newest = find_newest_generations(connection, [workspace.id]).get(workspace.id)
            if newest is None:
                raise WorkspaceTakenOut(workspace.name)
            files = read_manifest(connection, workspace.id, newest)
            checkout = Checkout(workspace.id, workspace.name, _NO_EPOCH, newest, files)
            tree = self._tree(checkout)
            try:
                self.fetched += tree.match(files, partial(read_pieces, connection, workspace.id))
            except OSError as error:
                raise WriteFailed(str(tree.root), error.strerror or str(error)) from error
            except ValueError as error:
                raise GenerationDamaged(workspace.name, newest) from error
        return checkout

    def open_store(self, checkout: Checkout) -> SliceStore:
        """The store of a workspace for work on it; it has to be closed."""
        root = self.root_of(checkout)
        settings = load_settings(root, self.context_of(checkout).environment)
        return SliceStore(root, settings.store, fleet=self.database, checkout=checkout)

    def publish(
        self, checkout: Checkout, end: EndTransaction = lambda _, __: None, store: SliceStore | None = None
    ) -> Published | None:
        """Publish the folder of a workspace as it is now, with what was written in its store.

        `None` when no file has changed. `end` is called anyway.
        """
        tree = self._tree(checkout)
        settings = load_settings(tree.root, self.context_of(checkout).environment)
        workspace = Workspace(tree.root, Layout(discover(), settings.agents.root))
        with store.publication() if store else self.database.transaction() as connection:
            take = partial(tree.take, workspace, settings.index)
            published = publish(connection, checkout, take, self.context.clock.now())
            end(connection, published.checkout if published else checkout)
        if published:
            tree.note(published.checkout.files)
            self._filled[checkout.workspace] = published.checkout.generation
        return published

    def context_of(self, checkout: Checkout) -> ProcessContext:
        """The context of work on a workspace: its conversations and details are in the database of the fleet.

        With a home in which nothing is known, settings that lead out of the workspace are refused: they are those of an
        owner, and neither the folders nor the programs of this machine are. Nor are the servers on it, which a person
        may name on a machine of their own. Events name the workspace, and have no words of the owner: what is forgotten
        would stay in a log.
        """
        servers = {name: self.context.environment.get(name, "") for name in _SERVERS}
        own = {
            "HOME": str(self.cache / _NO_HOME),
            "XDG_CONFIG_HOME": "",
            WORKSPACE_VARIABLE: "",
            "MEMORY_STORE__URL": self.database.url,
            "MEMORY_STORE__WORKSPACE": str(checkout.workspace),
            **servers,
        }

        def announce(event: Event, **fields: object) -> None:
            named = {name: value for name, value in fields.items() if name in _LOGGED}
            self.context.emit(event, workspace=checkout.name, **named)

        return replace(self.context, environment={**self.context.environment, **own}, emit=announce)

    def root_of(self, checkout: Checkout) -> Path:
        """The folder of a workspace that is checked out."""
        return self._tree(checkout).root

    def _tree(self, checkout: Checkout) -> WorkspaceTree:
        return self._trees.setdefault(checkout.workspace, WorkspaceTree(Cache(self.cache).folder(checkout.workspace)))
