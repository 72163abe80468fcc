"""The bytes of a file as text, and their faults: another encoding, zero bytes, an open conflict of a merge."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass

_MOSTLY = 0.4
"""Text of an alphabet has a zero in every second byte of UTF-16; from this share of them on it is taken for that."""
_SHORTEST = 16  # bytes of which that share says something
_STRAY = re.compile("[\udc80-\udcff]")  # a byte that is no UTF-8, as `surrogateescape` gives it
_BEGIN, _MIDDLE, _END = (re.compile(rb"%s(?: .*)?\r?\Z" % (sign * 7)) for sign in (b"<", b"=", b">"))


class NotText(ValueError):
    """The bytes are no text that has lines to cite. `str()` completes the sentence that begins with the path."""


@dataclass(frozen=True)
class Fault:
    """A fault of a file at a line, from 1. `what` completes the sentence that begins with the path.

    Nothing is written into a `closed` file: what we append would be lost in it, or would be no text any more. In one
    that is not `readable` blocks of ours may stand that are not found; behind what is `over` something may be appended.
    """

    line: int
    what: str
    advice: str
    closed: bool = True
    readable: bool = False
    over: bool = False


def readable_text(data: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16. Each byte that cannot be read gives U+FFFD, zero bytes nothing.

    Raises:
        NotText: zero bytes stand among bytes that are no UTF-8, as in a picture.
    """
    if encoding := _utf16_kind(data):
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    if b"\0" not in data:
        return data.decode("utf-8-sig", "replace")
    try:
        return data.replace(b"\0", b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = "holds NUL bytes, so it is no text"
        raise NotText(message) from error


def faults(data: bytes) -> Iterator[Fault]:
    """The faults of a file in the order of their lines, of each kind the first."""
    if _utf16_kind(data):
        yield Fault(
            1, "is UTF-16 and not UTF-8", "Save it as UTF-8 in an editor; nothing is written into it until then."
        )
        return
    if b"\0" in data:
        advice = "Bring it back from git or a backup, or take those bytes out; nothing is written into it until then."
        yield Fault(data.count(b"\n", 0, data.index(b"\0")) + 1, "holds zero bytes, as after a power cut", advice)
    if both := list(conflicts(data)):
        at, over = both[0][0], both[-1][1] <= data.count(b"\n")
        advice = "Keep one side in an editor, and take the marks out; nothing is written into it until then."
        yield Fault(at, "holds both sides of a merge, a conflict that is open", advice, readable=True, over=over)
    text = data.decode(errors="surrogateescape")
    if _STRAY.search(text):
        stray = [number for number, line in enumerate(text.split("\n"), 1) if _STRAY.search(line)]
        more = f", and {len(stray) - 1} more line(s) do" if len(stray) > 1 else ""
        what, advice = f"has a byte that is not UTF-8{more}", "It is read without that byte; save the file as UTF-8."
        yield Fault(stray[0], what, advice, closed=False, readable=True)


def closing_fault(data: bytes) -> Fault | None:
    """The first fault that forbids writes into a file; `None` without such a fault."""
    return next((fault for fault in faults(data) if fault.closed), None)


def conflicts(data: bytes) -> Iterator[tuple[int, int]]:
    """The open conflicts of a merge, by first and last line; a truncated conflict ends behind the last line."""
    if b"<<<<<<<" not in data:
        return
    lines, begin, halved = data.split(b"\n"), 0, False
    for number, line in enumerate(lines, 1):
        if _BEGIN.match(line) and not begin:
            begin, halved = number, False
        elif begin and _MIDDLE.match(line):
            halved = True
        elif begin and halved and _END.match(line):
            yield begin, number
            begin = 0
    if begin and halved:
        yield begin, len(lines) + 1


def _utf16_kind(data: bytes) -> str:
    """The kind of UTF-16 of bytes; empty for other encodings."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    half = len(data) // 2
    if b"\0" not in data or len(data) < _SHORTEST or not data.strip(b"\0"):
        return ""
    even, odd = data[::2].count(0) / half, data[1::2].count(0) / half
    if max(even, odd) < _MOSTLY or min(even, odd) > _MOSTLY / 4:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"
