"""The context of an index update: its parts, its limits, and its events."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.clock import SystemClock
from pipeline.events import Emit, silent
from pipeline.index.notes import UNSURE, NoteReading
from pipeline.markdown.blocks import Block
from pipeline.ports.details import DetailSource
from pipeline.ports.engine import Clock
from pipeline.ports.index import Embedder, IndexStore, VectorStore
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.files import Workspace
from pipeline.workspace.listing import Unreadable
from pipeline.workspace.locks import Latch
from schemas.entry import Entry
from schemas.index_settings import IndexSettings

Believed = Callable[[Block, Entry], Entry]
"""Whether an entry's words are ours, or stand in its source; with the project in which it was said."""

Wrote = Callable[[Block], bool]
"""Whether a block is ours, word for word."""


SaidIn = Callable[[str, int], str | None]
"""The project in which a session was at a message, by its id and the message's number; `None` when it may be known
later, and empty where none is known."""


@dataclass(frozen=True)
class Indexing:
    """A workspace and its index. `embedder` is `None` when there is none: no vectors are made then.

    `wrote` tells which items are ours. `latch` is held during a change of the index; searching does not need it.
    `clear_former` removes what an earlier version left in its place, and says whether there was any. With `details` it
    is the index of these, and of no file; their days are those of the IANA `zone`.
    """

    workspace: Workspace
    settings: IndexSettings
    store: IndexStore
    vectors: VectorStore
    embedder: Embedder | None
    believed: Believed
    latch: Latch
    wrote: Wrote = lambda _: False
    said_in: SaidIn = lambda _, __: ""
    notes: NoteReading = UNSURE
    clear_former: Callable[[], bool] = lambda: False
    details: DetailSource | None = None
    zone: str = "UTC"
    clock: Clock = field(default_factory=SystemClock)
    emit: Emit = silent
    safe_point: CancellationToken = field(default_factory=CancellationToken)


@dataclass(frozen=True)
class WorkLimit:
    """The limits of one update: `files` that changed, `vectors` to make, and bytes of details; `None` is no limit.

    When more files than that have changed, none is updated: a search should not wait for an hour of indexing. Of
    details, as many are updated as have so many bytes (`size`), and one at least.
    """

    files: int | None = None
    vectors: int | None = None
    size: int | None = None


EVERYTHING = WorkLimit()
JUST_LOOK = WorkLimit(files=0, vectors=0)
"""For an update that finds out what there is to do, and leaves it."""


@dataclass(frozen=True)
class Updated:
    """The result of an update. `files` is the number of files; `behind` that of the changed ones left for later.

    `passages` is the number put into the index, `vectors` that of the vectors made and `waiting` that of the vectors
    still to make, of those for so many `stretches`. `rebuilt` says why the index was built anew, and is empty when it
    was not. `without_vectors` says why no vectors could be made, and is empty when they could.
    """

    files: int = 0
    added: int = 0
    changed: int = 0
    gone: int = 0
    behind: int = 0
    passages: int = 0
    vectors: int = 0
    waiting: int = 0
    stretches: int = field(default=0, compare=False)
    unreadable: tuple[Unreadable, ...] = ()
    rebuilt: str = ""
    without_vectors: str = ""
