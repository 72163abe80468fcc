"""A ledger that cannot be opened, in place of which something stands that says so."""

from pathlib import Path

import pytest

from pipeline.errors import WriteFailed
from pipeline.ledger import closed_ledger


def test_whoever_asks_learns_why(tmp_path: Path) -> None:
    """Whatever is read, written or removed; nothing is made, and closing it is no failure."""
    ledger = closed_ledger(tmp_path / "state.db", WriteFailed("state.db", "no room"))
    for ask in (
        lambda: ledger.runs.latest(limit=1),
        lambda: ledger.coverage.stretches("note"),
        lambda: ledger.store.write("BEGIN"),
        lambda: ledger.store.delete("DELETE FROM runs"),
        ledger.store.compact,
    ):
        with pytest.raises(WriteFailed, match="no room"):
            ask()
    with pytest.raises(WriteFailed, match="no room"), ledger.store.transaction():
        pass
    ledger.store.close()
    assert [] == list(tmp_path.iterdir())
