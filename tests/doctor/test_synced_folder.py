"""The check of a store in a synced folder."""

from collections.abc import Callable
from pathlib import Path

from pipeline.doctor.synced_folder import check_synced_store, syncing_service
from schemas.checkup import Health
from tests.support.workspaces.workbench import Workbench


def test_who_syncs_a_folder(tmp_path: Path) -> None:
    """It is known by the name of a folder above; a name that only resembles one is none."""
    known = {
        "Dropbox/memory": "Dropbox",
        "Dropbox (Personal)/a/memory": "Dropbox",
        "OneDrive - Contoso/memory": "OneDrive",
        "Library/CloudStorage/OneDrive-Personal/memory": "OneDrive",
        "Library/CloudStorage/GoogleDrive-a@example.org/My Drive": "Google Drive",
        "Google Drive/memory": "Google Drive",
        "Library/Mobile Documents/com~apple~CloudDocs/memory": "iCloud",
        "Nextcloud/memory": "Nextcloud",
        "dropbox-tools/memory": "",
        "memory": "",
    }
    assert known == {place: syncing_service(tmp_path / place) for place in known}


def test_who_left_a_mark(tmp_path: Path) -> None:
    """In a folder above."""
    (tmp_path / "s" / ".stfolder").mkdir(parents=True)
    assert ("Syncthing", "") == (syncing_service(tmp_path / "s" / "memory"), syncing_service(tmp_path / "t"))


def test_a_store_in_a_synced_folder_is_warned_of(new_bench: Callable[..., Workbench]) -> None:
    """Without a store there is nothing to break."""
    bench = new_bench()
    (bench.root / ".stfolder").mkdir()
    assert [] == list(check_synced_store(bench.engine))
    (bench.root / "store").mkdir()
    (bench.root / "store" / "memory.db").touch()
    (check,) = check_synced_store(bench.engine)
    assert (Health.WARN, True) == (check.health, "Syncthing" in check.message)
