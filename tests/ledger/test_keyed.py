"""Partitions that are no stretches of time: what they were made of."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.coverage import State, digest_of
from schemas.window import PartitionKey, Window

NOW = datetime(2026, 3, 2, tzinfo=UTC)
WHOLE = PartitionKey(key="all", window=Window(start=NOW, end=NOW))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    opened = open_ledger(tmp_path / "state.db")
    yield opened
    opened.store.close()


def test_inputs_are_distinguished_whatever_their_order() -> None:
    """By their names and ids alone."""
    one = digest_of({"a.md": ["1", "2"], "b.md": ["3"]})
    assert one == digest_of({"b.md": ["3"], "a.md": ["2", "1"]})
    assert one not in {digest_of({"a.md": ["1"], "b.md": ["2", "3"]}), digest_of({"a.md": ["1", "2"]})}


def test_what_was_dealt_with_again_is_known_by_its_new_inputs(ledger: Ledger) -> None:
    """The old ones are forgotten, and it is not stale any more."""
    keyed = ledger.keyed
    keyed.cover("fold", WHOLE, State.COVERED, "r1", {"a.md": ["1"]})
    keyed.mark_stale(keyed.of_job("fold")[0])
    keyed.cover("fold", WHOLE, State.COVERED, "r2", {"b.md": ["2"]})
    (record,) = keyed.of_job("fold")
    assert ("r2", False, digest_of({"b.md": ["2"]})) == (record.run_id, record.stale, record.digest)
    assert ([], [record]) == (keyed.with_input("fold", "a.md"), keyed.with_input("fold", "b.md"))
    assert (True, False) == (keyed.unseen(record, "a.md", ["1"]), keyed.unseen(record, "b.md", ["2"]))
