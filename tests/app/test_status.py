"""The status of a workspace: the state of its index."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.app.status import index_report
from pipeline.index.sync.update import update
from pipeline.ports.index import Vector
from schemas.reports.status import IndexReport
from tests.support.workspaces.index_bench import memory_indexing


class Costly:
    """An embedder that nobody may ask for anything."""

    @property
    def name(self) -> str:
        """Nothing that anybody should want to know."""
        raise AssertionError

    dimension = property(lambda _: 1 / 0)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Nor this."""
        raise AssertionError(texts)

    def question(self, text: str) -> Vector:
        """Nor this."""
        raise AssertionError(text)


def test_the_state_of_the_index_asks_no_embedder(tmp_path: Path) -> None:
    """How many files have changed is known without one, also when the index has vectors, or there is none."""
    indexing, file = memory_indexing(tmp_path), tmp_path / "memory/2026-03-02.md"
    file.parent.mkdir()
    file.write_text("# Birds\n\nThe heron stands in the reeds.\n")
    costly = replace(indexing, embedder=Costly())
    assert IndexReport("none", None, None) == index_report(costly)
    update(indexing)
    assert IndexReport("fresh", 0, None) == index_report(costly)
    file.write_text("# Birds\n\nThe heron has left.\n")
    file.with_name("2026-03-03.md").write_text("# Birds\n\nThe heron stands in the reeds.\n")
    assert IndexReport("behind", 2, None) == index_report(costly)
