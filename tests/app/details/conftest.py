"""A store of either kind for the use cases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.store.opening import WorkspaceStore
from schemas.store_settings import StoreSettings
from tests.store.conftest import store_settings

__all__ = ["store_settings"]


@pytest.fixture
def store(tmp_path: Path, store_settings: StoreSettings) -> Iterator[WorkspaceStore]:
    """The store of a workspace."""
    opened = WorkspaceStore(tmp_path, store_settings)
    yield opened
    opened.close()
