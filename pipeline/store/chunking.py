"""Text as chunks: about 64 KiB each, cut at line ends, so that a page of a gigabyte is read without the rest."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

SIZE = 65_536
"""Bytes of a chunk at most; a longer line takes several."""


@dataclass(frozen=True)
class Chunk:
    """A part of a text. `first_line`, from 1, is the line that its first byte stands in; `first_byte` is from 0."""

    ordinal: int
    first_line: int
    first_byte: int
    content: bytes


def cut(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    """The chunks of a text that comes in blocks of any size. A line longer than a chunk begins one of its own."""
    line, place = 1, 0
    for ordinal, content in zip(count(), _parts(blocks), strict=False):
        yield Chunk(ordinal, line, place, content)
        line += content.count(b"\n")
        place += len(content)


def _parts(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = bytearray()
    for block in blocks:
        rest += block
        start = 0
        while len(rest) - start >= SIZE:
            stop = rest.rfind(b"\n", start, start + SIZE) + 1 or start + SIZE
            yield bytes(rest[start:stop])
            start = stop
        del rest[:start]
    if rest:
        yield bytes(rest)
