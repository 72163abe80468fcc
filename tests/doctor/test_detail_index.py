"""The checks of the index of stored texts: what it has, what it lacks, and how a damaged one is mended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.app.detail_index import update_details
from pipeline.app.index import OpenIndex, open_index
from pipeline.doctor.index import check_detail_index
from pipeline.process.context import ProcessContext
from pipeline.store.opening import WorkspaceStore
from schemas.checkup import CheckResult, Health
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, detail_of


@pytest.fixture
def index(tmp_path: Path) -> Iterator[OpenIndex]:
    """The indexes of a workspace in which nothing is stored."""
    (tmp_path / "memory.toml").touch()
    with open_index(tmp_path, ProcessContext({"MEMORY_EMBEDDER__KIND": "none"})) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[WorkspaceStore]:
    """Its store."""
    opened = WorkspaceStore(tmp_path, StoreSettings())
    yield opened
    opened.close()


def checked(index: OpenIndex) -> CheckResult:
    """The one check."""
    (check,) = check_detail_index(index.details.indexing)
    return check


def test_how_many_are_stored_and_not_in_the_index(index: OpenIndex, store: WorkspaceStore) -> None:
    """A text counts once, also a long one, of which the synopsis is indexed too; nothing is said where none is."""
    assert [] == list(check_detail_index(index.details.indexing))
    detail_of(store, LOG * 20)
    detail_of(store, LOG)
    assert (Health.OK, "2 text(s) are stored, 2 of them not in the index yet") == (
        (check := checked(index)).health,
        check.message,
    )
    assert "memory doctor reindex" in check.advice
    update_details(index.details.indexing)
    assert ("2 text(s) are stored, all in the index", "") == ((check := checked(index)).message, check.advice)


def test_a_damaged_one_is_removed_and_made_anew(index: OpenIndex, store: WorkspaceStore) -> None:
    """Its files alone: the vectors beside it are not its own."""
    detail_of(store)
    update_details(index.details.indexing)
    (index.details.indexing.latch.path.parent / "details" / "live").write_text("{")
    check = checked(index)
    assert (Health.FAIL, True) == (check.health, "memory doctor --fix" in check.advice)
    assert check.mend
    assert "removed the damaged index of stored texts" in check.mend()
    assert 1 == update_details(index.details.indexing)[0].added
    assert Health.OK is checked(index).health


def test_a_store_out_of_reach_is_a_failure(index: OpenIndex, tmp_path: Path) -> None:
    """With the sentence of the store."""
    (tmp_path / "store" / "memory.db").mkdir(parents=True)
    check = checked(index)
    assert (Health.FAIL, True) == (check.health, bool(check.message))
