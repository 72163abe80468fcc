"""What a file begins with, where that is YAML."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking.documents import FrontMatter, front_matter
from tests.support.tables import table

NONE = FrontMatter()
READ = {
    "---\ntitle: Cabins\ntags: [lake, boats]\n---\ntext": FrontMatter(4, ("Cabins", "lake boats")),
    "---\ndate: 2026-02-10\n---": FrontMatter(3, (), date(2026, 2, 10)),
    "---\ndate: 2026-02-10 14:05:00\nsize: 3\n---": FrontMatter(4, (), date(2026, 2, 10)),
    "---\ndate: 'Tue 2026-02-10'\naliases: [Łódź]\n---": FrontMatter(4, ("Łódź",), date(2026, 2, 10)),
    "---\ndate: 2026-02-10\nsessions: []\ncheck: 2cce9b\n---\n# Ours": FrontMatter(5),
    "---\n\n## Batch 2\n\n- a: b\n": NONE,
    "---\n\n## Batch 2\n\ntext: more\n\n---\n": NONE,
    "---\na rule\n---": NONE,
    "---\ntitle: [open\n---": NONE,
    "---\ndate: 2026-02-31\n---": NONE,
    "---\ntitle: never closed": NONE,
    "text\n---\ntitle: late\n---": NONE,
    "---\n- title: a list\n---": NONE,
    "---\n? [a, b]\n: c\n: d: e\n---": NONE,
    "": NONE,
}


@table("text", READ)
def test_front_matter_is_closed_yaml(text: str) -> None:
    """Titles, tags and the day count; a rule at the beginning, YAML that is none, and a list are text of the page."""
    assert READ[text] == front_matter(text.split("\n"))


def test_deep_yaml_is_text() -> None:
    """What would exhaust a reader is not read."""
    assert NONE == front_matter(["---", "a: " + "[" * 4000, "---"])
    assert NONE == front_matter(["---", "a: " + "x" * 20_000, "---"])


@given(st.lists(st.text(alphabet="a:-[]{}&*!|>'\"%@ #?,\t1", max_size=12), max_size=6))
def test_no_beginning_is_too_odd(lines: list[str]) -> None:
    """Nothing raises, and the lines that it takes are there."""
    assert front_matter(["---", *lines, "---"]).lines <= len(lines) + 2
