"""The elements of a large JSON array, one at a time, each with its place in the file."""

import errno
import json
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from pipeline.workspace.regular_files import LARGEST

_PIECE = 1024 * 1024
_OPENING = re.compile(r"(?:\xef\xbb\xbf)?\s*(?:(?:\{\s*\"conversations\"\s*:\s*)?\[|(?=\{))")
_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)
_CUT = object()


class Element(NamedTuple):
    """A value that stands in `length` bytes from `offset` on. Its texts are not decoded: a character for each byte."""

    offset: int
    length: int
    value: object


def elements(stream: IO[bytes]) -> Iterator[Element]:
    """The elements of an array, of the array `conversations` of an object, or the values of a file with one a line.

    No more than one element is held in memory. A file of anything else has none.

    Raises:
        OSError: the file ends inside an element, or an element is no JSON or has more than `LARGEST` bytes.
    """
    text, before = _read(stream, _PIECE), 0
    opening = _OPENING.match(text)
    place = opening.end() if opening else len(text)
    while opening:
        between = _BETWEEN.match(text, place)
        place = between.end() if between else place
        value, end = _decoded(text, place)
        if end == len(text) and (more := _read(stream, max(_PIECE, end - place))):
            if end - place > LARGEST:
                raise OSError(errno.EFBIG, f"it has a conversation of more than {LARGEST // 1_000_000} MB")
            text, before, place = text[place:] + more, before + place, 0
        elif (place < len(text) and text[place] in "]}") or (place == len(text) and not opening[0].endswith("[")):
            return
        elif value is _CUT:
            raise OSError(errno.EILSEQ, "it is not whole JSON; export it once more, or copy it again")
        else:
            yield Element(before + place, end - place, value)
            place = end


def _read(stream: IO[bytes], size: int) -> str:
    return stream.read(size).decode("latin-1")


def _decoded(text: str, place: int) -> tuple[object, int]:
    """The value at a place and its end; `_CUT` and the end of the text when there is no whole one."""
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return _CUT, len(text)
