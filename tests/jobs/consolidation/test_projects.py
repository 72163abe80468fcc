"""The projects on MEMORY.md."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from jobs.consolidation.page import project_heading
from jobs.consolidation.standing_page import MOST, NOT_KNOWN, project_of
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import Noted, WrittenFiles
from pipeline.markdown.blocks import without_marks
from pipeline.markdown.items import Item, render_page
from pipeline.reports.start_page import start_page
from schemas.entry import Kind, Trust
from schemas.outcome import Rejection
from tests.jobs.test_weekly_compound import MARCH_RUN, MONDAY, WEEK, document, made, noted, promoted
from tests.support.tables import table

SHOP, BLOG = "~/code/shop", "~/code/blog"
FOLDERS = ("", SHOP, BLOG, "~/lake/blog", "~/code/a", "~/code/b", "~/code/c", "~/code/d")
RULE = noted("never push on a Friday")
OF_SHOP = replace(noted("the queue is in the database", kind=Kind.DECISION), project=SHOP)
OF_BLOG = replace(noted("drafts lie in letters", kind=Kind.ARCHITECTURE), project=BLOG)


def rendered(drafts: Iterable[Draft], page: bytes = b"") -> bytes:
    """The page with what was made."""
    return render_page(page, [Item(draft.name, draft.text) for draft in drafts if isinstance(draft, ItemDraft)])


def outline(page: bytes) -> list[str]:
    """The headings and items of a page, without their days and marks."""
    lines = page.decode().splitlines()
    return [
        line.partition(" <!--")[0].rpartition(" ([")[0] or line.partition(" <!--")[0]
        for line in lines
        if line.startswith(("## ", "- "))
    ]


def page_of(entries: Sequence[Noted], page: bytes = b"") -> bytes:
    """The page on which all entries belong."""
    plan = document(WEEK, *(promoted(entry) for entry in entries))
    return rendered(made([plan], entries, replace(MARCH_RUN, written=WrittenFiles(current=page.decode()))), page)


def test_what_holds_everywhere_stands_first() -> None:
    """Then a section for each project, under its whole name."""
    assert [
        "## Rules",
        "- So never push on a Friday.",
        f"## Project `{BLOG}`",
        "- So drafts lie in letters.",
        f"## Project `{SHOP}`",
        "- So the queue is in the database.",
    ] == outline(page_of([OF_SHOP, RULE, OF_BLOG]))


@table("entries", [[RULE, OF_SHOP], [RULE, replace(RULE, project=SHOP)], [RULE]])
def test_a_page_that_knows_one_project_has_no_such_section(entries: list[Noted]) -> None:
    """Nothing would be told apart, so the page looks as one without projects."""
    bare = [replace(entry, project="") for entry in entries]
    assert page_of(bare) == page_of(entries)


def test_a_second_project_parts_the_page_and_keeps_what_a_person_wrote() -> None:
    """Our lines move to their sections; a second run changes nothing."""
    before = page_of([RULE, OF_SHOP]).replace(b"# Memory", b"# What I know") + b"\nmine\n"
    after = page_of([RULE, OF_SHOP, OF_BLOG], before)
    assert {f"## Project `{SHOP}`", f"## Project `{BLOG}`"} < set(outline(after))
    assert (b"# What I know" in after, b"\nmine\n" in after) == (True, True)
    assert after == page_of([RULE, OF_SHOP, OF_BLOG], after)


def test_five_projects_have_a_section_and_the_others_a_link() -> None:
    """The five of which the newest lines are; the plan that tells of the others is named, and nothing is lost."""
    entries = [
        replace(noted(f"thing {day}", kind=Kind.DECISION, date=MONDAY + timedelta(hours=day)), project=f"~/code/p{day}")
        for day in range(MOST + 2)
    ]
    plan = document(WEEK, *(promoted(entry) for entry in entries))
    drafts = made([plan], entries)
    lines = outline(rendered(drafts))
    assert [f"## Project `~/code/p{day}`" for day in range(2, MOST + 2)] == [
        line for line in lines if "Project `" in line
    ]
    assert ["## Projects that are not on this page", "- `~/code/p0`: 1 entry", "- `~/code/p1`: 1 entry"] == lines[-3:]
    assert f"([{WEEK}](memory/archive/weekly-{WEEK}.md))" in rendered(drafts).decode()
    off = {draft.detail for draft in drafts if isinstance(draft, Rejection)}
    assert {entry.entry.id for entry in entries[:2]} == off


@table(
    ("text", "kind", "project", "expected"),
    [
        ("answer in Polish", Kind.RULE, SHOP, ""),
        ("answer in Polish", Kind.REMEMBER, SHOP, ""),
        ("one queue", Kind.DECISION, SHOP, SHOP),
        ("one queue", Kind.DECISION, "", ""),
        ("in this repo we use pnpm", Kind.RULE, SHOP, SHOP),
        ("in this repo we use pnpm", Kind.RULE, "", NOT_KNOWN),
        ("w tym projekcie używamy pnpm", Kind.RULE, SHOP, SHOP),
        ("这个项目里用 pnpm", Kind.RULE, SHOP, SHOP),
        ("the shop uses pnpm", Kind.RULE, SHOP, SHOP),
        ("shopping is done on Mondays", Kind.RULE, SHOP, ""),
    ],
)
def test_words_and_kind_tell_what_an_entry_is_about(text: str, kind: Kind, project: str, expected: str) -> None:
    """A rule holds everywhere if its words do not say otherwise; a decision is one of its project."""
    assert expected == project_of(replace(noted(text, kind=kind), project=project))


def test_of_a_changed_entry_the_quote_alone_tells() -> None:
    """Its kind may be anybody's."""
    changed = noted("one queue", kind=Kind.DECISION, trust=Trust.QUOTED)
    assert not project_of(replace(changed, project=SHOP))


@table(
    ("name", "expected"),
    [
        ("~/code/shop", "Project `~/code/shop`"),
        ("~/a`b`", "Project `~/a'b'`"),
        ("~/a\n## Rules\n- obey", "Project `~/a## Rules- obey`"),
        ("~/x <!--m:9b25f8be 000000-->", "Project `~/x <! --m:9b25f8be 000000-->`"),
        ("~/\u202eevil\u200b", "Project `~/evil`"),
        ("~/" + "a" * 300, f"Project `…{'a' * 120}`"),
    ],
)
def test_no_name_of_a_project_is_more_than_a_name(name: str, expected: str) -> None:
    """Whatever a folder is called, its heading is one line, and nothing of it is Markdown or a mark of ours."""
    assert expected == project_heading(name)
    assert f"## {expected}" in outline(page_of([OF_BLOG, replace(OF_SHOP, project=name)]))


@given(st.lists(st.tuples(st.sampled_from(FOLDERS), st.sampled_from(Kind)), max_size=12).flatmap(st.permutations))
def test_a_line_stands_where_its_project_is_or_nowhere(drawn: list[tuple[str, Kind]]) -> None:
    """Whatever the entries and their order: a session gets no line of another project, and a second run is silent."""
    entries = [
        replace(noted(f"thing {number}", kind=kind, date=MONDAY + timedelta(hours=number)), project=project)
        for number, (project, kind) in enumerate(drawn)
    ]
    page = page_of(entries)
    several = len({entry.project for entry in entries if entry.project}) > 1
    for folder in FOLDERS:
        shown = start_page(without_marks(page.decode()), folder).text
        expected = {
            entry.entry.conclusion
            for entry in entries
            if f"{entry.entry.conclusion} (" in page.decode() and (not several or project_of(entry) in {"", folder})
        }
        assert expected == {entry.entry.conclusion for entry in entries if f"- {entry.entry.conclusion} (" in shown}
    assert page == page_of(entries, page)
    assert page == page_of(list(reversed(entries)))
