"""The scorer of the wrap-ups: what it makes of a label."""

from benchmarks.wrapup_quality import lines_of
from tests.support.builders.matching import Line


def test_a_label_gives_a_line_for_every_thing_it_tells() -> None:
    """Decisions are looked up among its items; a session without a person has none."""
    item = {"id": "en1-a", "gist": "Keep", "gist_en": "Keep", "quote": "keep it"}
    label = {
        "session_id": "s",
        "lang": "en",
        "items": [item],
        "wrapup": {"decisions": ["en1-a"], "actions": ["write"], "open_loops": [], "technical": []},
    }
    expected = [
        Line("en1", "s", "en", "decisions", ("Keep", "Keep", "keep it")),
        Line("en1", "s", "en", "actions", ("write",)),
    ]
    assert expected == lines_of(label)
    assert [] == lines_of({"session_id": "m", "lang": "en", "items": [], "wrapup": None})
