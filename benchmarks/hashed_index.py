"""Our index with an embedder that only hashes, so that what is measured is the index and not a model.

`python -m benchmarks.hashed_index ROOT ROLE` is a process that works with it: `full` and `search WORD...` do that once;
`updates` edits a file and takes it in, and `rebuilds` makes the index anew, both over and over until their input ends.
"""

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from threading import Event, Thread
from zlib import crc32

from pipeline.app.index import IndexOptions, open_index
from pipeline.clock import stopwatch
from pipeline.index.context import Indexing
from pipeline.index.search.fresh_search import EVERY_SECONDS, Answering
from pipeline.index.search.search import Searching
from pipeline.index.sync.update import rebuild, update
from pipeline.ports.index import Vector
from pipeline.process.context import ProcessContext
from schemas.requests import SearchRequest

DIMENSION = 384
LINGER_SECONDS = 1.0
WAIT_SECONDS = 60.0


class HashedWords:
    """An embedder that hashes whole words, and counts the seconds that it takes.

    `tests.support.ports.hashing_embedder` hashes parts of words too and takes a millisecond for a text, so that a large
    build would run into the time that it has for vectors.
    """

    name = f"hashed-words-{DIMENSION}"
    dimension = DIMENSION

    def __init__(self) -> None:
        """None yet."""
        self.seconds = 0.0

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order."""
        began = stopwatch()
        vectors = [_vector(text) for text in texts]
        self.seconds += stopwatch() - began
        return vectors

    def question(self, text: str) -> Vector:
        """The same vector as the text has as a passage."""
        return self.passages([text])[0]


def _vector(text: str) -> Vector:
    counts = Counter(crc32(word.encode()) % DIMENSION for word in text.lower().split()) or Counter([0])
    length = math.hypot(*counts.values())
    vector = [0.0] * DIMENSION
    for place, number in counts.items():
        vector[place] = number / length
    return vector


@dataclass(frozen=True)
class Hashed:
    """An open index."""

    indexing: Indexing
    searching: Searching
    embedder: HashedWords

    def answering(self, *, every: float = EVERY_SECONDS) -> Answering:
        """Answers to questions, with a look at the files every so many seconds."""
        return Answering(self.indexing, self.searching, every=every)

    def spent(self, work: Callable[[], object]) -> float:
        """The seconds that some work takes, those of the embedder apart."""
        began, before = stopwatch(), self.embedder.seconds
        work()
        return stopwatch() - began - (self.embedder.seconds - before)


@contextmanager
def hashed(root: Path) -> Iterator[Hashed]:
    """The index of a workspace whose settings name no embedder, kept open between two uses as the commands keep it."""
    embedder = HashedWords()
    with open_index(root, ProcessContext({}), IndexOptions(linger=LINGER_SECONDS)) as opened:
        yield Hashed(
            replace(opened.indexing, embedder=embedder), replace(opened.searching, embedder=embedder), embedder
        )


def _once(root: Path, role: str, words: Sequence[str]) -> None:
    with hashed(root) as index:
        if role == "full":
            update(index.indexing)
        else:
            for hit in index.answering()(SearchRequest(query=" ".join(words))).hits:
                print(f"{hit.path}#L{hit.start_line}-L{hit.end_line} {hit.snippet}")


def _over_and_over(root: Path, role: str) -> None:
    ended = Event()
    Thread(target=_listen, args=(ended,), daemon=True).start()
    files = sorted((root / "memory").glob("*.md"))
    with hashed(root) as index:
        for number in count():
            print(number, flush=True)
            if ended.is_set():
                return
            if role == "rebuilds":
                rebuild(index.indexing, wait=WAIT_SECONDS)
                continue
            with files[number % len(files)].open("a", encoding="utf-8") as stream:
                stream.write(f"- one more line, the number {number}\n")
            update(index.indexing, wait=WAIT_SECONDS)


def _listen(ended: Event) -> None:
    sys.stdin.read()
    ended.set()


def main(words: Sequence[str]) -> None:
    """Play the role."""
    root, role = Path(words[0]), words[1]
    if role in {"full", "search"}:
        _once(root, role, words[2:])
    else:
        _over_and_over(root, role)


if __name__ == "__main__":
    main(sys.argv[1:])
