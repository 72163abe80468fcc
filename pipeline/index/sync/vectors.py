"""The vectors of stretches of text: each text is embedded once, in whatever files it is, and kept under its hash.

They are the second half of an update, after the words are in. The word index is the record of what is in the index. A
vector that is missing there is made, one that nothing refers to is taken out when the vectors settle; so a crash
between the two stores costs no more than a look.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from typing import TypeVar

from pipeline.clock import stopwatch
from pipeline.errors import EmbedderUnavailable, Held, IndexUnavailable
from pipeline.events import Event
from pipeline.index import schema as layout
from pipeline.index.chunking.documents import day_in
from pipeline.index.context import EVERYTHING, Indexing, WorkLimit
from pipeline.index.sync.file_intake import read_stretches
from pipeline.index.sync.points import DraftPoint
from pipeline.index.sync.stamp import Stamp, note_progress
from pipeline.ports.index import Embedder, Searcher, Vector, VectorSearcher, VectorSpace, Where
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.listing import Listing
from pipeline.workspace.locks import Latch

SETTLED_FROM = 2_000
"""The number of changed vectors from which on the store settles: each thousand makes the embedded engine open more
slowly."""
LATCH = "vectors.lock"
"""The lock that is held while vectors are made; the words have a lock of their own, and are updated meanwhile."""
NOTED_SECONDS = 10.0
"""Seconds to wait for an update of the words, to note that all have their vectors."""
TEXTS_AT_ONCE = 16
"""Texts that an embedder is given at once: enough for it to be fast, and few enough to stop soon."""
LOOKED_UP_AT_ONCE = 4_096
"""Keys that are looked up at once, for their vectors."""
HELD_SECONDS = 1.0
"""Seconds for which vectors are held back before they are put in; a stop may lose them."""
REPORTED_SECONDS = 10.0
"""Seconds between reports on progress, while an embedder is at work."""
REMEMBERED = 1_000
"""The most texts of new passages that are remembered until their vectors are made; of more, the files are cut again."""

STRETCHES = Where(any_of={layout.SORT: (layout.STRETCH,)})

Texts = Mapping[str, str]
"""The texts that vectors are made of, by the key of the vector."""

T = TypeVar("T")


def in_parts(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most `size` items, in their order."""
    left = iter(things)
    while part := list(islice(left, size)):
        yield part


@dataclass
class MissingVectors:
    """The texts to embed, by key, and their paths. With `whole`, no other is missing; too many are not remembered."""

    texts: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    whole: bool = True

    def add(self, drafts: Iterable[DraftPoint]) -> None:
        """Note what new passages want."""
        if self.whole:
            for draft in drafts:
                self.texts[draft.content] = draft.stretch
                self.paths.setdefault(draft.content, draft.payload[layout.PATH])
            self.whole = len(self.texts) <= REMEMBERED
            if not self.whole:
                self.texts.clear()
                self.paths.clear()

    @property
    def in_turn(self) -> Texts:
        """The texts in the order in which they are embedded."""
        return {key: self.texts[key] for key in sorted(self.texts, key=lambda key: _turn(self.paths[key]))}


@dataclass
class VectorMaker:
    """Makes vectors of about `limit` texts. `why` has the reason when it failed; `made` counts the vectors.

    `refused` are the keys of the texts that the embedder did not take, each by itself.

    `wanted` is how many there are to make, as far as is known; `seconds` is how long those that
    are made took, and `reported` what it was at the last report.
    """

    embedder: Embedder | None
    limit: int | None = None
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    wanted: int = 0
    made: int = 0
    seconds: float = 0.0
    reported: float = -REPORTED_SECONDS
    why: str = ""
    refused: set[str] = field(default_factory=set)

    @property
    def at_work(self) -> bool:
        """Whether it can and may make more."""
        return self.embedder is not None and not self.why and (self.limit is None or self.made < self.limit)

    def make(self, wanted: Texts) -> Iterator[dict[str, Vector]]:
        """The vectors by key, a few at a time and as far as that goes."""
        for part in in_parts(wanted.items(), min(TEXTS_AT_ONCE, self.limit or TEXTS_AT_ONCE)):
            if not self.at_work or self.embedder is None:
                return
            self.safe_point()
            since = stopwatch()
            try:
                vectors = self._vectors_of(self.embedder, part)
            except EmbedderUnavailable as error:
                self.why = str(error)
                return
            self.made += len(vectors)
            self.seconds += stopwatch() - since
            if vectors:
                yield vectors

    def _vectors_of(self, embedder: Embedder, part: Sequence[tuple[str, str]]) -> dict[str, Vector]:
        """The vectors of all texts that the embedder takes: of those that it refuses together, the halves are asked."""
        try:
            vectors = embedder.passages([text for _, text in part])
        except EmbedderUnavailable as error:
            if not error.refused:
                raise
            if len(part) == 1:
                self.refused.add(part[0][0])
                return {}
            half = len(part) // 2
            return self._vectors_of(embedder, part[:half]) | self._vectors_of(embedder, part[half:])
        return {key: vector for (key, _), vector in zip(part, vectors, strict=True)}


@dataclass
class ReferredTexts:
    """The texts that the index has now: of those of a `version` all, while that is the index."""

    indexing: Indexing
    version: bytes = b""

    def among(self, keys: Collection[str]) -> set[str]:
        """The keys, of these, whose text is in the index now."""
        if self.version and self.version == self.indexing.store.version():
            return {*keys}
        with self.indexing.store.reading() as reader:
            points = reader.scroll(Where(any_of={layout.CONTENT: [*keys]})) if reader else ()
            return {point.payload[layout.CONTENT] for point in points}


def give_vectors(
    indexing: Indexing, space: VectorSpace, wanted: Texts, maker: VectorMaker, referred: ReferredTexts | None = None
) -> int:
    """Make those of the wanted vectors that are not there, and put them in; how many are still missing.

    It may take hours: a text that was forgotten or changed meanwhile is not embedded, and is not missing any more.
    """
    referred = referred or ReferredTexts(indexing)
    with indexing.vectors.reading(space) as vectors:
        missing = wanted.keys() - (vectors.known_keys(wanted.keys()) if vectors else set())
    since, held = stopwatch(), dict[str, Vector]()
    left = len(missing)
    for part in in_parts((key for key in wanted if key in missing), TEXTS_AT_ONCE):
        if not maker.at_work:
            break
        now = referred.among(part)
        left -= len(part) - len(now)
        for made in maker.make({key: wanted[key] for key in part if key in now}):
            held |= made
            left -= len(made)
            _report_progress(indexing, maker)
        if stopwatch() - since >= HELD_SECONDS:
            _put_in(indexing, space, held, referred)
            since, held = stopwatch(), {}
    _put_in(indexing, space, held, referred)
    return left


def _report_progress(indexing: Indexing, maker: VectorMaker) -> None:
    """Report the progress now and then, when all vectors are wanted: a first index may take an embedder hours."""
    left = (maker.wanted - maker.made) * maker.seconds / maker.made
    if maker.limit is None and left >= REPORTED_SECONDS and maker.seconds - maker.reported >= REPORTED_SECONDS:
        maker.reported = maker.seconds
        indexing.emit(Event.VECTORS_PROGRESSED, made=maker.made, wanted=maker.wanted, seconds_left=round(left))


def missing_files(reader: Searcher, vectors: VectorSearcher | None) -> dict[str, set[str]]:
    """The keys that have no vector, by the files that want them, in the order of the files."""
    missing = dict[str, set[str]]()
    for part in in_parts(reader.scroll(STRETCHES), LOOKED_UP_AT_ONCE):
        pairs = [(point.payload[layout.CONTENT], point.payload[layout.PATH]) for point in part]
        known = vectors.known_keys({key for key, _ in pairs}) if vectors else set()
        for key, path in pairs:
            if key not in known:
                missing.setdefault(path, set()).add(key)
    return dict(sorted(missing.items()))


def texts_of(indexing: Indexing, listing: Listing, missing: Mapping[str, str]) -> Iterator[Texts]:
    """The texts of missing vectors, file by file; a file that has changed since may give fewer.

    Of each file the keys stand with a blank between two, which takes a fifth of the memory of sets.

    `MEMORY.md` comes first, then our own lines, then wrap-ups and pages, then notes; of each the newest day. It may
    take hours.
    """
    for listed in sorted(listing.files, key=lambda listed: _turn(listed.path)):
        if wanted := {*missing.get(listed.path, "").split()}:
            yield {key: text for key, text in read_stretches(indexing, listed).items() if key in wanted}


def _turn(path: str) -> tuple[int, int]:
    """The turn of a file among those that are embedded: by the sort of the file, then the newest day."""
    newest = -(day_in(path) or date.min).toordinal()
    if ":" in path:  # notes, by the name of their source
        return 3, newest
    return 0 if path == "MEMORY.md" else 1 if path.startswith("memory/") else 2, newest


def count_stretches(indexing: Indexing) -> int:
    """The number of stretches of text, each of which has a vector once all are made."""
    with indexing.store.reading() as reader:
        return reader.count(STRETCHES) if reader else 0


def sweep(indexing: Indexing, space: VectorSpace) -> None:
    """Take out the vectors that nothing refers to, and have the rest settle."""
    with indexing.store.reading() as reader, indexing.vectors.writing(space) as indexer:
        wanted = {point.payload[layout.CONTENT] for point in reader.scroll(STRETCHES)} if reader else set()
        indexer.delete(set(indexer.keys()) - wanted)
    indexing.vectors.settle()


def rewrite(indexing: Indexing, space: VectorSpace) -> None:
    """Make the store of vectors anew from those that are referred to: nothing else is left of the old one."""
    with indexing.store.reading() as reader, indexing.vectors.building(space) as indexer:
        if reader is None:
            return
        for part in in_parts(reader.scroll(STRETCHES), LOOKED_UP_AT_ONCE):
            with indexing.vectors.reading(space) as old:
                indexer.put_vectors(old.vectors({point.payload[layout.CONTENT] for point in part}) if old else {})


def _put_in(indexing: Indexing, space: VectorSpace, vectors: Mapping[str, Vector], referred: ReferredTexts) -> None:
    """Put vectors in. Those of a text that was forgotten while it was embedded would come in after its erasure."""
    if vectors:
        with indexing.vectors.writing(space) as indexer:
            now = referred.among(vectors)
            indexer.put_vectors({key: vector for key, vector in vectors.items() if key in now})


@dataclass(frozen=True)
class Embedded:
    """The result: how many vectors were made, how many stretches still want one, and why no more could be made."""

    made: int = 0
    waiting: int = 0
    why: str = ""


def embed(
    indexing: Indexing, listing: Listing, words: tuple[Stamp, bytes], missing: MissingVectors, work_limit: WorkLimit
) -> Embedded:
    """Give vectors to stretches that have none, as far as the limit allows; the caller has let go of the words.

    Of the `words` it takes the stamp, and the version of the index that has this stamp and what is missing.

    Where more are missing than the texts tell, all stretches are looked through; by an update with limits, only when
    few seem to be missing. While another process makes vectors, they are counted alone. Damaged ones are all made anew.
    """
    stamp, version = words
    if stamp.space is None or indexing.embedder is None or (stamp.embedded and work_limit != EVERYTHING):
        return Embedded()
    maker = VectorMaker(indexing.embedder, work_limit.vectors, indexing.safe_point)
    work = _VectorWork(indexing, listing, stamp.space, maker, version)
    try:
        with Latch(indexing.latch.path.with_name(LATCH)).hold(0):
            there = work.are_there()
            if stamp.embedded and there:
                return Embedded()
            if stamp.embedded and not _note_loss(work, stamp):
                return Embedded(waiting=work.estimate())
            lost = stamp.embedded or (not there and count_stretches(indexing) > len(missing.texts))
            left = work.make_missing(replace(missing, whole=missing.whole and not lost))
            _note_progress(work, replace(stamp, embedded=False), left, work_limit, there=there)
    except Held:
        return Embedded(waiting=work.estimate())
    except IndexUnavailable as error:  # the words are in, and are searched
        return Embedded(maker.made, count_stretches(indexing), str(error))
    return Embedded(maker.made, left, maker.why or work.refusals())


def erase_vectors(indexing: Indexing, space: VectorSpace) -> None:
    """Leave no trace of vectors that nothing refers to; damaged ones are removed as a whole, and made again."""
    try:
        rewrite(indexing, space)
    except IndexUnavailable:
        indexing.vectors.drop()


@dataclass(frozen=True)
class _VectorWork:
    indexing: Indexing
    listing: Listing
    space: VectorSpace
    maker: VectorMaker
    version: bytes

    @property
    def has_last_words(self) -> bool:
        """Whether the words are those for which vectors are made."""
        return bool(self.version) and self.version == self.indexing.store.version()

    def make_missing(self, missing: MissingVectors) -> int:
        """Do it; how many vectors are still missing."""
        if missing.whole:
            self.maker.wanted = len(missing.texts)
            return self._give(missing.in_turn, self.version)
        if self.maker.limit is None:
            return self._give_all()
        self._give(missing.in_turn, self.version)
        few = self.estimate()
        return self._give_all() if few <= self.maker.limit else few

    def refusals(self) -> str:
        """The sentence about the texts that the embedder refuses, with the files that they stand in; mostly empty."""
        refused = self.maker.refused
        if not refused:
            return ""
        files = self._missing_files()
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

    def estimate(self) -> int:
        """About how many vectors are missing, and at least one: the stamp says that there are some."""
        with self.indexing.store.reading() as reader, self.indexing.vectors.reading(self.space) as vectors:
            return max(reader.count(STRETCHES) - (vectors.size() if vectors else 0), 1) if reader else 0

    def _give(self, texts: Texts, version: bytes) -> int:
        return give_vectors(self.indexing, self.space, texts, self.maker, ReferredTexts(self.indexing, version))

    def _missing_files(self) -> dict[str, set[str]]:
        with self.indexing.store.reading() as reader, self.indexing.vectors.reading(self.space) as vectors:
            return missing_files(reader, vectors) if reader else {}

    def _give_all(self) -> int:
        version, missing = self.indexing.store.version(), self._missing_files()
        left, before = len(set[str]().union(*missing.values())), self.maker.made
        files = {path: " ".join(missing.pop(path)) for path in list(missing)}
        self.maker.wanted = before + left
        texts = dict[str, str]()
        for of_file in texts_of(self.indexing, self.listing, files):
            texts |= of_file
            if len(texts) >= REMEMBERED:
                self._give(texts, version)
                texts = {}
            if not self.maker.at_work:
                break
        self._give(texts, version)
        return left - (self.maker.made - before)


def _note_loss(work: _VectorWork, stamp: Stamp) -> bool:
    """Note that vectors are missing, before the first is made anew; not where others have changed the index meanwhile.

    Once one is made, only the note tells that the rest is missing.
    """
    with work.indexing.latch.hold(NOTED_SECONDS):
        if noted := work.has_last_words:
            note_progress(work.indexing, replace(stamp, embedded=False))
    return noted


def _note_progress(work: _VectorWork, stamp: Stamp, left: int, work_limit: WorkLimit, *, there: bool) -> None:
    """Note the progress beside the index, unless others have changed it meanwhile: then the next update looks again.

    Where no vectors were `there`, and nothing has changed, none has to be swept out.
    """
    indexing = work.indexing
    unsettled = stamp.unsettled + work.maker.made
    if work_limit == EVERYTHING and unsettled >= SETTLED_FROM:
        with suppress(Held):  # others want them, and all are in: another time will do
            if there or not work.has_last_words:
                sweep(indexing, work.space)
            else:
                indexing.vectors.settle()
            unsettled = 0
    done = replace(stamp, embedded=not left, unsettled=unsettled)
    with indexing.latch.hold(NOTED_SECONDS):
        if done != stamp and work.has_last_words:
            note_progress(indexing, done)
