"""A session while its records are being read."""

from pipeline.adapters.sources.reading.assembly import Assembly

TIME = "2026-02-02T09:00:00Z"


def test_the_same_line_again_is_a_repeat() -> None:
    """A line with a time says when, so another one like it is a copy; its id is of its number and contents."""
    assembly = Assembly()
    first = assembly.admit_line(1, {"text": "a", "timestamp": TIME}, TIME)
    assert first.startswith("line1-")
    assert "" == assembly.admit_line(2, {"text": "a", "timestamp": TIME}, TIME)
    assert assembly.admit_line(3, {"text": "b", "timestamp": TIME}, TIME).startswith("line3-")
    assert {"repeated": 1} == assembly.skipped


def test_without_times_lines_may_be_alike() -> None:
    """A person may say the same twice."""
    assembly = Assembly()
    ids = [assembly.admit_line(number, {"text": "yes"}, None) for number in (1, 2)]
    assert 2 == len({*ids} - {""})


def test_a_time_under_any_name_moves_the_clock() -> None:
    """Formats differ in where it stands."""
    assembly = Assembly()
    assembly.admit_line(1, {"created_at": TIME}, TIME)
    assert assembly.clock
    assert 9 == assembly.clock.hour
