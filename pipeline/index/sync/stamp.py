"""The stamp of an index: what it was built with, why other parts need a new build, and how far it is done."""

import json
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path

from pipeline.errors import EmbedderUnavailable, WriteFailed
from pipeline.index import schema as layout
from pipeline.index.chunking import documents
from pipeline.index.context import Indexing
from pipeline.index.sync import points
from pipeline.language import analysis
from pipeline.ports.index import IndexPoint, Searcher, VectorSpace
from pipeline.workspace.regular_files import read_regular, replace_private

PROGRESS = "vectors.json"
"""The file with the progress of the vectors since the stamp was written: a commit for it alone syncs twenty files."""


def _new_mark() -> str:
    return uuid.uuid4().hex[:16]


@dataclass(frozen=True)
class Identity:
    """The parts that decide the content of a word index, by name and version. Vectors have a space of their own."""

    engine: str
    analysis: int
    reading: int
    points: int


@dataclass(frozen=True)
class PastLength:
    """The length of the vectors before the embedder of the same name changed it, and when that was noticed."""

    dimension: int
    until: datetime


@dataclass(frozen=True)
class Stamp:
    """The stamp of an index: its identity, the space of its vectors, and how far it is done.

    `folded` is whether the standings are those of the entries, `embedded` whether each passage is known to have its
    vector, and `unsettled` how many vectors came and passages went since the vectors settled. `past` is the last change
    of their length under one name, if there was any. The `mark` is another one after each change of the stamp.
    """

    identity: Identity
    space: VectorSpace | None = None
    folded: bool = True
    embedded: bool = False
    unsettled: int = 0
    past: PastLength | None = None
    mark: str = field(default_factory=_new_mark, compare=False)

    def after(self, *, entries: bool, passages: bool, gone: int) -> "Stamp":
        """The stamp after a change: whether entries came or went, passages came, and how many points are gone."""
        after = replace(
            self,
            folded=self.folded and not entries,
            embedded=self.embedded and not passages,
            unsettled=self.unsettled + (gone if self.space else 0),
            mark=_new_mark(),
        )
        return self if after == self else after

    def point(self) -> IndexPoint:
        """The stamp as a point of the index."""
        payload = {
            layout.SORT: layout.STAMP,
            layout.IDENTITY: asdict(self.identity),
            layout.SPACE: [self.space.embedder, self.space.dimension] if self.space else [],
            layout.FOLDED: self.folded,
            layout.EMBEDDED: self.embedded,
            layout.UNSETTLED: self.unsettled,
            layout.PAST: [self.past.dimension, self.past.until.isoformat()] if self.past else [],
            layout.MARK: self.mark,
        }
        return IndexPoint(layout.STAMP_ID, payload)


_NAMES = frozenset(field.name for field in fields(Identity))
_ANEW = {
    "analysis": "words are counted in another way now",
    "reading": "files are read in another way now",
    "points": "passages are indexed in another way now",
}


def read_stamp(reader: Searcher) -> Stamp | None:
    """The stamp of an index; `None` when another version of this program made it."""
    payload = next((point.payload for point in reader.retrieve([layout.STAMP_ID])), {})
    with suppress(KeyError, TypeError, ValueError):
        space, past = payload[layout.SPACE], payload.get(layout.PAST)
        stamp = payload[layout.IDENTITY]
        if set(stamp) != _NAMES:
            raise ValueError(stamp)
        return Stamp(
            Identity(
                engine=str(stamp["engine"]),
                analysis=int(stamp["analysis"]),
                reading=int(stamp["reading"]),
                points=int(stamp["points"]),
            ),
            VectorSpace(*space) if space else None,
            folded=payload[layout.FOLDED],
            embedded=payload[layout.EMBEDDED],
            unsettled=payload[layout.UNSETTLED],
            past=PastLength(int(past[0]), datetime.fromisoformat(past[1])) if past else None,
            mark=str(payload.get(layout.MARK, "")),
        )
    return None


def stamp_now(indexing: Indexing, reader: Searcher) -> Stamp | None:
    """The stamp of an index, with the progress of its vectors since; `None` when another version made it."""
    stamp = read_stamp(reader)
    if stamp is None:
        return None
    try:
        noted = json.loads(read_regular(_progress(indexing)))
        progress = replace(stamp, embedded=bool(noted[layout.EMBEDDED]), unsettled=int(noted[layout.UNSETTLED]))
        return progress if stamp.mark and noted[layout.MARK] == stamp.mark else stamp
    except (OSError, ValueError, KeyError, TypeError):
        return replace(stamp, embedded=False)


def note_progress(indexing: Indexing, stamp: Stamp) -> None:
    """Note the progress of the vectors since the stamp was written.

    A note that is lost costs a look at all of them. One that some are missing is on the disk at once, so that no
    earlier one takes its place.
    """
    note = {layout.MARK: stamp.mark, layout.EMBEDDED: stamp.embedded, layout.UNSETTLED: stamp.unsettled}
    try:
        replace_private(_progress(indexing), json.dumps(note).encode(), lasting=not stamp.embedded)
    except OSError as error:
        raise WriteFailed(str(_progress(indexing)), error.strerror or str(error)) from error


def _progress(indexing: Indexing) -> Path:
    return indexing.latch.path.with_name(PROGRESS)


def identity_now(indexing: Indexing) -> Identity:
    """The wanted identity of the index."""
    return Identity(
        engine=indexing.store.name,
        analysis=analysis.VERSION,
        reading=documents.VERSION,
        points=points.VERSION,
    )


def space_now(indexing: Indexing, known: VectorSpace | None, *, for_sure: bool = False) -> VectorSpace | None:
    """The wanted space of the vectors; `None` for words alone.

    While there is no embedder, it is the `known` one, whose vectors are worth keeping. Unless `for_sure`, an embedder
    of the same name is taken to make vectors of the same length: some have to ask a server.
    """
    if indexing.embedder is not None:
        with suppress(EmbedderUnavailable):
            name = indexing.embedder.name
            if known and known.embedder == name and not for_sure:
                return known
            return VectorSpace(name, indexing.embedder.dimension)
    return known


def past_length(known: Stamp | None, space: VectorSpace | None, now: datetime) -> PastLength | None:
    """The last change of the vectors' length when the index goes from a stamp to a space `now`."""
    before = known.space if known else None
    if before and space and before.embedder == space.embedder and before.dimension != space.dimension:
        return PastLength(before.dimension, now)
    return known.past if known else None


def difference(known: Identity | None, now: Identity) -> str:
    """The reason to make an index anew, as the second half of a sentence; empty when there is none."""
    if known is None:
        return "it does not say what it was made with, or was made by another version"
    if known.engine != now.engine:
        return f"the engine changed from {known.engine} to {now.engine}"
    return next((why for name, why in _ANEW.items() if getattr(known, name) != getattr(now, name)), "")
