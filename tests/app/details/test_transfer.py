"""Taking details away and bringing them back: the same bytes, also into the other kind of store."""

from pathlib import Path

import pytest

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.details.upkeep import list_details
from pipeline.app.store_transfer import CONTENTS, EARLIER, ROWS, StoreImport, export_store
from pipeline.errors import ReadFailed, WriteFailed
from pipeline.errors.store import ExportDamaged
from pipeline.store.opening import WorkspaceStore
from schemas.detail import DetailFilter
from schemas.reports.details import ImportedStore
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, detail_of, text_of


def exported(folder: Path) -> dict[str, bytes]:
    """The files of an export."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def imported(store: WorkspaceStore, folder: Path) -> ImportedStore:
    """What an import brought back."""
    return StoreImport(store, SecretRedactor(), folder).done()


def test_there_and_back(store: WorkspaceStore, tmp_path: Path) -> None:
    """An export of the import is the same to the byte; what is there already stays."""
    first, second = detail_of(store, LOG + "zażółć\n"), detail_of(store, bytes(range(256)) * 90, pinned=True)
    assert {first.key, second.key} == {*export_store(store, tmp_path / "out", DetailFilter()).keys}
    (tmp_path / "other").mkdir()
    other = WorkspaceStore(tmp_path / "other", StoreSettings())
    assert {first.key, second.key} == set(imported(other, tmp_path / "out").added)
    assert {first.key, second.key} == set(imported(other, tmp_path / "out").present)
    for detail in list_details(other):
        assert text_of(
            store, detail.model_copy(update={"id": {one.key: one.id for one in (first, second)}[detail.key]})
        )
        assert text_of(other, detail) in {(LOG + "zażółć\n").encode(), bytes(range(256)) * 90}
    export_store(other, tmp_path / "again", DetailFilter())
    assert exported(tmp_path / "out") == exported(tmp_path / "again")
    other.close()
    store.details.erase([first.key, second.key])
    assert 2 == len(imported(store, tmp_path / "again").added)


def test_what_is_not_what_was_exported(store: WorkspaceStore, tmp_path: Path) -> None:
    """A text that was changed, a row that is none, a folder that is none: nothing of it comes in."""
    detail = detail_of(store)
    folder = tmp_path / "out"
    export_store(store, folder, DetailFilter())
    store.details.erase([detail.key])
    with pytest.raises(WriteFailed):
        export_store(store, folder, DetailFilter())
    text, rows = folder / CONTENTS / detail.sha256, folder / ROWS
    content, row = text.read_bytes(), rows.read_text(encoding="utf-8")
    text.write_bytes(content[:-1] + b"!")
    for line in (row, "[]\n", "{\n", row.replace(detail.key, "../etc"), row.replace(detail.sha256, "../../etc/passwd")):
        rows.write_text(line, encoding="utf-8")
        with pytest.raises((ExportDamaged, ReadFailed)):
            imported(store, folder)
    with pytest.raises(ReadFailed):
        imported(store, tmp_path / "nowhere")
    assert [] == list_details(store)
    text.write_bytes(content)
    rows.write_text(row, encoding="utf-8")
    assert (detail.key,) == imported(store, folder).added


def test_an_export_of_earlier_versions_is_read(store: WorkspaceStore, tmp_path: Path) -> None:
    """It has details alone, in lines without a kind."""
    detail = detail_of(store)
    export_store(store, tmp_path / "out", DetailFilter())
    row = (tmp_path / "out" / ROWS).read_text(encoding="utf-8").replace('"kind": "detail", ', "")
    (tmp_path / "out" / ROWS).unlink()
    (tmp_path / "out" / EARLIER).write_text(row, encoding="utf-8")
    store.details.erase([detail.key])
    assert (detail.key,) == imported(store, tmp_path / "out").added
    assert "kind" not in row


def test_what_has_gone_stays_gone(store: WorkspaceStore, tmp_path: Path) -> None:
    """It answers its placeholder elsewhere too; where the text is still there, that stays."""
    detail, other = detail_of(store), WorkspaceStore(tmp_path / "other", StoreSettings())
    other.root.mkdir()
    store.details.retire([detail.key])
    export_store(store, tmp_path / "out", DetailFilter())
    assert (detail.key,) == imported(other, tmp_path / "out").added
    standing = other.details.find(detail.key)
    assert standing
    assert (False, detail.description) == (standing.active, standing.description)
    other.details.erase([detail.key])
    assert detail.key == detail_of(other).key
    assert (detail.key,) == imported(other, tmp_path / "out").present
    other.close()
