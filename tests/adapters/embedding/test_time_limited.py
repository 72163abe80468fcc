"""An embedder that questions do not wait for without an end."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from pipeline.adapters.embedding.time_limited import TimeLimitedEmbedder
from pipeline.errors import EmbedderUnavailable
from pipeline.index.context import Indexing
from pipeline.index.search.fresh_search import Answering
from pipeline.index.sync.update import update
from pipeline.ports.index import Embedder, Vector
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.requests import SearchRequest
from tests.support.builders.gates import SECONDS, Gate, HeldUpEmbedder
from tests.support.ports.embedder_contract import EmbedderContract
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.workspaces.indexed import Indexed

AT_ONCE = 0.01
"""Seconds; what is held up takes longer, however fast the machine is."""


class TestContract(EmbedderContract):
    """In time it is like the other one."""

    def embedder(self) -> AbstractContextManager[Embedder]:
        """By one that is fast."""
        return nullcontext(TimeLimitedEmbedder(HashingEmbedder(), SECONDS))


@pytest.fixture
def gate() -> Iterator[Gate]:
    """What holds up; in the end nobody is held up any more."""
    gate = Gate()
    yield gate
    gate.open()


def test_what_takes_too_long_cannot_be_had(gate: Gate) -> None:
    """The sentence names the setting."""
    embedder = TimeLimitedEmbedder(HeldUpEmbedder(gate), AT_ONCE)

    with pytest.raises(EmbedderUnavailable, match=r"within 0\.01 s \(`search\.timeout`"):
        embedder.question("the slow heron")


def test_nothing_is_asked_while_it_is_still_at_work(gate: Gate) -> None:
    """So one thing alone is held up; when it has ended, the next question is answered."""
    embedder = TimeLimitedEmbedder(HeldUpEmbedder(gate), AT_ONCE)
    for question in ("the slow heron", "another slow heron", "the heron"):
        with pytest.raises(EmbedderUnavailable):
            embedder.question(question)
    gate.wait_for(1)
    assert 1 == gate.most


def test_an_error_of_the_other_one_is_its_own() -> None:
    """It is not one of time."""

    class Refusing(HashingEmbedder):
        def question(self, text: str) -> Vector:
            raise EmbedderUnavailable(self.name, f"no vector of {text}")

    with pytest.raises(EmbedderUnavailable, match="no vector of heron"):
        TimeLimitedEmbedder(Refusing(), SECONDS).question("heron")


def test_words_alone_answer_a_search_whose_embedder_is_late(gate: Gate, tmp_path: Path) -> None:
    """The answer says so; what was written since is found by its words too."""
    late = TimeLimitedEmbedder(HeldUpEmbedder(gate), AT_ONCE)
    files = Indexed(tmp_path, embedder=HashingEmbedder()).write("memory/2026-03-01.md", "- The slow heron.\n")
    indexing = Indexing(
        workspace=Workspace(tmp_path),
        settings=files.settings,
        store=files.store,
        vectors=files.vectors,
        embedder=files.embedder,
        believed=lambda _, entry: entry,
        latch=Latch(tmp_path / "update.lock"),
    )
    update(indexing)
    files.embedder = late
    files.write("memory/2026-03-02.md", "- The slow otter.\n")

    answer = Answering(indexing, files.searching)(SearchRequest(query="slow otter", k=1))

    assert ["memory/2026-03-02.md"] == [hit.path for hit in answer.hits]
    assert any(note.startswith("Words alone were compared.") and "search.timeout" in note for note in answer.notes)
