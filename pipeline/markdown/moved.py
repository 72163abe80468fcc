"""Lines that were moved out of a page: their form in the archive, and their way back.

In the archive a line end and a comment with its former place precede each piece; then come its bytes, unchanged. So a
piece can be identified in the archive, and be taken out again exactly.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline.markdown.blocks import split_lines
from pipeline.markdown.splice import join_around, newline_of

_CONTEXT = 40  # lines; a longer repetition is no better anchor


@dataclass(frozen=True)
class MovedLines:
    """Whole lines of a page, its `first` to its `last` counted from 1; only the last may lack its line end."""

    first: int
    last: int
    text: bytes

    @property
    def name(self) -> str:
        """The name for people."""
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"


def cut_lines(data: bytes, spans: Sequence[tuple[int, int]]) -> tuple[bytes, list[MovedLines]]:
    """Cut spans of whole lines (byte offsets, in their order) out of a page. Returns the page, and the pieces.

    Spans that touch make one piece.
    """
    left, pieces, at = bytearray(), list[MovedLines](), 0
    for start, end in _merge_spans(spans):
        left += data[at:start]
        first, text = data.count(b"\n", 0, start) + 1, data[start:end]
        pieces.append(MovedLines(first, first + count_lines(text) - 1, text))
        at = end
    return bytes(left + data[at:]), pieces


def count_lines(data: bytes) -> int:
    """The number of lines; the last line may lack its line end."""
    return data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)


def render_archived(pieces: Sequence[MovedLines], page: str, run_id: str, newline: bytes) -> bytes:
    """The bytes to append to an archive for the pieces that a run moves out of `page`."""
    return b"".join(newline + _marker(piece, page, run_id) + newline + piece.text for piece in pieces)


def read_archived(data: bytes, page: str, run_id: str) -> list[MovedLines]:
    """The pieces in the bytes of `render_archived`, which nothing may follow."""
    expression = re.escape(f"of {page}, moved by run {run_id} -->".encode())
    matches = list(re.finditer(rb"(?m)^<!-- lines? ([0-9]+)(?:-([0-9]+))? " + expression + rb"(\r?\n)", data))
    newline = len(matches[0].group(3)) if matches else 0
    ends = [*(match.start() - newline for match in matches[1:]), len(data)]
    return [
        MovedLines(int(match.group(1)), int(match.group(2) or match.group(1)), data[match.end() : end])
        for match, end in zip(matches, ends, strict=bool(matches))
    ]


def without_archived(
    data: bytes, pieces: Sequence[MovedLines], page: str, run_id: str
) -> tuple[bytes, list[MovedLines]]:
    """An archive without these pieces, and the pieces that stay in it because a person changed them."""
    left = []
    for piece in pieces:
        marker = _marker(piece, page, run_id)
        starts = [at for line in (b"\n", b"\r\n") for at in places(data, marker + line + piece.text)]
        if len(starts) == 1:
            # Without the line end before it unless lines of others would run together.
            begin = starts[0] + len(marker)
            newline = b"\r\n" if data.startswith(b"\r\n", begin) else b"\n"
            data = join_around(data[: starts[0]], data[begin + len(newline) + len(piece.text) :], newline)
        elif marker in data:
            left.append(piece)
    return data, left


def places(data: bytes, text: bytes) -> list[int]:
    """The byte offsets of `text` as whole lines."""
    end = b"" if text.endswith(b"\n") else rb"(?=\r?\n|\Z)"
    return [match.start() for match in re.finditer(b"(?m)^" + re.escape(text) + end, data)] if text else []


def put_back(data: bytes, before: bytes, after: bytes, pieces: Sequence[MovedLines]) -> bytes:
    """A page with pieces in their old places again, as far as those can be found.

    Args:
        data: the page as it stands.
        before: the page with the pieces.
        after: the page without them, nothing else changed.
        pieces: in their order.
    """
    starts = [*(line.start for line in split_lines(before)), len(before)]
    inserts, gone = list[tuple[int, bytes]](), 0
    for piece in pieces:
        stood = starts[min(piece.first, len(starts)) - 1] - gone
        gone += len(piece.text)
        inserts.append((_find_place(data, after[:stood], after[stood:]), piece.text))
    out, at = bytearray(), 0
    for place, text in sorted(inserts, key=lambda insert: insert[0]):
        _add_on_own_line(out, data[at:place], newline_of(data))
        _add_on_own_line(out, text, newline_of(data))
        at = place
    _add_on_own_line(out, data[at:], newline_of(data))
    return bytes(out)


def _merge_spans(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _marker(piece: MovedLines, page: str, run_id: str) -> bytes:
    return f"<!-- {piece.name} of {page}, moved by run {run_id} -->".encode()


def _find_place(data: bytes, above: bytes, below: bytes) -> int:
    """The place for a piece from between two parts of a page: before the line below, behind the line above, or last.

    A line that occurs more than once is no anchor alone, so as many more are taken with it as it needs.
    """
    filled = (line for line in split_lines(below) if line.body.strip())
    for line in islice(filled, _CONTEXT):
        anchor = below[: line.start + len(line.body)]
        if len(starts := places(data, anchor)) == 1:
            return starts[0]
        if not starts:
            break
    filled = (line for line in reversed(split_lines(above)) if line.body.strip())
    for line in islice(filled, _CONTEXT):
        anchor = above[line.start :]
        if len(starts := places(data, anchor)) == 1:
            return starts[0] + len(anchor)
        if not starts:
            break
    return len(data)


def _add_on_own_line(out: bytearray, text: bytes, newline: bytes) -> None:
    """Append `text` on a line of its own."""
    if text and out and not out.endswith(b"\n"):
        out += newline
    out += text
