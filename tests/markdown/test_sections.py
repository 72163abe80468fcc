"""Sections: what is a heading and what only looks like one, and that no byte is in none of them."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.markdown.sections import find_sections
from tests.support.tables import table

MARKDOWN = b"# \n=-`>~<!ab\r\t\xff"


def section_parts(data: bytes) -> list[tuple[int, str, bytes]]:
    """Each section's level, title and bytes."""
    return [(section.level, section.title, data[section.start : section.end]) for section in find_sections(data)]


def titles(data: bytes) -> list[str]:
    """The headings found."""
    return [section.title for section in find_sections(data) if section.level]


def test_a_section_ends_at_the_next_heading_of_any_level() -> None:
    """What stands before the first heading is a section too, and the same heading may come twice."""
    page = "before\n\n# Pamięć\ntext\n## 项目\n- one\n## 项目\n- two\n# Second\nend"
    expected = [
        (0, "", "before\n\n"),
        (1, "Pamięć", "# Pamięć\ntext\n"),
        (2, "项目", "## 项目\n- one\n"),
        (2, "项目", "## 项目\n- two\n"),
        (1, "Second", "# Second\nend"),
    ]
    assert expected == [(level, title, text.decode()) for level, title, text in section_parts(page.encode())]


@table(
    "page",
    [
        b"```sh\n# a comment\n```\n",
        b"~~~\n```\n# still inside\n~~~\n",
        b"> # quoted\n",
        b"- a\n\n  # in a list\n",
        b"    # code\n",
        b"#hashtag\n",
        b"####### seven\n",
        b"<!--\n# in a comment\n-->\n",
        b"a\rb # c\n",
        b"a\r# c\n",
    ],
)
def test_what_is_no_heading(page: bytes) -> None:
    """A `#` in code, in a quotation, in a list or in a comment begins no section."""
    assert [] == titles(page)


def test_other_ways_to_write_a_heading() -> None:
    """Underlined ones count, with or without closing marks, behind a byte order mark and with CRLF."""
    page = b"\xef\xbb\xbf# One #\r\nTwo\r\n===\r\nThree\r\n---\r\n#\r\n"
    assert ["One", "Two", "Three", ""] == titles(page)


def test_the_mark_of_an_item_is_no_part_of_the_title() -> None:
    """A heading of ours is named without its mark."""
    assert ["Storage"] == titles(b"## Storage <!-- memory:h-1 check:abcdef -->\n")


def test_front_matter_is_a_section_of_its_own() -> None:
    """It is no underlined heading; a rule at the top is no front matter."""
    assert [(0, "", b"---\nkey: one\n---\n"), (0, "", b"text\n")] == section_parts(b"---\nkey: one\n---\ntext\n")
    assert ["A", "B"] == titles(b"---\n\n# A\n\n# B\n\n---\n")
    assert ["key: never closed"] == titles(b"---\nkey: never closed\n---- \n")


@given(st.lists(st.sampled_from(MARKDOWN), max_size=60).map(bytes) | st.binary(max_size=80))
def test_every_byte_is_in_one_section(data: bytes) -> None:
    """Whatever the bytes: the sections stand side by side, begin at line starts, and are together the page."""
    sections = find_sections(data)
    assert data == b"".join(data[section.start : section.end] for section in sections)
    assert all(section.start < section.end and section.start <= section.body <= section.end for section in sections)
    assert all(data[: section.start].endswith(b"\n") for section in sections if section.start)
