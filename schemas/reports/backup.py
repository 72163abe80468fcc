"""Back-ups and restores as programs get them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class BackupReport:
    """A back-up that was made in `folder`, with its `generation`; when nothing has `changed`, that was made before.

    `files` and `size` (bytes) are of the whole state, `pieces` and `written` (bytes) of what was added for it.
    `generations` are those that are kept now, `incomplete` those of them that lack a piece, and `damaged` is how many
    pieces `--verify` found unusable. `unreadable` names the files that are not in it, each with the reason. With
    `store_elsewhere` the store is on a PostgreSQL server, and not in it.
    """

    folder: str
    generation: int
    made: datetime
    changed: bool
    files: int
    size: int
    pieces: int
    written: int
    generations: tuple[int, ...]
    damaged: int
    incomplete: tuple[int, ...]
    unreadable: tuple[str, ...]
    chain: str
    store_elsewhere: bool = False


@dataclass(frozen=True)
class GenerationReport:
    """A generation of a back-up: when it was made, by which host, of the workspace in which `folder`.

    `files` and `size` (bytes) are of the whole state; it is `whole` when all its pieces are there. `signed` says
    whether the owner's key was seen to have signed it.
    """

    generation: int
    made: datetime
    host: str
    folder: str
    files: int
    size: int
    whole: bool
    signed: bool


@dataclass(frozen=True)
class RestoreReport:
    """A workspace that was restored from a `generation` that `host` made.

    It was `merged` into what was there, or is a new folder. `files` are the paths that were written. `forgotten` is
    how much was erased again, because it was forgotten after the generation was made. `missing` are paths of the
    settings that are not on this machine. `signed` says whether the owner's key was seen to have signed it.
    """

    folder: str
    generation: int
    made: datetime
    host: str
    merged: bool
    signed: bool
    files: tuple[str, ...]
    forgotten: int
    missing: tuple[str, ...]
