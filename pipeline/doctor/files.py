"""The checks of the files of the memory, and of a store in a folder that a service syncs."""

import re
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pipeline.corrections.forgotten_before import returned_entries, returned_items
from pipeline.doctor.run_check import NAMED
from pipeline.engine.context import Engine
from pipeline.markdown.encoding import faults
from pipeline.reports.occurrences import copies_of_ours, our_paths
from pipeline.store.opening import FILE, FOLDER
from pipeline.workspace.layout import FORGOTTEN, LISTS
from pipeline.workspace.listing import list_files
from schemas.checkup import CheckResult, Health

_NAME = "files"
_WITHOUT_A_BACKUP = (
    " If nothing has it, `mv {path} {path}.broken`, then `memory run --allow-shrink`: it lists what is gone in "
    f"{FORGOTTEN}, and what is taken out there is written again from the transcript."
)
_MERGE = "Move what you want to keep into {}, and remove the copy: no search finds it, and no job reads it."


def check_texts(engine: Engine) -> Iterator[CheckResult]:
    """Check the texts that make the memory: copies, forgotten text that came back, and damage."""
    for path, original in copies_of_ours(engine).items():
        message = f"{path} is a copy of {original}, as a sync makes one when both sides have changed"
        yield CheckResult(_NAME, Health.WARN, message, _MERGE.format(original))
    again = [*(back.path for back in returned_entries(engine)), *returned_items(engine)]
    for path in dict.fromkeys(again):
        message = f"{path} holds again what `memory forget` erased, as when a backup is brought back"
        yield CheckResult(_NAME, Health.WARN, message, "The next `memory run` erases it there again.")
    texts = list_files(engine.workspace, engine.settings.index, extra=False).files  # what people keep beside ours
    paths = dict.fromkeys([*our_paths(engine), *LISTS, *(listed.path for listed in texts)])
    checks = (check for path in paths for check in _check_file(engine, path))
    yield from islice(checks, 2 * NAMED)
    if more := sum(1 for _ in checks):
        yield CheckResult(_NAME, Health.WARN, f"{more} more of that sort")


def _check_file(engine: Engine, path: str) -> Iterator[CheckResult]:
    data = engine.workspace.read(path)
    if data is None:
        return
    flaws = list(faults(data))
    is_sound = data.strip() and all(fault.readable for fault in flaws)
    expected = [] if is_sound else engine.ledger.changes.standing_in(path)
    if expected and not data.strip():
        message = f"{path} is empty, though we wrote {len(expected)} entries or lines into it"
        yield CheckResult(_NAME, Health.WARN, message, "Bring it back from git or a backup, before anything is run.")
    for fault in flaws:
        message, advice = f"{path}, line {fault.line}: it {fault.what}", fault.advice
        gone = [] if fault.readable else [block for block in expected if block.name.encode() not in data]
        if gone:
            message += f"; {len(gone)} of the {len(expected)} entries that we wrote into it are not found there"
            advice += _WITHOUT_A_BACKUP.format(path=shlex.quote(path))
        yield CheckResult(_NAME, Health.WARN, message, advice)


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
