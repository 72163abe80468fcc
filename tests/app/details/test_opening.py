"""The store of a workspace: opened at its first use, and not even loaded before."""

from pathlib import Path

from pipeline.settings.load import load_settings
from pipeline.store.opening import FOLDER, WorkspaceStore


def test_a_store_by_the_settings(tmp_path: Path) -> None:
    """Nothing is made before it is used, and after it was closed it is opened anew."""
    (tmp_path / "memory.toml").write_text("[store]\nthreshold = 900\n", encoding="utf-8")
    store = WorkspaceStore(tmp_path, load_settings(tmp_path, {}).store)
    assert 900 == store.threshold
    assert not store.exists
    assert not (tmp_path / FOLDER).exists()
    first = store.database
    assert store.exists
    assert first is store.database
    store.close()
    assert first is not store.database
    store.close()
