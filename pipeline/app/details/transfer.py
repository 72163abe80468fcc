"""The texts of details in files: written for an export, and brought back, checked by their hashes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from pipeline.details.placeholder import is_key
from pipeline.errors import ReadFailed
from pipeline.errors.store import ExportDamaged
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail

CONTENTS = "contents"
"""The folder of the texts, each under its hash."""
_BLOCK = 262_144


def write_text(store: WorkspaceStore, detail: Detail, folder: Path) -> None:
    """Write the text of a detail into an export, unless it has gone.

    Raises:
        OSError: the system refuses.
    """
    if not detail.active:
        return
    path = folder / CONTENTS / detail.sha256
    with path.open("wb") as file:
        path.chmod(0o600)
        for chunk in store.details.read(detail):
            file.write(chunk.content)


def bring_back(store: WorkspaceStore, detail: Detail, folder: Path) -> bool:
    """Bring a detail back under its key; whether it was not there."""
    path = folder / CONTENTS / detail.sha256
    if not is_key(detail.key):
        raise ExportDamaged(str(path))
    if detail.active:
        _check(path, detail.sha256)
    standing = store.details.find(detail.key)
    if standing and (standing.active or not detail.active):
        return False
    store.details.add(detail, _read(path) if detail.active else ())
    return True


def _check(path: Path, sha256: str) -> None:
    digest = hashlib.sha256()
    for block in _read(path):
        digest.update(block)
    if digest.hexdigest() != sha256:
        raise ExportDamaged(str(path))


def _read(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_BLOCK), b"")
    except OSError as error:
        raise ReadFailed(str(path), error.strerror or str(error)) from error
