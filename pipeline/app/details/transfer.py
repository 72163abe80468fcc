"""Take details away and bring them back, into either kind of store: a line of JSON for each, and its text in a file."""

import hashlib
import json
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pipeline.app.details.upkeep import DetailChoice, list_details
from pipeline.details.keys import is_key
from pipeline.errors import ReadFailed, WriteFailed
from pipeline.errors.store import ExportDamaged
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail

ROWS, CONTENTS = "details.jsonl", "contents"
_BLOCK = 262_144


@dataclass(frozen=True)
class Imported:
    """The keys that were brought back, and those that were there already."""

    added: tuple[str, ...]
    present: tuple[str, ...]


def export_details(store: WorkspaceStore, folder: Path, choice: DetailChoice) -> list[Detail]:
    """Write details into a folder, which must not be there: `details.jsonl`, and `contents/SHA256` for each text.

    Raises:
        WriteFailed: the folder is there, or the system refuses; of a broken export nothing is left.
        StoreUnavailable, StoreBusy, StoreDamaged: it cannot be read now.
    """
    details = sorted(list_details(store, choice), key=lambda detail: detail.key)
    try:
        (folder / CONTENTS).mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    try:
        for detail in details:
            _write_text(store, detail, folder / CONTENTS / detail.sha256)
        rows = "".join(f"{json.dumps(detail.model_dump(mode='json', exclude={'id'}))}\n" for detail in details)
        (folder / ROWS).write_text(rows, encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    return details


def import_details(store: WorkspaceStore, folder: Path) -> Imported:
    """Bring exported details back under their keys; one that is there stays as it is.

    Raises:
        ReadFailed: the folder is no export, or cannot be read.
        ExportDamaged: a row or a text is not what was exported; the ones before it are there.
        StoreFull, StoreBusy, StoreUnavailable: as `DetailTable.add`; the ones before it are there.
    """
    added, present, table = list[str](), list[str](), store.details
    for detail in _rows(folder):
        path = folder / CONTENTS / detail.sha256
        _check(path, detail.sha256)
        standing = table.find(detail.key)
        if standing and standing.active:
            present.append(detail.key)
            continue
        table.add(detail, _read(path))
        added.append(detail.key)
    return Imported(tuple(added), tuple(present))


def _write_text(store: WorkspaceStore, detail: Detail, path: Path) -> None:
    with path.open("wb") as file:
        path.chmod(0o600)
        for chunk in store.details.read(detail):
            file.write(chunk.content)


def _rows(folder: Path) -> list[Detail]:
    path = folder / ROWS
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadFailed(str(path), str(error)) from error
    try:
        rows = [Detail.model_validate({**json.loads(line), "id": str(uuid.uuid4())}) for line in lines if line.strip()]
    except (ValidationError, ValueError, TypeError) as error:
        raise ExportDamaged(str(path)) from error
    if not all(is_key(detail.key) for detail in rows):
        raise ExportDamaged(str(path))
    return rows


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
