"""The JSON objects in one line, also in a line that two writes share.

A program that was killed in the middle of a record, or two programs at once, leave the beginning of one record and a
whole one behind it, or two whole ones without a line end between them. Zero bytes stand where a write did not arrive.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

_DECODER = json.JSONDecoder()  # half the overhead of `json.loads`, which looks for white space around every text
_PADDING = "\ufeff\0 \t\r\n"
_NO_PADDING = re.compile(f"[^{_PADDING}]")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\],:]|[^\s"{}\[\],:]++', re.DOTALL)
_BEGINS_INSIDE = re.compile(r'\{\s*"\Z')
_LONGEST_OPENING = 8  # characters: a bracket, spaces and a quotation mark
_READ_AGAIN = 4  # times that a torn line is read in vain, from places at which a record may begin
_SHORT = 262_144  # characters of a line that is read more often


def objects_in(line: bytes) -> tuple[list[dict[str, Any]], bool]:
    """The whole JSON objects of a line in their order, and whether nothing else is in it.

    An object inside another one is none of its own: what a record holds, also a record that was cut, is not said by
    the program. One nested too deep is none.
    """
    text = line.decode("utf-8", "replace").strip(_PADDING)
    objects, place = list[dict[str, Any]](), 0
    while read := _object_at(text, place):
        objects.append(read[0])
        following = _NO_PADDING.search(text, read[1])
        place = following.start() if following else len(text)
    if place == len(text):
        return objects, bool(objects)
    if not text.startswith("{", place):
        return objects[:-1], False  # a record ends with its line, or where the next one begins
    torn = text[place:]
    left = _READ_AGAIN * max(len(torn), _SHORT)
    for start in _beginnings(torn):
        if (read := _object_at(torn, start)) and read[1] == len(torn):
            return [*objects, read[0]], False
        left -= len(torn) - start
        if left < 0:
            break
    return objects, False


def _object_at(text: str, place: int) -> tuple[dict[str, Any], int] | None:
    """The object that begins at a place, and where it ends; `None` when none does."""
    if not text.startswith("{", place):
        return None
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None


def _beginnings(text: str) -> Iterator[int]:
    """The places of objects that cannot be a part of the one that was cut before them."""
    # A string ends at the first quotation mark of the next record; elsewhere an object is out of place but as a value.
    open_lists = list[bool]()
    before = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        takes_value = before in (":", "[") or (before == "," and open_lists[-1:] == [True])
        misplaced = sign == "{" and token.start() > 0 and not takes_value
        inside = _BEGINS_INSIDE.search(sign, len(sign) - _LONGEST_OPENING) if sign[0] == '"' else None
        if misplaced or inside:
            yield token.start() + (inside.start() if inside else 0)
        if sign in "{[":
            open_lists.append(sign == "[")
        elif sign in "}]" and open_lists:
            open_lists.pop()
        before = sign
