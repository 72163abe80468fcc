"""`MEMORY.md` as a session gets it."""

from pipeline.language.tokens import count_tokens
from pipeline.reports.start_page import fitted_page, start_page
from tests.support.tables import table

PAGE = """# Memory

What to read first.

## Rules
- Never push on a Friday.

## Project `~/code/blog`
- Drafts lie in letters.

## Project `~/code/shop`
- The queue is in the database.

## Mine
- Ask Anna first.
"""
GENERAL = "# Memory\n\nWhat to read first.\n\n## Rules\n- Never push on a Friday.\n\n## Mine\n- Ask Anna first."
SHOP = "## Project `~/code/shop`\n- The queue is in the database."
ELSEWHERE = "(Other projects have lines of their own: {}. Search with the name of one to find them.)"


@table(
    ("project", "expected"),
    [
        ("~/code/shop", [GENERAL, SHOP, ELSEWHERE.format("`~/code/blog`")]),
        ("shop", [GENERAL, SHOP, ELSEWHERE.format("`~/code/blog`")]),
        ("~/code/other", [GENERAL, ELSEWHERE.format("`~/code/blog`, `~/code/shop`")]),
        ("/home/ola", [GENERAL, ELSEWHERE.format("`~/code/blog`, `~/code/shop`")]),
        ("", [GENERAL, ELSEWHERE.format("`~/code/blog`, `~/code/shop`")]),
        (None, [PAGE.strip()]),
    ],
)
def test_a_session_gets_what_holds_everywhere_and_its_project(project: str | None, expected: list[str]) -> None:
    """Also what a person wrote below; other projects are named alone. Without asking for one it is all."""
    assert "\n\n".join(expected) == start_page(PAGE, project).text


def test_a_page_without_projects_is_shown_whole() -> None:
    """As it stands, wherever the session is."""
    page = "# Memory\n\n## Rules\n- Never push on a Friday."
    assert page == start_page(page, "~/code/shop").text
    assert not start_page("", "~/code/shop").text


def test_over_the_budget_the_last_lines_of_the_longer_part_go() -> None:
    """So neither what holds everywhere nor the project is crowded out; headings and other names stay."""
    rules, things = ([f"- {word} number {number}." for number in range(60)] for word in ("Rule", "Thing"))
    page = "\n".join(["# Memory", "## Rules", *rules, "## Project `~/shop`", *things[:5], "## Project `~/blog`", "- x"])
    shown, left_out = fitted_page(start_page(page, "shop"), 200, count_tokens)
    assert count_tokens(shown.text) <= 200
    assert ("- Rule number 0." in shown.text, "- Thing number 4." in shown.text) == (True, True)
    assert ("- Rule number 59." in shown.text, "`~/blog`" in shown.text) == (False, True)
    assert left_out + shown.text.count("number") == 65
