"""The pieces of a back-up."""

import hashlib
from pathlib import Path

import pytest
import zstandard

from pipeline.backup.pieces import SIZE, PieceStore
from pipeline.errors.backup import BackupDamaged
from tests.support.tables import table


@table("sized", [True, False])
def test_a_piece_is_no_larger_than_its_size(tmp_path: Path, *, sized: bool) -> None:
    """A forged one that would fill the memory is damaged, whether it says its size or not."""
    pieces, data = PieceStore(tmp_path), bytes(SIZE + 1)
    assert bytes(SIZE) == pieces.read(pieces.add(bytes(SIZE)))
    name = hashlib.sha256(data).hexdigest()
    (tmp_path / name[:2]).mkdir()
    file = tmp_path / name[:2] / name
    file.write_bytes(zstandard.ZstdCompressor(write_content_size=sized).compress(data))
    with pytest.raises(BackupDamaged):
        pieces.read(name)
