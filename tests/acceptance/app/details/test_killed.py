"""A writer that is killed: what it was storing is there as a whole, or not at all."""

from pathlib import Path

import pytest

from pipeline.app.details.upkeep import list_details
from pipeline.store.opening import FILE, FOLDER, WorkspaceStore
from schemas.store_settings import StoreSettings
from tests.support.builders.details import detail_of, text_of
from tests.support.processes.detail_kills import TEXT, killed_while_keeping


@pytest.mark.parametrize(("block", "statement"), [(1, 99), (99, 0), (99, 1), (99, 2), (99, 3)])
def test_nothing_half_is_left(tmp_path: Path, store_settings: StoreSettings, block: int, statement: int) -> None:
    """While it reads, before it stores, and between any two statements; the next one stores it."""
    assert killed_while_keeping(tmp_path, store_settings, block, statement)
    store = WorkspaceStore(tmp_path, store_settings)
    assert [] == list_details(store)
    left = {path.name.partition("-")[0] for path in (tmp_path / FOLDER).glob("*")}
    assert left <= {FILE, ".gitignore"}
    assert TEXT == text_of(store, detail_of(store, TEXT))
    store.close()
