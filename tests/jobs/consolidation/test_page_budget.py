"""What fits into MEMORY.md beside the person's lines."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from jobs.consolidation.page import (
    ABOUT,
    HEADINGS,
    TITLE,
    Arrangement,
    PageCandidate,
    arrange,
    cost_of,
    heading,
    summary,
)
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import MORE_DIGITS, item_name
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.items import Item, persons_part, render_page
from schemas.entry import Entry, Kind, Source
from schemas.hot_page import CHARACTERS, LINES
from tests.support.builders.entries import TWINS, noted_entry
from tests.support.tables import table

NOTHING = frozenset[str]()
SUBJECTS = ("Cabins", "Deploys", "Rules", "定金")


def candidate(number: int, length: int = 60, subject: str = "") -> PageCandidate:
    """The entry of a number, with a conclusion of about so many characters."""
    entry = Entry(
        id=f"RULE-20260313-number-{number}",
        title=f"number {number}",
        kind=Kind.RULE,
        date=datetime(2026, 3, 13, 10, tzinfo=UTC),
        source=Source(session_id="s1", session_path="m:s1", message_range=(4, 5), entry_ids=("a1",)),
        quote=f"quote {number}",
        conclusion=f"Number {number} " + "x" * length,
        confidence=0.86,
    )
    return PageCandidate(noted_entry(entry, "memory/2026-03-13.md", as_written=True), subject or SUBJECTS[number % 4])


def written(data: bytes, candidates: Sequence[PageCandidate], removed: frozenset[str] = NOTHING) -> bytes:
    """The page after a run of the engine."""
    return rendered(data, arranged(data, candidates, removed).items, removed)


def rendered(data: bytes, items: Iterable[ItemDraft], removed: frozenset[str] = NOTHING) -> bytes:
    """The page with these items."""
    return render_page(data, [Item(draft.name, draft.text) for draft in items], removed)


def arranged(data: bytes, candidates: Sequence[PageCandidate], removed: frozenset[str] = NOTHING) -> Arrangement:
    """What the job makes of a page."""
    return arrange(data.decode(errors="replace"), removed, candidates, ())


def size(data: bytes) -> tuple[int, int]:
    """Lines and characters of a page, a last line without an end included."""
    text = data.decode(errors="replace")
    return text.count("\n") + (not text.endswith("\n") and text != ""), len(text)


def within_limits(before: bytes, after: bytes) -> bool:
    """Whether a page is as short as promised, given what was there."""
    lines, characters = size(persons_part(before))
    return size(after)[0] <= max(LINES, lines) and size(after)[1] <= max(CHARACTERS, characters)


def bodies(data: bytes) -> list[bytes]:
    """The lines of a page without their ends."""
    return re.split(rb"\r?\n", data)


def names(data: bytes) -> list[str]:
    """The items of a page in their order."""
    return [block.name for block in find_blocks(data) if block.item]


def of(candidates: Iterable[PageCandidate]) -> list[str]:
    """The names of their items."""
    return [line.item.name for line in candidates]


def test_a_subject_with_few_entries_joins_their_kind() -> None:
    """Until there are three; then they go under its heading together, also on the page that stands."""
    two, third = [candidate(1), candidate(5)], candidate(9)
    page = written(b"", two)

    assert [heading("Rules").name, *of(two)] == names(page)[2:]
    grown = written(page, [*two, third])
    assert [heading("Deploys").name, *of([*two, third])] == names(grown)[2:]
    assert (page, grown) == (written(grown, two), written(grown, [*two, third]))


def test_a_kind_with_few_entries_joins_a_neighbour() -> None:
    """Whose heading names both."""
    kinds = (Kind.DECISION, Kind.RULE, Kind.RULE, Kind.RULE, Kind.REMEMBER, Kind.REMEMBER)
    few = [_of_kind(number, kind) for number, kind in enumerate(kinds)]

    def headings(entries: Sequence[PageCandidate]) -> list[str]:
        return [draft.text for draft in arranged(b"", entries).items if draft.text.startswith("## ")]

    assert ["## Decisions, rules and things to remember"] == headings(few)
    assert ["## Decisions and rules"] == headings(few[:4])
    assert ["## Decisions and things to remember"] == headings([few[0], few[4]])
    assert ["## Decisions"] == headings(few[:1])
    assert ["## Rules"] == headings(few[1:4])
    assert ["## Rules", "## To remember"] == headings([*few[1:], _of_kind(9, Kind.REMEMBER)])


def _of_kind(number: int, kind: Kind) -> PageCandidate:
    made = candidate(number, subject=HEADINGS[kind])
    return replace(made, noted=replace(made.noted, entry=made.noted.entry.model_copy(update={"kind": kind})))


def test_where_only_few_entries_of_a_subject_find_room_they_join_their_kind() -> None:
    """What is counted is what stands on the page."""
    page = b"mine\n" * (LINES - 4)

    arrangement = arranged(page, [candidate(number) for number in (1, 5, 9, 13)])

    assert [heading("Rules").name, *of([candidate(1), candidate(5)])] == [draft.name for draft in arrangement.items]


def test_a_heading_above_what_a_person_changed_stays() -> None:
    """With what is left of ours under it; the heading of a section without anything of a person goes."""
    entries = [candidate(number) for number in (1, 5, 9, 3, 7, 11)]
    page = written(b"", entries).replace(b"Number 5 ", b"Number five! ")

    after = written(page, [candidate(1), candidate(5), candidate(3)])

    assert [heading("Deploys").name, *of([candidate(1), candidate(5)])] == names(after)[2:5]
    assert [heading("Rules").name, candidate(3).item.name] == names(after)[5:]
    assert after == written(after, [candidate(1), candidate(5), candidate(3)])


def test_entries_with_the_same_hash_have_names_of_their_own() -> None:
    """The senior one keeps the short name, in whatever order they are given."""
    twins = [_twin(name, week) for name, week in zip(TWINS, ("2026-W10", "2026-W11"), strict=True)]

    for entries in (twins, twins[::-1]):
        page = written(b"", entries)
        assert [item_name(TWINS[0]), item_name(TWINS[1], MORE_DIGITS)] == names(page)[-2:]
        assert page == written(page, entries)
    assert [item_name(TWINS[0])] == names(written(page, twins[:1]))[-1:]


def _twin(name: str, week: str) -> PageCandidate:
    made = candidate(1, subject="Rules")
    entry = made.noted.entry.model_copy(update={"id": name, "conclusion": name})
    return replace(made, noted=replace(made.noted, entry=entry), rank=((week, 0.0, ""), (week, 0.0, name)))


def test_a_new_page_has_a_title_and_sections() -> None:
    """Each section as its heading and the entries under it: subjects before kinds."""
    deploys, rules = [candidate(number) for number in (1, 5, 9)], [candidate(number) for number in (2, 6, 10)]

    lines = names(written(b"", [*rules, *deploys]))

    assert lines == [
        TITLE.name,
        ABOUT.name,
        heading("Deploys").name,
        *of(deploys),
        heading("Rules").name,
        *of(rules),
    ]


def test_a_hundred_and_twenty_entries_of_95_characters_fit() -> None:
    """Under a dozen headings."""
    subjects = [f"subject {number}" for number in range(10)]
    many = [candidate(number + 1000, 95 - len("Number 1000 "), subjects[number % 10]) for number in range(120)]

    assert {95} == {len(summary(line.noted)) for line in many}
    assert () == arranged(b"", many).left_out


def test_nothing_makes_no_page() -> None:
    """Without an entry there is nothing to explain."""
    assert Arrangement((), ()) == arranged(b"", [])


def test_the_title_stays_when_all_entries_have_gone() -> None:
    """A page that exists is not taken away."""
    page = written(b"", [candidate(1)])

    assert [TITLE.name, ABOUT.name] == names(written(page, []))


def test_a_page_of_a_person_gets_no_title() -> None:
    """It has theirs."""
    assert TITLE.name not in names(written(b"# Mine\n", [candidate(1)]))


@table("ending", ["", "\n", "\r\n"])
def test_a_long_page_of_a_person_is_left_alone(ending: str) -> None:
    """What found no room is named, and not a byte is added."""
    page = (ending or "\n").join(f"## Same {number % 3}" for number in range(543)) + ending
    entries = [candidate(1), candidate(2)]

    assert page.encode() == written(page.encode(), entries)
    assert entries == list(arranged(page.encode(), entries).left_out)


def test_a_page_of_many_characters_is_left_alone() -> None:
    """However few its lines are."""
    page = ("x" * CHARACTERS).encode()

    assert page == written(page, [candidate(1)])


@table(("lines", "fits"), [(LINES - 3, True), (LINES - 2, False)])
def test_the_last_line_is_used(lines: int, fits: bool) -> None:  # noqa: FBT001 - a parametrized flag
    """An empty line, a heading and the line of an entry."""
    after = written(b"mine\n" * lines, [candidate(1)])

    assert (LINES if fits else lines) == size(after)[0]


def test_the_last_character_is_used() -> None:
    """The mark of the engine and the line ends count."""
    need = cost_of(candidate(1).item)[1] + cost_of(heading("Rules"))[1]
    exact, tight = (b"x" * (CHARACTERS - need - spare - 1) + b"\n" for spare in (0, -1))

    assert CHARACTERS == size(written(exact, [candidate(1)]))[1]
    assert tight == written(tight, [candidate(1)])


def test_entries_are_placed_in_the_order_given() -> None:
    """The elder first; a younger that is shorter may use what is left."""
    long, short = candidate(1, 200, "Rules"), candidate(2, 1, "Rules")
    need = cost_of(short.item)[1] + cost_of(heading("Rules"))[1]
    page = b"x" * (CHARACTERS - need - 20) + b"\n"

    assert [long] == list(arranged(page, [long, short]).left_out)
    assert [short] == list(arranged(page[200:], [long, short]).left_out)


def test_what_a_person_changed_is_theirs_and_costs_what_it_takes() -> None:
    """No second item for the entry; its heading stays above it."""
    page = written(b"", [candidate(1)])
    edited = page.replace(b"Number 1 ", b"Number one! ")

    after = written(edited, [candidate(1)])

    assert edited == after
    assert () == arranged(edited, [candidate(1)]).left_out


def test_a_changed_heading_is_used_as_it_is() -> None:
    """The person's name for the section."""
    first = [candidate(number) for number in (1, 5, 9)]
    page = written(b"", first).replace(b"## Deploys", b"## Releases")

    for entries in ([*first, candidate(13)], first[:1]):
        after = written(page, entries)
        assert after.count(b"## ") == 1
        assert names(after)[2:] == [heading("Deploys").name, *of(entries)]


def test_what_a_person_removed_costs_nothing_and_is_not_listed() -> None:
    """Neither an entry nor a heading comes back."""
    removed = frozenset({candidate(1).item.name, heading("Deploys").name})

    arrangement = arranged(b"mine\n" * (LINES - 2), [candidate(1), candidate(5)], removed)

    assert (of([candidate(5)]), ()) == ([draft.name for draft in arrangement.items], arrangement.left_out)


def test_what_a_person_put_back_stays() -> None:
    """Even if it was noted once that they had taken it out."""
    page = written(b"", [candidate(1), candidate(5)])

    assert page == written(page, [candidate(1), candidate(5)], frozenset(names(page)))


def test_a_copy_of_our_item_counts_as_often_as_it_stands_there() -> None:
    """A person may copy it, and it stays ours as long as it is unchanged."""
    page = written(b"mine\n" * 10, [candidate(number) for number in range(300)])
    copied = page + b"".join(line for line in page.splitlines(keepends=True) if b"Number 1 " in line)

    after = written(copied, [candidate(number) for number in range(300)])

    assert within_limits(copied, after)
    assert after == written(after, [candidate(number) for number in range(300)])


def test_joined_items_are_no_reason_for_a_second_one() -> None:
    """A person who puts two items on one line has made both theirs."""
    page = written(b"", [candidate(1), candidate(5)])
    joined = re.sub(rb"-->\n- Number 5", b"--> - Number 5", page)

    after = written(joined, [candidate(1), candidate(5)])

    assert (joined, 1) == (after, after.count(b"Number 5 "))


LINE = st.sampled_from(
    [
        "",
        "# Title",
        "## Cabins",
        "- a list",
        "  - nested",
        "中文的一行",
        "zażółć",
        "---",
        "```",
        "text",
        "a\rb",
        "- id: X",
    ]
)
END = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def pages(draw: st.DrawFn) -> bytes:
    """A page as a person may have it: perhaps with very many or long lines, perhaps with no last line end."""
    lines = draw(st.lists(st.tuples(LINE, END), max_size=12))
    filler = draw(st.sampled_from([0, 0, 150, 185, 195, 198, 200, 543]))
    width = draw(st.sampled_from([1, 40, 95, 102]))
    text = "".join(line + end for line, end in lines) + ("x" * width + draw(END)) * filler
    text = text.rstrip("\r\n") if draw(st.booleans()) else text
    return text.encode().replace("§".encode(), b"\xff")  # no UTF-8


CANDIDATES = st.lists(
    st.builds(candidate, st.integers(0, 150), st.integers(0, 240)), max_size=110, unique_by=lambda line: line.item.name
)


@given(pages(), CANDIDATES, st.sets(st.integers(0, 150)))
def test_a_page_keeps_its_limits_and_the_persons_lines(
    page: bytes, candidates: list[PageCandidate], gone: set[int]
) -> None:
    """Whatever the person has on it; every entry is there, removed, or listed; and a second run changes nothing."""
    removed = frozenset(of(candidate(number) for number in gone))

    after = written(page, candidates, removed)

    left_out = of(arranged(page, candidates, removed).left_out)
    assert within_limits(page, after)
    assert bodies(persons_part(after)) == bodies(page)
    assert sorted(of(candidates)) == sorted(
        [*(name for name in names(after) if name.startswith("m-")), *left_out, *(removed & set(of(candidates)))]
    )
    assert after == written(after, candidates, removed)


@given(pages(), CANDIDATES, CANDIDATES, st.integers(0, 400), st.sampled_from(["edit", "delete", "add", "join"]))
def test_weeks_go_by(page: bytes, first: list[PageCandidate], second: list[PageCandidate], at: int, act: str) -> None:
    """A person changes a line between two weeks with other entries: limits hold, and their lines stay."""
    lines = written(page, first).split(b"\n")
    at %= len(lines)
    lines[at : at + 1] = {
        "edit": [b"edited " + lines[at]],
        "delete": [],
        "add": [lines[at], b"added"],
        "join": [lines[at] + b" " + b"".join(lines[at + 1 : at + 2])],
    }[act]
    changed = b"\n".join(lines)
    removed = frozenset(of(first)) - set(names(changed)) if act == "delete" else NOTHING

    after = written(changed, second, removed)

    assert within_limits(changed, after)
    assert [line for line in bodies(persons_part(changed)) if line.strip()] == [
        line for line in bodies(persons_part(after)) if line.strip()
    ]
    assert after == written(after, second, removed)
