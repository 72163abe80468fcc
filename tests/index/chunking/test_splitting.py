"""Where long text is cut."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking.splitting import BUDGET, LIMIT, cut_lines, sentences, weight

ENGLISH = "The boat leaves at nine and it is never late. "
CHINESE = "我们决定每周四凌晨两点变更集群。"


def test_a_chinese_character_weighs_two() -> None:
    """600 of them are as long as 1,200 letters."""
    assert (3, 4, 4, 5) == (weight("abc"), weight("żółw"), weight("决定"), weight("a决定"))


def test_what_is_short_stays_whole() -> None:
    """One part, with its lines."""
    assert [(0, 1, "a\nb")] == [(part.first, part.last, part.text) for part in cut_lines(["a", "b"], 0, 1)]


def test_lines_are_cut_between_paragraphs() -> None:
    """A part ends where a paragraph does when it is nearly full, and begins with no empty line."""
    lines = ["word " * 120, "word " * 100, "", "word " * 100, "word " * 100]
    assert [(0, 1), (3, 4)] == [(part.first, part.last) for part in cut_lines(lines, 0, 4)]


def test_one_long_line_is_cut_at_the_ends_of_sentences() -> None:
    """Its parts are all in that line and end with a full stop, in Latin and in Chinese script."""
    for text in (ENGLISH * 100, CHINESE * 100):
        parts = list(cut_lines(["before", text, "after"], 0, 2))
        assert [(0, 0), (2, 2)] == [(parts[0].first, parts[0].last), (parts[-1].first, parts[-1].last)]
        assert {(1, 1)} == {(part.first, part.last) for part in parts[1:-1]}
        assert text == "".join(part.text for part in parts[1:-1])
        assert all(part.text.rstrip()[-1] in ".。" for part in parts[1:-1])
        assert all(weight(part.text) <= LIMIT for part in parts[1:-1])


def test_the_parts_of_a_huge_line_do_not_repeat_it_without_end() -> None:
    """Each part shows the whole line, so a longer line has longer parts."""
    for length in (10_000, 100_000, 1_000_000):
        parts = list(cut_lines(["x " * (length // 2)], 0, 0))
        assert len(parts) * length <= 2 * max(BUDGET, length)


@given(st.lists(st.text(alphabet="ab .。漢\t\u2028", max_size=60), min_size=1, max_size=12), st.integers(2, 40))
def test_parts_have_all_the_text_once(lines: list[str], limit: int) -> None:
    """Nothing that is no white space is lost or doubled, and parts are in order."""
    parts = list(cut_lines(lines, 0, len(lines) - 1, limit))
    assert "".join("".join(lines).split()) == "".join("".join(part.text for part in parts).split())
    assert sorted((part.first, part.last) for part in parts) == [(part.first, part.last) for part in parts]


@given(st.text(min_size=1, max_size=200), st.integers(1, 50))
def test_a_line_is_the_sum_of_its_parts(line: str, limit: int) -> None:
    """Whatever stands in it, and none of them is empty."""
    parts = list(sentences(line, limit))
    assert line == "".join(parts)
    assert all(parts)
