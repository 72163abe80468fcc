"""Values as JSON: what every surface prints."""

from datetime import UTC, date, datetime

import pytest

from schemas.json_line import json_line


def test_moments_and_days_are_iso_8601() -> None:
    """An entry has both: when it was said, and the last day on which it holds."""
    value = {"date": datetime(2026, 3, 2, 9, tzinfo=UTC), "until": date(2026, 4, 7)}
    assert '{"date":"2026-03-02T09:00:00+00:00","until":"2026-04-07"}' == json_line(value)


def test_a_value_without_a_form_is_refused() -> None:
    """Rather than printed as Python shows it."""
    with pytest.raises(TypeError, match="has no form in JSON"):
        json_line({"value": object()})
