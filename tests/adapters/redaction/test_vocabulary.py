"""The stems of finders: each is found wherever it stands in a text, in one pass for all of them."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.redaction.screening import Screen, register_stems

SOUGHT = register_stems(["pass", "key pad", "0#", "hasło", "密", "密码", "input", " type", "q"])
PARTS = st.sampled_from([*SOUGHT, " ", "\n", "x", "密令", "hasl", "İ", "\udcff"]) | st.text(max_size=9)


@given(st.lists(PARTS, max_size=12))
def test_no_stem_is_missed(parts: list[str]) -> None:
    """Nor any line that has one."""
    screen = Screen("".join(parts))
    lines = enumerate(screen.folded.split("\n"))
    assert {number for number, line in lines if any(stem in line for stem in SOUGHT)} == screen.lines(SOUGHT)
    places = (place for place in range(len(screen.text)) for stem in SOUGHT if screen.folded.startswith(stem, place))
    assert [*dict.fromkeys(places)] == screen.occurrences(SOUGHT)
    assert any(stem in screen.folded for stem in SOUGHT) is screen.has(SOUGHT)


def test_stems_that_come_later() -> None:
    """As a finder that is imported after a text was searched has them."""
    assert not Screen("a late stem").has(SOUGHT)
    late = register_stems(["late"])
    assert Screen("a late stem").has(late)
