"""Taking an entry out of bytes: every byte of a person stays, whatever the bytes."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipeline.corrections.erasure import erase_blocks, wipe_bytes
from pipeline.entries.mentions import EntryMatcher
from pipeline.markdown.blocks import find_blocks, seal_item
from schemas.entry import Entry, Kind, Source
from tests.support.tables import table

ID = "DECISION-20260302-one-queue"
OTHER = "RULE-20260304-no-deploys"
QUOTE = "we go with one queue for all the workers"
STAND_IN = "DECISION-20260302-0123456789ab"
ENTRY = Entry(
    id=ID,
    title="One queue",
    kind=Kind.DECISION,
    date=datetime(2026, 3, 2, 9, tzinfo=UTC),
    source=Source(session_id="s1", session_path="openclaw:s1.jsonl", message_range=(2, 3), entry_ids=("e2",)),
    quote=QUOTE,
    conclusion=QUOTE,
    confidence=0.8,
)
SUBJECT = EntryMatcher(ID, (ENTRY,))
OF_IT = seal_item("m-1", f"- One queue.\n  [{ID}](memory/2026-03-02.md)").encode()
NAMES_IT = seal_item("m-2", f"- **merged** [{OTHER}]: x\n  into [{ID}], because").encode()
AFTER = seal_item("m-2", f"- **merged** [{OTHER}]: x\n  into [{STAND_IN}], because").encode()
BESIDE = seal_item("m-3", f"- [{OTHER}]").encode()
PERSONS = st.lists(
    st.sampled_from([b"mine", b"", b"- mine", b"  more", f"see {ID}".encode(), b"\xff\xfe", QUOTE.encode()])
)


@given(PERSONS, PERSONS, PERSONS, st.sampled_from([b"\n", b"\r\n"]))
def test_only_items_of_ours_change(first: list[bytes], second: list[bytes], third: list[bytes], newline: bytes) -> None:
    """What a person wrote around them stays byte for byte, in any line ends."""
    top, middle, end = (b"".join(line + newline for line in [b"#", *lines, b"."]) for lines in (first, second, third))
    ours, named, after = (part.replace(b"\n", newline) for part in (OF_IT, NAMES_IT, AFTER))
    done = erase_blocks(top + ours + middle + named + end, SUBJECT, STAND_IN)
    assert top + middle + after + end == done.data
    assert (["m-1"], ["m-2"]) == ([block.name for block in done.removed], [block.name for block in done.reworded])


@given(st.binary())
def test_any_bytes_can_be_erased_from(data: bytes) -> None:
    """Nothing raises; and bytes that tell nothing of it are the same afterwards."""
    assert data == erase_blocks(data, SUBJECT, STAND_IN).data
    assert data == wipe_bytes(data, SUBJECT, STAND_IN)


@given(
    st.lists(
        st.sampled_from([OF_IT, NAMES_IT, BESIDE, b"mine\n", ID.encode() + b"\n", QUOTE.encode() + b"\n", b"\xff\n"])
    )
)
def test_what_is_wiped_tells_nothing_of_it(parts: list[bytes]) -> None:
    """The ledger keeps no word of it, not even of a person's line; and what is there once stays so."""
    data = wipe_bytes(b"".join(parts), SUBJECT, STAND_IN)
    assert (False, False) == (ID.encode() in data, QUOTE.encode() in data)
    assert data == wipe_bytes(data, SUBJECT, STAND_IN)
    assert parts.count(b"mine\n") == data.count(b"mine\n")


def test_an_edited_item_stays_in_its_file_and_not_in_the_ledger() -> None:
    """It is the person's: nothing but the stored bytes changes."""
    edited = OF_IT.replace(b"One queue", b"Two queues")
    assert edited == erase_blocks(edited, SUBJECT, STAND_IN).data
    assert edited.replace(ID.encode(), STAND_IN.encode()) == wipe_bytes(edited, SUBJECT, STAND_IN)


@table(("below", "left"), [(b"", False), (b"mine\n", True), (BESIDE, True)])
def test_a_heading_of_its_words_goes_when_nothing_is_left_below_it(below: bytes, left: bool) -> None:  # noqa: FBT001 - what is expected
    """A heading of other words stays; so does one with anything under it."""
    headings = [seal_item(f"s-{text.lower()}", f"## {text}").encode() for text in ("Rules", "Queue")]
    done = erase_blocks(b"\n".join(headings) + OF_IT + below, SUBJECT, STAND_IN)
    names = [block.name for block in find_blocks(done.data)]
    assert (True, left) == ("s-rules" in names, "s-queue" in names)
