"""The check of a store in a folder that is synced: what copies a database while it is written may break it."""

import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.engine.context import Engine
from pipeline.store.opening import FILE, FOLDER
from schemas.checkup import Check, Health

_NAMES = {
    "Dropbox": r"Dropbox(?: .*)?",
    "OneDrive": r"OneDrive(?: ?-.*)?",
    "Google Drive": r"Google ?Drive(?:-.*)?",
    "iCloud": r"Mobile Documents|com~apple~CloudDocs|iCloud ?Drive",
    "Nextcloud": r"Nextcloud",
    "ownCloud": r"ownCloud",
    "a cloud service": r"CloudStorage",
}
"""What services call the folders that they sync, as regular expressions."""
_MARKS = {
    ".stfolder": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
}
"""What services put into the folders that they sync."""


def synced_store_checks(engine: Engine) -> Iterator[Check]:
    """A warning where a service syncs the folder of a store in a file."""
    root = engine.workspace.root
    if engine.settings.store.url.get_secret_value() or not (root / FOLDER / FILE).exists():
        return
    if service := synced_by((root / FOLDER).resolve()):
        message = f"{FOLDER}/{FILE} lies in a folder that {service} syncs, which may break it"
        advice = (
            f"Leave the folder {FOLDER} out of the sync, move the workspace, or use a server (store.url). "
            "`memory store export` makes a copy that may be synced."
        )
        yield Check("store", Health.WARN, message, advice)


def synced_by(folder: Path) -> str:
    """The service that syncs a folder, by what the folder and those above it are called and have; empty without one."""
    for place in (folder, *folder.parents):
        for service, names in _NAMES.items():
            if re.fullmatch(names, place.name):
                return service
        for mark, service in _MARKS.items():
            if (place / mark).exists():
                return service
    return ""
