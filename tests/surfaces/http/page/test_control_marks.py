"""Characters that steer the text around them, as the page shows them."""

from pathlib import Path

from pipeline.surfaces.http.page.reading import visible
from tests.support.tables import table
from tests.support.workspaces.many_entries import empty_workspace, facts_of_others
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import served


@table(
    ("text", "shown"),
    [
        ("\u202eevil", "[U+202E]evil"),
        ("a\u2066b\u200bc\ufeff", "a[U+2066]b[U+200B]c[U+FEFF]"),
        ("\x1b[31m\x9b", "␛[31m[U+009B]"),
        ("pay\u200dpal", "pay[U+200D]pal"),
        ("one\r\n\ttwo", "one\r\n\ttwo"),
        ("שלום עולם, مرحبا بالعالم", "שלום עולם, مرحبا بالعالم"),
        ("می‌خواهم, क्‍ष, 👩‍👧", "می‌خواهم, क्‍ष, 👩‍👧"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e007f"),
    ],
)
def test_marks(text: str, shown: str) -> None:
    """Controls, overrides and what has no width are shown; letters, joiners of scripts and flags stay."""
    assert shown == visible(text)


def test_a_text_that_would_turn(tmp_path: Path) -> None:
    """It is shown with a mark wherever it stands, also where words of a question are marked in it."""
    root = empty_workspace(tmp_path / "work")
    facts_of_others(root, ["W @Hania: \u202eevil reversed\u2066 text \u05e9\u05dc\u05d5\u05dd"])
    with served(root) as workspace:
        reader = PageReader(workspace)
        for path in (
            "/entities/Hania",
            "/graph?entity=Hania",
            "/search?query=evil+reversed",
            "/beliefs?words=%E2%80%AE",
        ):
            document = reader.get(path)
            asked = document.html.replace('value="\u202e"', "")  # a field keeps what was typed
            assert (200, set()) == (document.status, {"\u202e", "\u2066"} & set(asked))
        assert "[U+202E]evil reversed[U+2066] text שלום" in reader.get("/entities/Hania").text
