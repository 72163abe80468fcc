"""Whatever is done to the vectors in a folder, in whatever order, they are those of a dictionary."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.ports.index import Vector, VectorSpace, VectorStore
from tests.support.ports.memory_vectors import MemoryVectors
from tests.support.ports.vector_contract import EAST, SPACE, named, turned

SPACES = [SPACE, VectorSpace("another embedder", 3)]
KEYS = st.integers(0, 12).map(named)
VECTORS = st.dictionaries(KEYS, st.integers(0, 11).map(lambda number: turned(30 * number)))


class VectorMachine(RuleBasedStateMachine):
    """The rules are what a caller does; the invariant is that both stores have the same."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="memory-vectors-"))
        self.real: VectorStore = EdgeVectors(self.folder)
        self.model = MemoryVectors()

    def teardown(self) -> None:
        """Nothing is left behind."""
        self.real.drop()
        shutil.rmtree(self.folder)

    @rule(space=st.sampled_from(SPACES), vectors=VECTORS, gone=st.sets(KEYS))
    def write(self, space: VectorSpace, vectors: dict[str, Vector], gone: set[str]) -> None:
        """Put some in, and take some out."""
        for store in (self.real, self.model):
            with store.writing(space) as index:
                index.put_vectors(vectors)
                index.delete(gone)

    @rule(space=st.sampled_from(SPACES), vectors=VECTORS, fails=st.booleans())
    def build(self, space: VectorSpace, vectors: dict[str, Vector], fails: bool) -> None:  # noqa: FBT001 - drawn
        """Make them anew, with success or without."""
        for store in (self.real, self.model):
            try:
                with store.building(space) as index:
                    index.put_vectors(vectors)
                    _ = 1 // (not fails)
            except ZeroDivisionError:
                assert fails

    @rule()
    def settle(self) -> None:
        """Make them compact."""
        self.real.settle()

    @rule()
    def drop(self) -> None:
        """Remove them."""
        for store in (self.real, self.model):
            store.drop()

    @rule(linger=st.sampled_from([0.0, 60.0]))
    def open_again(self, linger: float) -> None:
        """As another process does."""
        self.real = EdgeVectors(self.folder, linger=linger)

    @invariant()
    def both_have_the_same(self) -> None:
        """Keys, vectors and ranks."""
        for space in SPACES:
            with self.real.reading(space) as real, self.model.reading(space) as model:
                assert (real is None) == (model is None)
                if not real or not model:
                    continue
                keys = {*model.keys()}
                assert (keys, len(keys)) == ({*real.keys()}, real.size())
                assert {key: pytest.approx(vector, abs=1e-3) for key, vector in model.vectors(keys).items()} == dict(
                    real.vectors(keys)
                )
                ranks = [
                    sorted((round(score, 2), key) for key, score in index.nearest(EAST, 20)) for index in (model, real)
                ]
                assert ranks[0] == ranks[1]


def test_any_sequence_leaves_what_a_dictionary_has() -> None:
    """A short one."""
    run_state_machine_as_test(VectorMachine, settings=settings(max_examples=10, stateful_step_count=15, deadline=None))


@pytest.mark.soak
def test_any_long_sequence_leaves_what_a_dictionary_has() -> None:
    """The same, more often."""
    run_state_machine_as_test(VectorMachine, settings=settings(max_examples=300, stateful_step_count=40, deadline=None))
