"""Pages of items: brought up to date in place, with every byte of a person where it was."""

from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.markdown.blocks import find_blocks, seal_item
from pipeline.markdown.items import Item, disown_items, persons_part, render_page
from tests.support.tables import table

PEOPLE = st.sampled_from([
    b"",
    b"no final newline",
    b"# Mine\n\ntext\n",
    b"windows\r\nlines\r\n",
    b"windows\r\nno end",
    b"\xff\xfe broken \x80\n",
    b"---\nnot: front matter\n",
    b"---\ntitle: mine\n---\n\ntext\n",
    b"---\n",
    b"old mac\r",
    b"\n\n\n",
    b"\r\n",
    b"```\nopen fence\n",
    b"- a list\n- of mine\n",
    b"## Same\ntext\n## Same\ntext\n",
])  # fmt: skip
ANY = PEOPLE | st.binary(max_size=60) | st.lists(PEOPLE | st.binary(max_size=5), max_size=4).map(b"".join)
NAMES = ("title", "front-matter", "rules", "r1", "r2", "tools", "t1", "t2")
SHAPES = {"title": "# ", "front-matter": "k: ", "rules": "## ", "tools": "## "}
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
PAGES = st.lists(st.tuples(st.sampled_from(NAMES), WORDS), unique_by=lambda pair: pair[0]).map(
    lambda pairs: [item(name, text) for name, text in sorted(pairs, key=lambda pair: NAMES.index(pair[0]))]
)


def item(name: str, text: str) -> Item:
    """An item in the shape that goes with its name."""
    return Item(name, f"{SHAPES.get(name, '- ')}{text}")


def names(page: bytes) -> list[str]:
    """Our items, intact or not, in the order of the page."""
    return [block.name for block in find_blocks(page) if block.item]


RULES = [item("rules", "Rules"), item("r1", "one queue"), item("r2", "no server"), item("tools", "Tools")]


@given(ANY, PAGES, PAGES)
@example(b"---\n", [item("rules", "a")], [])
@example(b"text", [item("title", "a"), item("rules", "b")], [item("rules", "b")])
def test_pages_come_and_go_and_a_persons_bytes_stay(data: bytes, first: list[Item], second: list[Item]) -> None:
    """Rendering twice is rendering once; without our items the page is what the person wrote, to the byte.

    Where the person's last line had no end, it gets one when a list follows it.
    """
    if names(data):
        return
    page = render_page(data, first)
    assert page == render_page(page, first)
    assert data == persons_part(page) or data + b"\n" == persons_part(page) or data + b"\r\n" == persons_part(page)
    again = render_page(page, second)
    assert again == render_page(again, second)
    wanted = {page_item.name for page_item in second}
    assert wanted - {"front-matter"} == set(names(again)) - {"front-matter"}
    assert persons_part(page) == persons_part(again) or persons_part(page).strip() == persons_part(again).strip()


def test_a_page_made_anew() -> None:
    """Headings are led in by an empty line, lists are not."""
    page = render_page(b"", [Item("front-matter", "date: 2026-03-02"), item("title", "Day"), *RULES])
    plain = [line.partition(b" <!--")[0] for line in page.splitlines() if not line.startswith(b"check")]
    assert b"""---
date: 2026-03-02
---

# Day

## Rules
- one queue
- no server

## Tools""" == b"\n".join(plain)


def test_new_items_follow_those_before_them() -> None:
    """A person's lines stay where they are, and a new heading leaves its empty line to the one behind it."""
    page = render_page(b"# Mine\n", RULES)
    page = page.replace(b"- no server", b"- my own line\n- no server").replace(
        b"\n## Tools", b"\nA line of mine.\n\n## Tools"
    )
    grown = [*RULES[:2], item("r15", "one disk"), RULES[2], Item("open", "## Open"), RULES[3]]
    assert [
        b"# Mine",
        b"",
        b"## Rules",
        b"- one queue",
        b"- one disk",
        b"- my own line",
        b"- no server",
        b"",
        b"## Open",
        b"",
        b"A line of mine.",
        b"",
        b"## Tools",
    ] == [line.partition(b" <!--")[0] for line in render_page(page, grown).splitlines()]


def test_an_item_before_all_others_is_put_before_them() -> None:
    """A new first section does not end up at the end."""
    page = render_page(b"# Mine\n", RULES[3:])
    assert ["rules", "r1", "r2", "tools"] == names(render_page(page, RULES))
    assert b"\n\n## Tools" in render_page(page, RULES)


def test_a_list_does_not_swallow_what_a_person_wrote_under_our_heading() -> None:
    """The first item goes behind the paragraph."""
    page = render_page(b"", RULES[:1]) + b"These I care about.\n\n## My own\n"
    lines = render_page(page, RULES[:2]).splitlines()
    assert lines[1] == b"These I care about."
    assert lines[2].startswith(b"- one queue")


def test_an_item_that_a_person_changed_stays_as_it_is() -> None:
    """It is theirs: never rewritten, never doubled, and still there when we want nothing any more."""
    page = render_page(b"", RULES).replace(b"one queue", b"two queues, I say")
    assert page == render_page(page, [RULES[0], item("r1", "three queues"), *RULES[2:]])
    assert b"two queues, I say" in render_page(page, [])


def test_an_item_that_a_person_moved_is_kept_up_to_date_where_it_is() -> None:
    """Its place is the person's business."""
    page = render_page(b"", RULES)
    line = seal_item("r1", "- one queue").encode()
    moved = page.replace(line, b"") + b"\n## Mine\n\n" + line
    assert moved.replace(line, seal_item("r1", "- one queue, no more").encode()) == render_page(
        moved, [RULES[0], item("r1", "one queue, no more"), *RULES[2:]]
    )


def test_items_go_with_their_headings() -> None:
    """When theirs goes, or when one comes for them; nothing else is moved, and every line of a person stays."""
    rules, tools = [item("rules", "Rules"), item("r1", "one queue")], [item("tools", "Tools"), item("t1", "a hammer")]
    page = render_page(b"# Mine\n", [*rules, *tools]) + b"a line of mine\n"

    joined = render_page(page, [*rules, tools[1]])
    assert (["rules", "r1", "t1"], b"a line of mine\n") == (names(joined), joined[-15:])
    assert render_page(joined, [*rules, *tools]).splitlines() == [
        *render_page(b"# Mine\n", [*rules, *tools]).splitlines(),
        b"a line of mine",
    ]
    assert persons_part(page).split() == persons_part(joined).split()


def test_an_item_under_a_heading_of_a_person_stays_there() -> None:
    """Also when its own heading goes."""
    page = render_page(b"", RULES[:2])
    line = seal_item("r1", "- one queue").encode()
    moved = page.replace(line, b"") + b"\n## Mine\n" + line
    assert b"\n## Mine\n" + line == render_page(moved, RULES[1:2])


def test_a_new_section_does_not_part_a_changed_item_from_its_own() -> None:
    """It comes behind it."""
    page = render_page(b"", RULES).replace(b"no server", b"no server at all")
    after = render_page(page, [*RULES[:2], Item("open", "## Open"), item("o1", "x"), RULES[3]])
    assert ["rules", "r1", "r2", "open", "o1", "tools"] == names(after)


def test_a_deleted_item_does_not_come_back() -> None:
    """What a person took out stays out, while the others are brought up to date."""
    assert ["rules", "r2", "tools"] == names(render_page(b"", RULES, frozenset({"r1"})))


def test_two_items_joined_by_a_person_are_both_theirs() -> None:
    """Two marks on one line: neither text is ours any more, and neither comes again."""
    page = render_page(b"", RULES)
    joined = page.replace(b" -->\n- no", b" --> - no")
    assert joined == render_page(joined, RULES)


def test_front_matter_is_not_put_before_a_persons_own() -> None:
    """A page has one."""
    page = b"---\ntitle: mine\n---\n\ntext\n"
    assert page == render_page(page, [Item("front-matter", "date: 2026-03-02")])


@table("newline", [b"\n", b"\r\n"])
def test_items_keep_the_line_ends_of_their_page(newline: bytes) -> None:
    """In a page with CRLF our items are written with CRLF."""
    page = render_page(newline.join([b"# Mine", b"", b"text", b""]), [Item("r1", "- a\nb")])
    assert page.count(b"\n") == page.count(newline)
    assert seal_item("r1", "- a\nb").encode().replace(b"\n", newline) in page


def test_a_long_page_is_rendered_in_one_pass() -> None:
    """Twenty thousand items that come at once."""
    items = [Item("title", "# Many"), *(Item(f"n{number}", f"- {number}") for number in range(20_000))]
    page = render_page(b"", items[::2])
    assert [page_item.name for page_item in items] == names(render_page(page, items))


def test_an_item_that_a_person_brought_from_another_page_is_theirs() -> None:
    """A copied line has our mark; but we never put it into this page, so it stays, and is shown as plain text."""
    page = render_page(b"", RULES)
    foreign = seal_item("w1", "- learned today").encode()
    brought = page + b"\n" + foreign
    ours = {item.name for item in RULES}
    assert brought == render_page(brought, RULES, ours=ours)
    assert b"\n" + foreign == render_page(brought, (), ours=ours)
    assert page + b"\n- learned today\n" == disown_items(brought, ours)


def test_what_is_new_comes_once_where_a_person_has_copied_an_item() -> None:
    """It follows the first of the copies."""
    page = render_page(b"", RULES)
    twice = page + seal_item("r1", "- one queue").encode()
    assert 1 == render_page(twice, [*RULES[:2], item("r15", "one disk"), *RULES[2:]]).count(b"one disk")
    assert 1 == render_page(twice, [Item("new", "## New"), *RULES]).count(b"## New")
