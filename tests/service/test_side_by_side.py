"""Whatever is asked at the same time, each answer is one that a single thread gives."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from pipeline.app.index import IndexOptions, OpenIndex, open_index
from pipeline.clock import stopwatch
from pipeline.index.search.get import read_place
from pipeline.index.search.search import search
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from pipeline.service.socket.handlers import RequestHandler, SearchLine
from pipeline.testing.scripted_reranker import ScriptedReranker
from tests.support.processes.commands import RealWorkspace
from tests.support.servers.embedding_server import EmbeddingServer, embedding

THREADS, ROUNDS = 8, 2
SECONDS, SOON_SECONDS = 60.0, 30.0
PLACES = {
    "MEMORY.md": "# Hot\n\n- The heron of the north pond is called Ada.\n",
    "memory/2026-03-01.md": "# March\n\n- The heron sleeps in the reeds.\n- Czapla śpi w trzcinach.\n",
    "memory/2026-03-02.md": "# March\n\n- The otter has three cubs.\n- 水獺有三個孩子。\n",
    "second-brain/summaries/2026-02-20-wrapup.md": "# Wrap-up\n\n- The heron was ringed by the warden.\n",
    "second-brain/research/otters.md": "# Otters\n\nAn otter dives for four minutes.\n",
    "memory/archive/weekly-2026-W06.md": "# Week 6\n\n- The badger dug up the path again.\n",
}
NEW = "memory/2026-03-05.md"
STORKS = "# March\n\n- The {} stork has come back to the chimney.\n"

Told = Mapping[str, Any]
QUESTIONS: tuple[Told, ...] = (
    {"query": "where does the heron sleep?"},
    {"query": "gdzie śpi czapla", "k": 2},
    {"query": "水獭有几个孩子", "k": 2},
    {"query": "how long does an otter dive", "tier": "cold", "k": 1},
    {"query": "who dug up the path", "tier": "all", "k": 3},
    {"query": "what about the heron", "rerank": True},
    {"query": "why was the heron ringed last year", "rerank": True, "k": 2},
    {"query": "otter", "since": "2026-03-02", "until": "2026-03-02"},
    {"query": "heron", "as_of": "2026-03-01"},
    {"query": "stork", "k": 1},
    {"place": "memory/2026-03-02.md#L3"},
    {"place": "MEMORY.md"},
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[RealWorkspace]:
    """A workspace of a few notes in all tiers, whose embedder is a server on this machine."""
    with EmbeddingServer(embedding()) as server:
        settings = f'[embedder]\nkind = "openai"\nmodel = "scripted-embedding"\nbase_url = "{server.base_url}"\n'
        made = RealWorkspace(tmp_path / "ws").configure(f'timezone = "UTC"\n{settings}')
        for path, text in PLACES.items():
            file = made.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        yield made


@contextmanager
def opened(root: Path) -> Iterator[OpenIndex]:
    """Its index, up to date, kept open as the service does, with a reranker."""
    with open_index(root, ProcessContext({}), IndexOptions(linger=60)) as found:
        index = replace(found, searching=replace(found.searching, reranker=ScriptedReranker()))
        update(index.indexing)
        yield index


def answer(handler: RequestHandler, told: Told) -> dict[str, Any]:
    """What is told, without how long it took."""
    found = handler.get(told) if "place" in told else handler.search(told)
    return {name: value for name, value in found.items() if name != "milliseconds"}


def first_of(found: Mapping[str, Any]) -> str:
    """What an answer cites first; scores and notes move while the index is being brought up to date."""
    hits = found.get("hits", [found])
    return " ".join(f"{hit['path']}#L{hit['start_line']}: {hit['text']}" for hit in hits[:1])


def in_any_order(number: int) -> list[Told]:
    """Each question some times, in an order of a thread's own."""
    order = [*QUESTIONS] * ROUNDS
    Random(number).shuffle(order)  # noqa: S311 - the same order each time, and no secret
    return order


def test_answers_are_the_same_side_by_side(memory: RealWorkspace) -> None:
    """To the byte: of eight threads that ask all sorts of questions."""
    with opened(memory.root) as index:
        handler = RequestHandler(index)
        alone = [answer(handler, told) for told in QUESTIONS]

        def ask(number: int) -> list[Told]:
            return [told for told in in_any_order(number) if answer(handler, told) != alone[QUESTIONS.index(told)]]

        with ThreadPoolExecutor(THREADS) as threads:
            assert [[]] * THREADS == list(threads.map(ask, range(THREADS)))
    assert all(each.get("hits", [each]) for each in alone)


@pytest.mark.soak
def test_each_answer_is_one_of_before_or_after(memory: RealWorkspace) -> None:
    """While a file is written, and taken in by another process and by who asks; nobody fails, and nobody hangs."""
    with opened(memory.root) as index:
        right, handler, ended = rehearsed(index), RequestHandler(index), Event()

        def ask(number: int) -> set[tuple[int, str]]:
            found = set()
            for told in cycle(in_any_order(number)):
                if ended.is_set():
                    break
                found.add((QUESTIONS.index(told), first_of(answer(handler, told))))
            return found

        with ThreadPoolExecutor(THREADS) as threads:
            asking = [threads.submit(ask, number) for number in range(THREADS)]
            try:
                (memory.root / NEW).write_text(STORKS.format("white"))
                assert 0 == memory.memory("reindex").code
                until_found(handler, "white stork")
                (memory.root / NEW).write_text(STORKS.format("black"))
                until_found(handler, "black stork")
            finally:
                ended.set()
            asked = set[tuple[int, str]]().union(*(each.result(SECONDS) for each in asking))
    assert set() == asked - right
    assert set(range(len(QUESTIONS))) == {number for number, _ in asked}


def rehearsed(index: OpenIndex) -> set[tuple[int, str]]:
    """What a single thread is told to each question: before and after each change, and before that is taken in."""
    new, right = index.indexing.workspace.root / NEW, set[tuple[int, str]]()

    def note() -> None:
        for number, told in enumerate(QUESTIONS):
            found = (
                read_place(index.searching, told["place"])
                if "place" in told
                else search(index.searching, SearchLine.model_validate(told).wanted)
            )
            right.add((number, first_of(found.model_dump(mode="json"))))

    note()
    for bird in ("white", "black"):
        new.write_text(STORKS.format(bird))
        note()
        update(index.indexing)
        note()
    new.unlink()
    update(index.indexing)
    return right


def until_found(handler: RequestHandler, said: str) -> None:
    """Ask until a text is found."""
    until = stopwatch() + SOON_SECONDS
    while said not in first_of(answer(handler, {"query": said, "k": 1})):
        assert stopwatch() < until
