"""The second half of an update: the vectors of its text, after their words are in."""

from contextlib import suppress
from dataclasses import dataclass, replace

from pipeline.errors import Held, IndexUnavailable
from pipeline.index.context import EVERYTHING, Indexing, WorkLimit
from pipeline.index.sync.stamp import Stamp, read_stamp
from pipeline.index.sync.vectors import (
    REMEMBERED,
    STRETCHES,
    MissingVectors,
    Texts,
    VectorMaker,
    estimated,
    give_vectors,
    missing_files,
    rewrite,
    sweep,
    texts_of,
)
from pipeline.ports.index import VectorSpace
from pipeline.workspace.listing import Listing
from pipeline.workspace.locks import Latch

SETTLED_FROM = 2_000
"""How many vectors that came or went make it worth to have the store settle: each thousand makes the embedded engine
take longer to open."""
LATCH = "vectors.lock"
"""Held while vectors are made, beside the lock of the words: these go on being updated meanwhile."""
NOTED_SECONDS = 10.0
"""How long to wait for an update of the words, to note that all have their vectors."""


@dataclass(frozen=True)
class Embedded:
    """The result: how many vectors were made, how many stretches still want one, and why no more could be made."""

    made: int = 0
    waiting: int = 0
    why: str = ""


def embed(
    indexing: Indexing, listing: Listing, stamp: Stamp, missing: MissingVectors, work_limit: WorkLimit
) -> Embedded:
    """Give vectors to stretches that have none, as far as the limit allows; the caller has let go of the words.

    Where more are missing than the texts tell, all stretches are looked through; by an update with limits, only when
    few seem to be missing. While another process makes vectors, they are counted alone. Damaged ones are all made anew.
    """
    if stamp.space is None or indexing.embedder is None or (stamp.embedded and work_limit != EVERYTHING):
        return Embedded()
    maker = VectorMaker(indexing.embedder, work_limit.vectors, indexing.safe_point)
    work = _Work(indexing, listing, stamp.space, maker)
    try:
        with Latch(indexing.latch.path.with_name(LATCH)).hold(0):
            if stamp.embedded and work.are_there():
                return Embedded()
            left = work.done(replace(missing, whole=missing.whole and not stamp.embedded))
            _note(indexing, stamp, maker.made, left, work_limit)
    except Held:
        return Embedded(waiting=work.estimated())
    except IndexUnavailable as error:  # the words are in, and are searched
        return Embedded(maker.made, work.stretches(), str(error))
    return Embedded(maker.made, left, maker.why or work.refusals())


def erase_vectors(indexing: Indexing, space: VectorSpace) -> None:
    """Leave no trace of vectors that nothing refers to; damaged ones are removed as a whole, and made again."""
    try:
        rewrite(indexing, space)
    except IndexUnavailable:
        indexing.vectors.drop()


@dataclass(frozen=True)
class _Work:
    indexing: Indexing
    listing: Listing
    space: VectorSpace
    maker: VectorMaker

    def done(self, missing: MissingVectors) -> int:
        """Do it; how many vectors are still missing."""
        lost = not self.are_there() and self.stretches() > len(missing.texts)
        if missing.whole and not lost:
            self.maker.wanted = len(missing.texts)
            return self._give(missing.texts)
        if self.maker.limit is None:
            return self._give_all()
        self._give(missing.texts)
        few = self.estimated()
        return self._give_all() if few <= self.maker.limit else few

    def refusals(self) -> str:
        """The sentence about the texts that the embedder refuses, with the files that they stand in; mostly empty."""
        refused = self.maker.refused
        if not refused:
            return ""
        with self.indexing.store.reading() as reader, self.indexing.vectors.reading(self.space) as vectors:
            files = missing_files(reader, vectors) if reader else {}
        places = [path for path, keys in files.items() if keys & refused]
        others = f" and {len(places) - 1} other file(s)" if len(places) > 1 else ""
        return (
            f"{self.space.embedder} refuses {len(refused)} passage(s), of {places[0] if places else 'no file'}{others}"
        )

    def are_there(self) -> bool:
        """Whether there are vectors of this space; damaged ones are removed, which fails for those of a server."""
        try:
            with self.indexing.vectors.reading(self.space) as vectors:
                return vectors is not None
        except IndexUnavailable:
            self.indexing.vectors.drop()
            return False

    def estimated(self) -> int:
        """About how many vectors are missing, and at least one: the stamp says that there are some."""
        with self.indexing.store.reading() as reader, self.indexing.vectors.reading(self.space) as vectors:
            return max(estimated(reader, vectors), 1) if reader else 0

    def stretches(self) -> int:
        """How many stretches there are."""
        with self.indexing.store.reading() as reader:
            return reader.count(STRETCHES) if reader else 0

    def _give(self, texts: Texts) -> int:
        return give_vectors(self.indexing, self.space, texts, self.maker)

    def _give_all(self) -> int:
        with self.indexing.store.reading() as reader, self.indexing.vectors.reading(self.space) as vectors:
            files = missing_files(reader, vectors) if reader else {}
        left, before = len(set[str]().union(*files.values())), self.maker.made
        self.maker.wanted = before + left
        texts = dict[str, str]()
        for of_file in texts_of(self.indexing, self.listing, files):
            texts |= of_file
            if len(texts) >= REMEMBERED:
                self._give(texts)
                texts = {}
            if not self.maker.at_work:
                break
        self._give(texts)
        return left - (self.maker.made - before)


def _note(indexing: Indexing, stamp: Stamp, made: int, left: int, work_limit: WorkLimit) -> None:
    """Note in the index how far it is, unless others have changed it meanwhile: the next update looks again then."""
    unsettled = stamp.unsettled + made
    if work_limit == EVERYTHING and unsettled >= SETTLED_FROM and stamp.space:
        with suppress(Held):  # others want them, and all are in: another time will do
            sweep(indexing, stamp.space)
            unsettled = 0
    done = replace(stamp, embedded=not left, unsettled=unsettled)
    with indexing.latch.hold(NOTED_SECONDS):
        with indexing.store.reading() as reader:
            now = read_stamp(reader) if reader else None
        if now == stamp != done:
            with indexing.store.writing() as indexer:
                indexer.upsert([done.point()])
