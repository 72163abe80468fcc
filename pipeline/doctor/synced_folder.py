"""The service that syncs a folder, such as Dropbox, and the check of a store in such a folder."""

import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.engine.context import Engine
from pipeline.store.opening import FILE, FOLDER
from schemas.checkup import CheckResult, Health

_NAMES = {
    "Dropbox": r"Dropbox(?: .*)?",
    "OneDrive": r"OneDrive(?: ?-.*)?",
    "Google Drive": r"Google ?Drive(?:-.*)?",
    "iCloud": r"Mobile Documents|com~apple~CloudDocs|iCloud ?Drive",
    "Nextcloud": r"Nextcloud",
    "ownCloud": r"ownCloud",
    "a cloud service": r"CloudStorage",
}
"""The names of the folders of each service that syncs, as regular expressions."""
_MARKS = {
    ".stfolder": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
}
"""The files that services put into the folders that they sync."""


def check_synced_store(engine: Engine) -> Iterator[CheckResult]:
    """Check where a store in a file lies: a service that syncs a database while it is written may break it."""
    root = engine.workspace.root
    if engine.settings.store.url.get_secret_value() or not (root / FOLDER / FILE).exists():
        return
    if service := syncing_service((root / FOLDER).resolve()):
        message = f"{FOLDER}/{FILE} lies in a folder that {service} syncs, which may break it"
        advice = (
            f"Leave the folder {FOLDER} out of the sync, move the workspace, or use a server (store.url). "
            "`memory store export` makes a copy that may be synced."
        )
        yield CheckResult("store", Health.WARN, message, advice)


def syncing_service(folder: Path) -> str:
    """The service that syncs a folder, by the names and marks of its ancestors; empty without a service."""
    for place in (folder, *folder.parents):
        for service, names in _NAMES.items():
            if re.fullmatch(names, place.name):
                return service
        for mark, service in _MARKS.items():
            if (place / mark).exists():
                return service
    return ""
