"""The composition root."""

from datetime import UTC, datetime

from pipeline.app.engine import new_run_id


def test_run_ids_of_one_second_are_all_their_own() -> None:
    """A back-fill begins hundreds of runs a second, and each has an id that sorts by time."""
    moment = datetime(2026, 3, 2, 8, tzinfo=UTC)
    ids = {new_run_id(moment) for _ in range(20_000)}
    assert len(ids) == 20_000
    assert all(text.startswith("20260302T080000-") for text in ids)
