"""Sessions of other kinds below the folders of sources, as the ledger keeps them."""

from pathlib import Path

from pipeline.ledger import open_ledger
from pipeline.ledger.transcripts import OtherKind

CODEX, PI = OtherKind("openclaw", "codex", "a.jsonl", 3), OtherKind("openclaw", "pi", "b.jsonl", 1)


def test_the_last_look_counts(tmp_path: Path) -> None:
    """Each source has its own; what is not seen any more is gone, and nothing is written when nothing has changed."""
    ledger = open_ledger(tmp_path / "state.db")
    ledger.other_kinds.note("openclaw", [CODEX, PI])
    assert ([CODEX, PI], []) == (ledger.other_kinds.of("openclaw"), ledger.other_kinds.of("x"))
    changes = ledger.store.value("SELECT total_changes()")
    ledger.other_kinds.note("openclaw", [CODEX, PI])
    assert changes == ledger.store.value("SELECT total_changes()")
    ledger.other_kinds.note("openclaw", [PI])
    ledger.other_kinds.note("x", [])
    assert [PI] == ledger.other_kinds.of("openclaw")
    ledger.store.close()
