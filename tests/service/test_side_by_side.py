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
from pipeline.app.questions import JsonQuestions, Questions
from pipeline.index.search.get import read_place
from pipeline.index.search.search import search
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from schemas.requests import SearchRequest
from tests.support.ports.scripted_reranker import ScriptedReranker
from tests.support.processes.commands import RealWorkspace
from tests.support.processes.waiting import soon
from tests.support.servers.embedding_server import EmbeddingServer, embedding

LOOKING = "Another question is bringing the index up to date."
THREADS, ROUNDS = 8, 2
SECONDS = SOON_SECONDS = 60.0
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

Question = Mapping[str, Any]
QUESTIONS: tuple[Question, ...] = (
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
    with open_index(root, ProcessContext({}), IndexOptions(linger=60)) as actual:
        index = replace(actual, searching=replace(actual.searching, reranker=ScriptedReranker()))
        update(index.indexing)
        yield index


def answer(handler: JsonQuestions, fields: Question) -> dict[str, Any]:
    """What is told, without how long it took, and that another one's look at the files took a second or more."""
    reply = handler.get(fields["place"]) if "place" in fields else handler.search(fields)
    fields_of_reply = {name: value for name, value in reply.items() if name != "milliseconds"}
    return fields_of_reply | {"notes": [note for note in fields_of_reply.get("notes", ()) if note != LOOKING]}


def first_of(fields: Mapping[str, Any]) -> str:
    """What an answer cites first; scores and notes move while the index is being brought up to date."""
    hits = fields.get("hits", [fields])
    return " ".join(f"{hit['path']}#L{hit['start_line']}: {hit['text']}" for hit in hits[:1])


def in_any_order(number: int) -> list[Question]:
    """Each question some times, in an order of a thread's own."""
    order = [*QUESTIONS] * ROUNDS
    Random(number).shuffle(order)  # noqa: S311 - the same order each time, and no secret
    return order


def test_answers_are_the_same_side_by_side(memory: RealWorkspace) -> None:
    """To the byte: of eight threads that ask all sorts of questions."""
    with opened(memory.root) as index:
        handler = JsonQuestions(Questions(index))
        alone = [answer(handler, question) for question in QUESTIONS]

        def ask(number: int) -> list[Question]:
            return [
                question
                for question in in_any_order(number)
                if answer(handler, question) != alone[QUESTIONS.index(question)]
            ]

        with ThreadPoolExecutor(THREADS) as threads:
            assert [[]] * THREADS == list(threads.map(ask, range(THREADS)))
    assert all(record.get("hits", [record]) for record in alone)


@pytest.mark.soak
def test_every_answer_is_one_of_before_or_after(memory: RealWorkspace) -> None:
    """While a file is written, and taken in by another process and by who asks; nobody fails, and nobody hangs."""
    with opened(memory.root) as index:
        right, handler, ended = rehearsed(index), JsonQuestions(Questions(index)), Event()

        def ask(number: int) -> set[tuple[int, str]]:
            seen = set()
            for question in cycle(in_any_order(number)):
                if ended.is_set():
                    break
                seen.add((QUESTIONS.index(question), first_of(answer(handler, question))))
            return seen

        with ThreadPoolExecutor(THREADS) as threads:
            asking = [threads.submit(ask, number) for number in range(THREADS)]
            try:
                (memory.root / NEW).write_text(STORKS.format("white"))
                assert 0 == memory.memory("doctor", "reindex").code
                until_indexed(handler, "white stork")
                (memory.root / NEW).write_text(STORKS.format("black"))
                until_indexed(handler, "black stork")
            finally:
                ended.set()
            asked = set[tuple[int, str]]().union(*(future.result(SECONDS) for future in asking))
    assert set() == asked - right
    assert set(range(len(QUESTIONS))) == {number for number, _ in asked}


def rehearsed(index: OpenIndex) -> set[tuple[int, str]]:
    """What a single thread is told to each question: before and after each change, and before that is taken in."""
    new, right = index.indexing.workspace.root / NEW, set[tuple[int, str]]()

    def note() -> None:
        for number, question in enumerate(QUESTIONS):
            reply = (
                read_place(index.searching, question["place"])
                if "place" in question
                else search(index.searching, SearchRequest.model_validate(question))
            )
            right.add((number, first_of(reply.model_dump(mode="json"))))

    note()
    for bird in ("white", "black"):
        new.write_text(STORKS.format(bird))
        note()
        update(index.indexing)
        note()
    new.unlink()
    update(index.indexing)
    return right


def until_indexed(handler: JsonQuestions, said: str) -> None:
    """Ask until a text is found."""
    assert soon(lambda: said in first_of(answer(handler, {"query": said, "k": 1})))
