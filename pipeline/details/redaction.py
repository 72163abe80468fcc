"""Secrets masked in a text of any length, block by block, with every other byte as it was."""

from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator

from pipeline.ports.engine import Redactor
from schemas.transcript import MASK

WINDOW = 262_144
"""Characters that are looked at together, beside the overlap: what a hook sends is one window."""
OVERLAP = 24_576
"""Characters that two windows share: no secret is longer, a block of a private key has 20,000 at most."""

_BROKEN = "surrogateescape"  # bytes that are no UTF-8 stay what they are


def redact_blocks(blocks: Iterable[bytes], redactor: Redactor) -> Iterator[bytes]:
    """The text in blocks, with the secrets masked.

    Neighbouring windows share an overlap, and what either of them masks is masked: a secret stands whole in one.
    """
    decoder, rest, more = getincrementaldecoder("utf-8")(_BROKEN), "", True
    marked = ""  # the beginning of `rest`, as the window before has masked it
    source = iter(blocks)
    while more:
        block = next(source, None)
        more = block is not None
        rest += decoder.decode(block or b"", final=not more)
        while len(rest) > WINDOW + OVERLAP or (rest and not more):
            end = _line_end(rest, WINDOW + OVERLAP)
            window = _merge_masks(redactor.redact(rest[:end]), marked)
            last = end == len(rest)
            cut = end if last else _line_end(rest, min(WINDOW, max(1, end - OVERLAP)))
            yield window[:cut].encode(errors=_BROKEN)
            marked, rest = window[cut:], rest[cut:]


def _line_end(text: str, most: int) -> int:
    """The end of a window: behind the last line that it holds whole, or in a line that is longer than an overlap."""
    if most >= len(text):
        return len(text)
    end = text.rfind("\n", max(0, most - OVERLAP // 2), most) + 1
    return end or most


def _merge_masks(window: str, marked: str) -> str:
    """A window with what was masked in its beginning before."""
    begin = window[: len(marked)]
    if begin == marked:
        return window
    return "".join(new if new == MASK else old for new, old in zip(begin, marked, strict=True)) + window[len(marked) :]
