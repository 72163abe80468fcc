"""The identity of an index: the parts it was built with, and why other parts need a new build."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import Any

from pipeline.errors import EmbedderUnavailable
from pipeline.index.chunking import documents
from pipeline.index.context import Indexing
from pipeline.index.sync import points
from pipeline.language import analysis

NO_EMBEDDER = ""


@dataclass(frozen=True)
class Identity:
    """The parts that decide the content of an index, by name and version.

    `embedder` is empty, and `dimension` 0, in an index of words alone.
    """

    engine: str
    analysis: int
    reading: int
    points: int
    embedder: str = NO_EMBEDDER
    dimension: int = 0

    def stamp(self) -> dict[str, Any]:
        """As it stands in the index."""
        return asdict(self)

    def same_vectors(self, other: "Identity | None") -> bool:
        """Whether both know vectors, and the same ones."""
        if other is None or not self.embedder:
            return False
        return (self.embedder, self.dimension) == (other.embedder, other.dimension)


_NAMES = frozenset(field.name for field in fields(Identity))
_ANEW = {
    "analysis": "words are counted in another way now",
    "reading": "files are read in another way now",
    "points": "passages are indexed in another way now",
}


def read_stamp(stamp: Mapping[str, Any] | None) -> Identity | None:
    """The identity of an index by its stamp; `None` for one that another version of this program made."""
    if stamp is None or set(stamp) != _NAMES:
        return None
    with suppress(TypeError, ValueError):
        return Identity(
            engine=str(stamp["engine"]),
            analysis=int(stamp["analysis"]),
            reading=int(stamp["reading"]),
            points=int(stamp["points"]),
            embedder=str(stamp["embedder"]),
            dimension=int(stamp["dimension"]),
        )
    return None


def identity_now(indexing: Indexing, known: Identity | None, *, for_sure: bool = False) -> Identity:
    """The wanted identity of the index.

    While there is no embedder, it keeps that of the `known` index, whose vectors are worth keeping. Unless `for_sure`,
    an embedder of the same name is taken to make vectors of the same length: some have to ask a server.
    """
    embedder, dimension = _embedder(indexing, None if for_sure else known)
    if not embedder and known:
        embedder, dimension = known.embedder, known.dimension
    return Identity(
        engine=indexing.store.name,
        analysis=analysis.VERSION,
        reading=documents.VERSION,
        points=points.VERSION,
        embedder=embedder,
        dimension=dimension,
    )


def difference(known: Identity | None, now: Identity) -> str:
    """Why an index has to be made anew, as the second half of a sentence; empty when it need not."""
    if known is None:
        return "it does not say what it was made with, or was made by another version"
    if known.engine != now.engine:
        return f"the engine changed from {known.engine} to {now.engine}"
    if not known.embedder and now.embedder:
        return f"there is an embedder now, {now.embedder}"
    if known.embedder != now.embedder:
        return f"the embedder changed from {known.embedder} to {now.embedder}"
    if known.dimension != now.dimension:
        return f"the vectors of {now.embedder} have {now.dimension} numbers now, and had {known.dimension}"
    return next((why for name, why in _ANEW.items() if getattr(known, name) != getattr(now, name)), "")


def _embedder(indexing: Indexing, known: Identity | None) -> tuple[str, int]:
    """Name and dimension; of one that cannot be had now, as of none."""
    if indexing.embedder is not None:
        with suppress(EmbedderUnavailable):
            name = indexing.embedder.name
            return name, known.dimension if known and known.embedder == name else indexing.embedder.dimension
    return NO_EMBEDDER, 0
