"""Who asks looks at the files first, and does not wait long for others who look."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.index.context import Indexing
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.search import NO_WORDS, NOTHING
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.hit import Answer
from schemas.requests import SearchRequest
from tests.support.builders.gates import Gate, HeldUpEmbedder
from tests.support.workspaces.indexed import Indexed

EVERY, WAITED, SECONDS = 2.0, 0.05, 30.0
OTHERS = "Another question is bringing the index up to date."

Ask = Callable[[str], "Future[Answer]"]


class Looking:
    """What answers in a workspace whose embedder takes as long as the gate is shut; `now` is in seconds."""

    def __init__(self, root: Path) -> None:
        self.gate, self.now = Gate(), 0.0
        self.files = Indexed(root, embedder=HeldUpEmbedder(self.gate)).write("memory/2026-03-01.md", "- The heron.\n")
        indexing = Indexing(
            workspace=Workspace(root),
            settings=self.files.settings,
            store=self.files.store,
            vectors=self.files.vectors,
            embedder=self.files.embedder,
            believed=lambda _, entry: entry,
            latch=Latch(root / "update.lock"),
        )
        self.answering = Answering(indexing, self.files.searching, every=EVERY, waited=WAITED, now=lambda: self.now)

    @contextmanager
    def asking(self) -> Iterator[Ask]:
        """Asks in a thread; in the end nobody is held up any more."""
        with ThreadPoolExecutor(4) as clients:
            try:
                yield lambda question: clients.submit(self.answering, SearchRequest(query=question, k=1))
            finally:
                self.gate.open()

    def add(self, text: str) -> None:
        """One more file, some time later."""
        self.files.write("memory/2026-03-02.md", text)
        self.now += EVERY


@pytest.fixture
def looking(tmp_path: Path) -> Looking:
    """A workspace of one note, not indexed."""
    return Looking(tmp_path)


def paths(answer: Answer) -> list[str]:
    """The files of its hits."""
    return [hit.path for hit in answer.hits]


def test_a_look_counts_for_some_time(looking: Looking) -> None:
    """What is written meanwhile is found after it."""
    assert ["memory/2026-03-01.md"] == paths(looking.answering(SearchRequest(query="heron", k=1)))
    looking.add("- The otter.\n")
    looking.now -= EVERY / 2
    assert ["memory/2026-03-01.md"] == paths(looking.answering(SearchRequest(query="otter", k=1)))
    looking.now += EVERY / 2
    assert ["memory/2026-03-02.md"] == paths(looking.answering(SearchRequest(query="otter", k=1)))


def test_few_vectors_find_nothing_by_meaning_alone(looking: Looking) -> None:
    """Words answer then; once the vectors are made, what is alike in meaning is found too."""
    looking.gate.open()
    for day in range(2, 9):
        looking.files.write(f"memory/2026-03-0{day}.md", f"- The boat number {day}.\n")
    unknown = SearchRequest(query="zeppelin", k=1)
    early, by_words = looking.answering(unknown), looking.answering(SearchRequest(query="heron", k=1))
    assert ((), NOTHING, ["memory/2026-03-01.md"]) == (early.hits, early.notes[0], paths(by_words))
    looking.files.index()
    looking.now += EVERY
    late = looking.answering(unknown)
    assert (1, (NO_WORDS[True],)) == (len(late.hits), late.notes)


def test_all_wait_for_the_first_look(looking: Looking) -> None:
    """Before it there may be no index at all."""
    looking.add("- The slow otter.\n")
    with looking.asking() as ask:
        first = ask("heron")
        looking.gate.wait_for(1)
        others = [ask("heron"), ask("otter")]
        assert set() == wait(others, timeout=4 * WAITED).done
        looking.gate.open()
        assert [("memory/2026-03-01.md",), ("memory/2026-03-02.md",)] == [
            tuple(paths(future.result(SECONDS))) for future in others
        ]
        assert () == first.result(SECONDS).notes


def test_nobody_waits_long_for_a_later_look(looking: Looking) -> None:
    """They are answered by what is known, and told so; once the look is over, by all."""
    looking.answering(SearchRequest(query="heron", k=1))
    looking.add("- The slow otter.\n")
    with looking.asking() as ask:
        first = ask("otter")
        looking.gate.wait_for(1)
        other = ask("heron").result(SECONDS)
        assert (["memory/2026-03-01.md"], (OTHERS,)) == (paths(other), other.notes)
        looking.gate.open()
        assert ["memory/2026-03-02.md"] == paths(first.result(SECONDS))
        assert ((), ()) == (first.result(SECONDS).notes, ask("heron").result(SECONDS).notes)
