"""Patterns that choose files of a folder."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.workspace.listing import Patterns
from tests.support.tables import table

CHOSEN = [
    ("**/*.md", "a.md", True),
    ("**/*.md", "x/y/a.md", True),
    ("**/*.md", "a.mdx", False),
    ("*.md", "x/a.md", False),
    ("notes/**", "notes/x/a.txt", True),
    ("notes/**", "other/notes/a.txt", False),
    ("**/2026-??-*.md", "log/2026-02-1.md", True),
    ("a?c", "a/c", False),
    ("[ab].md", "b.md", True),
    ("[!ab].md", "b.md", False),
    ("[!ab].md", "c.md", True),
    ("x[!a]y", "x/y", False),
    ("[a-c].md", "b.md", True),
    ("a[.md", "a[.md", True),
    ("a+(b).md", "a+(b).md", True),
    ("./*.md", "a.md", True),
]


@table(("pattern", "path", "chosen"), CHOSEN)
def test_a_pattern_chooses_paths(pattern: str, path: str, chosen: bool) -> None:  # noqa: FBT001 - a column of the table
    """Stars stay within a folder unless they are two; everything else stands for itself."""
    assert chosen == Patterns([pattern]).matches(path)


@given(st.text(alphabet="a*?[]!-^\\/.&|~", max_size=12))
def test_any_text_is_a_pattern(pattern: str) -> None:
    """A setting cannot make the index fail."""
    assert Patterns([pattern]).matches("a/b.md") in {True, False}
