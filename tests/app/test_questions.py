"""Questions are answered side by side, a few at a time."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.app.index import IndexOptions, OpenIndex, open_index
from pipeline.app.questions import JsonQuestions, Questions
from pipeline.app.turns import AT_WORK, RANKED_AGAIN, TURN_SECONDS, Turns
from pipeline.errors import NoTurn, UnknownPlace
from pipeline.index.sync.update import update
from pipeline.ports.index import Embedder, Indexer, IndexStore, RankedSearcher, Reranker, Searcher
from pipeline.process.context import ProcessContext
from schemas.requests import PlaceRequest, SearchRequest
from tests.support.builders.gates import Gate, HeldUpEmbedder, HeldUpReranker
from tests.support.ports.scripted_reranker import ScriptedReranker
from tests.support.tables import table
from tests.support.workspaces.animals import BIRDS, write_birds

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
SECONDS = 60.0
NOT_LONG = 0.05
MANY = 3 * AT_WORK
OTTER = "memory/2026-03-02.md"


class Watched:
    """An index that knows whether somebody reads it, and gives nothing to who has let it go."""

    def __init__(self, other: IndexStore) -> None:
        self.name, self.readers, self._other = other.name, 0, other
        self.writing, self.tidy, self.drop, self.version = other.writing, other.tidy, other.drop, other.version

    @contextmanager
    def reading(self) -> Iterator[RankedSearcher | None]:
        """The index as it is."""
        with self._other.reading() as searcher:
            self.readers += 1
            lent = Lent(searcher) if searcher else None
            try:
                yield lent
            finally:
                self.readers -= 1
                if lent:
                    lent.searcher = None

    @contextmanager
    def building(self) -> Iterator[Indexer]:
        """The other one's."""
        with self._other.building() as indexer:
            yield indexer


@dataclass
class Lent:
    """What reads an index until it is taken away."""

    searcher: Searcher | None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the other one has
        assert self.searcher is not None
        return getattr(self.searcher, name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace of a few notes, not indexed."""
    return write_birds(tmp_path)


@contextmanager
def opened(root: Path, reranker: Reranker | None = None, embedder: Embedder | None = None) -> Iterator[OpenIndex]:
    """The index of the workspace, with these."""
    with open_index(root, ProcessContext(WORDS_ALONE), IndexOptions(linger=60)) as index:
        yield replace(
            index,
            indexing=replace(index.indexing, embedder=embedder),
            searching=replace(index.searching, embedder=embedder, reranker=reranker),
        )


@contextmanager
def asking(questions: Questions, gate: Gate) -> Iterator[Callable[..., Future[list[str]]]]:
    """Asks them in a thread; gives the paths that it finds, in the end. Nobody is held up any more then."""

    def ask(query: str, **fields: object) -> list[str]:
        return [hit["path"] for hit in JsonQuestions(questions).search({"query": query, "k": 1, **fields})["hits"]]

    with ThreadPoolExecutor(MANY) as clients:
        try:
            yield lambda query, **question: clients.submit(ask, query, **question)
        finally:
            gate.open()


def test_nobody_waits_for_what_is_ranked_again(root: Path) -> None:
    """However many ask for that, they wait for each other alone; in the end each is answered."""
    reranker = HeldUpReranker()
    with opened(root, reranker) as index, asking(questions := Questions(index), reranker.gate) as ask:
        slow = [ask("otter", rerank=True) for _ in range(2 * AT_WORK)]
        reranker.gate.wait_for(RANKED_AGAIN)
        assert [OTTER] == ask("otter").result(SECONDS)
        assert "- The otter sleeps here." == JsonQuestions(questions).get(f"{OTTER}#L3")["text"]
        assert not any(future.done() for future in slow)
        reranker.gate.open()
        assert [[OTTER]] * len(slow) == [future.result(SECONDS) for future in slow]
    assert RANKED_AGAIN == reranker.gate.most


def test_nobody_waits_for_anothers_embedder(root: Path) -> None:
    """A question whose vector is there is answered while a server takes its time for another's."""
    gate = Gate()
    with opened(root, embedder=HeldUpEmbedder(gate)) as index:
        update(index.indexing)
        with asking(Questions(index), gate) as ask:
            slow = ask("the slow otter")
            gate.wait_for(1)
            assert [OTTER] == ask("the otter").result(SECONDS)
            assert not slow.done()
            gate.open()
            assert [OTTER] == slow.result(SECONDS)


def test_a_few_are_at_work_at_once(root: Path) -> None:
    """The others wait, and are answered after them."""
    gate = Gate()
    with opened(root, embedder=HeldUpEmbedder(gate)) as index:
        update(index.indexing)
        with asking(Questions(index), gate) as ask:
            asked = [ask("the slow otter") for _ in range(MANY)]
            gate.wait_for(AT_WORK)
            gate.open()
            assert [[OTTER]] * MANY == [future.result(SECONDS) for future in asked]
    assert AT_WORK == gate.most


def test_who_does_not_get_a_turn_is_reported(root: Path) -> None:
    """After some time; those before it are answered all the same."""
    reranker = HeldUpReranker()
    with opened(root, reranker) as index, asking(Questions(index, Turns(NOT_LONG)), reranker.gate) as ask:
        first = ask("otter", rerank=True)
        reranker.gate.wait_for(1)
        with pytest.raises(NoTurn):
            ask("heron", rerank=True).result(SECONDS)
        reranker.gate.open()
        assert [OTTER] == first.result(SECONDS)


def test_a_closed_desk_sends_away_who_waits(root: Path) -> None:
    """At once, and who comes later; those at work are answered."""
    reranker, turns = HeldUpReranker(), Turns()
    with opened(root, reranker) as index, asking(questions := Questions(index, turns), reranker.gate) as ask:
        first = ask("otter", rerank=True)
        reranker.gate.wait_for(1)
        waiting = [ask("heron", rerank=True) for _ in range(AT_WORK)]
        turns.close()
        assert [NoTurn] * AT_WORK == [type(future.exception(SECONDS)) for future in waiting]
        with pytest.raises(NoTurn):
            questions.search(SearchRequest(query="heron"))
        with pytest.raises(NoTurn):
            questions.get(PlaceRequest(place=OTTER))
        reranker.gate.open()
        assert [OTTER] == first.result(SECONDS)


def test_the_index_is_let_go_before_findings_are_ranked_again(root: Path) -> None:
    """And nothing is read of it after; other processes get at it meanwhile."""
    readers: list[int] = []

    def judge(question: str, text: str) -> float:
        readers.append(store.readers)
        return float(question in text)

    with opened(root, ScriptedReranker(judge)) as index:
        store = Watched(index.searching.store)
        handler = JsonQuestions(Questions(replace(index, searching=replace(index.searching, store=store))))
        result = handler.search({"query": "otter", "rerank": True, "k": len(BIRDS), "tier": "all"})
        assert [1.0] == [hit["score"] for hit in result["hits"] if hit["path"] == OTTER]
    assert {0} == set(readers)


def test_who_is_ranked_again_waits_no_longer_than_others() -> None:
    """There is one deadline for both turns: that of being ranked again, and that of being at work."""
    moments = [0.0] * (2 * AT_WORK + 2) + [TURN_SECONDS]  # the last turn takes all the time there is
    turns = Turns(TURN_SECONDS, iter(moments).__next__)
    with ExitStack() as at_work:
        for _ in range(AT_WORK):
            at_work.enter_context(turns.hold_place())
        with pytest.raises(NoTurn), turns.hold_place(ranked_again=True):
            pass


def test_a_place_is_free_again_whatever_became_of_who_had_it(root: Path) -> None:
    """A question that fails takes none away."""
    with opened(root) as index:
        handler = JsonQuestions(Questions(index, Turns(NOT_LONG)))
        for _ in range(2 * AT_WORK):
            with pytest.raises(UnknownPlace):
                handler.get("nowhere")
        assert [OTTER] == [hit["path"] for hit in handler.search({"query": "otter", "k": 1})["hits"]]


@table("damaged", [".memory/index/said/live", ".memory/state.db"])
def test_the_memory_answers_where_talk_cannot_be_looked_through(tmp_path: Path, damaged: str) -> None:
    """To an agent in a project, too; a note says what is missing, and why."""
    (place := tmp_path / Path(damaged).name).mkdir()
    root = write_birds(place)
    with opened(root) as index:
        update(index.indexing)
        (root / damaged).parent.mkdir(parents=True, exist_ok=True)
        (root / damaged).write_bytes(b"neither an index nor a ledger")
        asked = {"query": "otter", "reader": "", "client": "claude_code", "folder": "/home/x/code/shop"}
        answer = JsonQuestions(Questions(index)).search(asked if "state" in damaged else {"query": "otter"})
    assert OTTER == answer["hits"][0]["path"]
    assert any(note.startswith("What was said could not be looked through. ") for note in answer["notes"])
