"""One look at a stream: it tells the same in whatever blocks it comes, and keeps little of it."""

import tracemalloc

import pytest

from pipeline.details.notable import Severity
from pipeline.details.scan import HEAD, TAIL, Excerpt, TextScan


def scan_of(text: bytes, block: int) -> Excerpt:
    """What is seen of a text that comes in blocks of this size."""
    scan = TextScan()
    for at in range(0, len(text), block):
        scan.add(text[at : at + block])
    return scan.done()


def test_blocks_make_no_difference() -> None:
    """Not in the middle of a letter, of an escape, of a line."""
    text = "".join(
        f"\x1b[31mlinia {n}\x1b[0m zażółć\n" + "błąd: 构建失败\n" * (n % 7 == 0) for n in range(300)
    ).encode()
    whole = scan_of(text, len(text))
    assert len(text) == whole.size
    assert 343 == whole.lines
    assert 43 == whole.counts[Severity.ERROR]
    for block in (1, 7, 4_096):
        assert whole == scan_of(text, block)


def test_a_letter_of_which_lower_case_makes_two_hides_nothing() -> None:
    """A capital İ anywhere in a text of a program leaves its troubles as they are."""
    seen = scan_of("İzmir\nERROR: no route\nWARNING: slow\n".encode(), 99)
    assert ["ERROR: no route", "WARNING: slow"] == [note.text for note in seen.notable]


@pytest.mark.soak
def test_of_a_large_text_little_is_kept() -> None:
    """Its beginning and its end, and the lines of trouble in between; also without a line end."""
    tracemalloc.start()
    scan = TextScan()
    for number in range(400):
        scan.add(b"%d fatal: block\n" % number if number == 200 else b"word " * 13_107)
    seen = scan.done()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    assert not seen.whole
    assert HEAD == len(seen.head)
    assert TAIL == len(seen.tail)
    assert any("200 fatal: block" in note.text for note in seen.notable)


def test_a_binary_is_known() -> None:
    """By its zeros; of it no line is shown."""
    assert scan_of(bytes(range(256)) * 40, 999).binary
    assert not scan_of("zażółć".encode("cp1250") * 99, 999).binary
