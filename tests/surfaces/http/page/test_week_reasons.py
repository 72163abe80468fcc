"""Reasons of a week's plan in the reader's language."""

from pipeline.surfaces.http.page.week_reasons import week_reason
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader

PROMOTED = 'score 0.84: rule, confidence 0.96, owner, 1 day old; under "Rules" since 2026-W10, because '
STILL = "jego ocena to nadal co najmniej 0.40"


@table(
    ("reason", "shown"),
    [
        (
            f"{PROMOTED}its score is still 0.40 or more",
            "ocena 0.84; zasada; pewność 0.96; Twoje słowo; wiek w dniach: 1; pod „Rules” od 2026-W10; " + STILL,
        ),
        (
            "score 0.62: decision, came up on 2 later days; into m-1, because that took its place on 2026-03-13",
            "ocena 0.62; decyzja; wracało później, w dniach: 2; do m-1; tamten zajął jego miejsce 2026-03-13",
        ),
        ("score 0.00; because a person archived it", "ocena 0.00; człowiek przeniósł go do archiwum"),
        (f"{PROMOTED}a model said so", f"{PROMOTED}a model said so"),
        ("because I like it", "because I like it"),
    ],
)
def test_fixed_words(reason: str, shown: str) -> None:
    """They are told in the language; a reason with any other words stays whole, and English is as it was written."""
    assert (shown, reason) == (week_reason(reason, "pl"), week_reason(reason, "en"))


def test_the_page_of_weeks(reader: PageReader) -> None:
    """No English reason is left in a plan that no model made."""
    for language in ("pl", "zh"):
        for path in (
            "/memory",
            "/memory/weeks",
            "/entries/REMEMBER-20260314-the-lake-road-is-closed-from-20-to-24-april-guests-have-to",
        ):
            text = PageReader(reader.workspace, language).get(path).text
            assert ("because" in text, "its score" in text) == (False, False)
