"""A page as earlier versions wrote it: two lines an entry, long marks, and a heading for every subject."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from operator import attrgetter

from hypothesis import given
from hypothesis import strategies as st

from jobs.consolidation.page import ABOUT, TITLE, PageCandidate, arrange, heading, summary
from pipeline.markdown.blocks import digest, find_blocks
from pipeline.markdown.items import Item, persons_part, render_page
from schemas.entry import Entry, Kind, Source
from tests.support.builders.entries import noted_entry
from tests.support.tables import table

NOTHING = frozenset[str]()
SUBJECTS = ("Cabins", "Deploys", "Rules", "定金", "Boats")


def candidate(number: int) -> PageCandidate:
    """The entry of a number."""
    entry = Entry(
        id=f"RULE-20260313-number-{number}",
        title=f"number {number}",
        kind=list(Kind)[number % 4],
        date=datetime(2026, 3, 13, 10, tzinfo=UTC),
        source=Source(session_id="s1", session_path="m:s1", message_range=(4, 5), entry_ids=("a1",)),
        quote=f"quote {number}",
        conclusion=f"Number {number} is so.",
        confidence=0.86,
    )
    noted = noted_entry(entry, "memory/2026-03-13.md", as_written=True)
    return PageCandidate(noted, SUBJECTS[number % 5], (("2026-W11", 0.0, "a"), ("2026-W11", -0.9, entry.id)))


def old(text: str, name: str) -> str:
    """An item with its mark, word for word as the version before wrote it."""
    return f"{text} <!-- memory:{name} check:{digest(text)[:6]} -->\n"


def old_page(candidates: Sequence[PageCandidate]) -> bytes:
    """What the version before made of these entries."""
    page = old(TITLE.text, TITLE.name) + "\n" + old(ABOUT.text, ABOUT.name)
    for subject in dict.fromkeys(one.subject for one in sorted(candidates, key=attrgetter("rank"))):
        page += "\n" + old(f"## {subject}", heading(subject).name)
        for one in sorted(candidates, key=attrgetter("rank")):
            if one.subject == subject:
                entry, path = one.noted.entry, one.noted.path
                origin = f"[{entry.id}]({path}), 2026-03-13, confidence 0.86, said on 2 days"
                page += old(f"- {summary(one.noted)}\n  {origin}", one.item.name)
    return page.encode()


def upgraded(data: bytes, candidates: Sequence[PageCandidate], removed: frozenset[str] = NOTHING) -> bytes:
    """The page after a run of today."""
    items = arrange(data.decode(errors="replace"), removed, candidates, ()).items
    return render_page(data, [Item(draft.name, draft.text) for draft in items], removed)


def names(data: bytes) -> list[str]:
    """The names of its entries, in order."""
    return [block.name for block in find_blocks(data) if block.item and block.name.startswith("m-")]


def test_a_page_of_the_version_before_is_read() -> None:
    """Its items are ours, under the names that they have today, and no text of it is a person's."""
    page = old_page([candidate(number) for number in range(9)])

    assert all(block.intact for block in find_blocks(page))
    assert b"" == persons_part(page).strip()
    assert [candidate(number).item.name for number in (0, 5, 1, 6, 2, 7, 3, 8, 4)] == names(page)


def test_a_page_of_the_version_before_becomes_one_of_today() -> None:
    """Byte for byte the page that is made anew, where a person has nothing on it."""
    entries = [candidate(number) for number in (0, 1, 2, 3, 5, 6, 20)]

    after = upgraded(old_page(entries), entries)

    assert upgraded(b"", entries) == after == upgraded(after, entries)
    assert [heading("Cabins").name, *(candidate(number).item.name for number in (0, 20, 5))] == [
        block.name for block in find_blocks(after)
    ][2:6]


def test_what_a_person_changed_before_the_upgrade_stays_byte_for_byte() -> None:
    """With its long mark and its second line; the entry is not written again, and its heading stays."""
    entries = [candidate(number) for number in range(10)]
    page = old_page(entries).replace(b"- Number 4 is so.", b"- Number 4 is so, and more.")
    [theirs] = [block for block in find_blocks(page) if not block.intact]

    after = upgraded(page, entries)

    assert page[theirs.start : theirs.end] in after
    assert 1 == names(after).count(candidate(4).item.name)
    lines = [re.sub(" <!--.*", "", line) for line in after.decode().splitlines()]
    assert "## Boats" in lines[: lines.index("- Number 4 is so, and more.")]
    assert not {"## Cabins", "## Deploys", "## 定金"} & set(lines)


LINE = st.sampled_from(["", "# Mine", "## Cabins", "- a list", "  - nested", "中文的一行", "---", "text", "a\rb"])
ACTS = ("edit", "delete", "add", "join", "indent", "copy")


@given(
    st.sets(st.integers(0, 60), max_size=25),
    st.sets(st.integers(0, 60), max_size=25),
    st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 400), LINE), max_size=5),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_any_edits_on_a_page_of_the_version_before_are_kept(
    before: set[int], after_it: set[int], acts: list[tuple[str, int, str]], newline: bytes
) -> None:
    """Whatever a person did to it: their lines stay, every entry stands there once, and at last nothing changes.

    One line is copied at most: the halves of an item that somebody copied one by one are an item, word for word.
    """
    acts = [act for place, act in enumerate(acts) if act[0] != "copy" or place == 0]
    lines = old_page([candidate(number) for number in sorted(before)]).splitlines()
    for act, at, text in acts:
        place = at % len(lines)
        lines[place : place + 1] = {
            "edit": [lines[place].replace(b"is so", b"is not so")],
            "delete": [],
            "add": [lines[place], text.encode()],
            "join": [lines[place] + b" " + b"".join(lines[place + 1 : place + 2])],
            "indent": [b"  " + lines[place]],
            "copy": [lines[place], lines[place]],
        }[act] or [b""]
    page = newline.join([*lines, b""])
    gone = frozenset(candidate(number).item.name for number in before) - set(names(page))
    entries = [candidate(number) for number in sorted(after_it)]

    after = upgraded(page, entries, gone)

    assert _filled(persons_part(page)) == _filled(persons_part(after))
    changed = [page[block.start : block.end] for block in find_blocks(page) if not block.intact]
    assert [text for text in changed if text not in after] == []
    stood, copies = set(names(page)), {name for name in names(page) if names(page).count(name) > 1}
    wanted = {one.item.name for one in entries} - gone
    assert wanted <= set(names(after))
    assert [name for name in wanted - stood - copies if names(after).count(name) != 1] == []
    # Which headings stand depends on lines of the person below them, and so on the headings of the page before.
    settled = upgraded(after, entries, gone)
    assert settled == upgraded(settled, entries, gone)


def _filled(data: bytes) -> list[bytes]:
    return [line for line in re.split(rb"\r?\n", data) if line.strip()]


@table("newline", [b"\n", b"\r\n"])
def test_line_ends_are_no_edit(newline: bytes) -> None:
    """An editor that changed them adopted nothing."""
    entries = [candidate(number) for number in range(12)]
    page = old_page(entries).replace(b"\n", newline)

    after = upgraded(page, entries)

    assert (b"memory:m-" in after, after.count(b"\n")) == (False, after.count(newline))
