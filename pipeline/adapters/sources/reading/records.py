"""Reading a file of JSON lines, record by record, whatever its bytes are."""

import errno
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from pipeline.workspace.regular_files import LARGEST, read_regular
from schemas.base import EARLIEST

_DECODER = json.JSONDecoder()  # half the overhead of `json.loads`, which looks for white space around every text
_PADDING = "\ufeff\0 \t\r\n"
_NO_PADDING = re.compile(f"[^{_PADDING}]")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\],:]|[^\s"{}\[\],:]++', re.DOTALL)
_BEGINS_INSIDE = re.compile(r'\{\s*"\Z')
_BEGINS_JSON = re.compile(
    r"[ \t\n\r]*(?:[\[{\"0-9-]|true|false|null|NaN|Infinity)"
)  # an exception costs more than a look
_LONGEST_OPENING = 8  # characters: a bracket, spaces and a quotation mark
_READ_AGAIN = 4  # times that a torn line is read in vain, from places at which a record may begin
_SHORT = 262_144  # characters of a line that is read more often


def objects_in(line: bytes) -> tuple[list[dict[str, Any]], bool]:
    """The whole JSON objects of a line in their order, and whether nothing else is in it.

    An object inside another one is none of its own: what a record holds, also a record that was cut, is not said by
    the program. One nested too deep is none.
    """
    text = line.decode("utf-8", "replace").strip(_PADDING)
    read = _object_at(text, 0)
    if read and read[1] == len(text):
        return [read[0]], True  # as most lines are
    objects, place = list[dict[str, Any]](), 0
    while read:
        objects.append(read[0])
        following = _NO_PADDING.search(text, read[1])
        place = following.start() if following else len(text)
        read = _object_at(text, place)
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
    open_lists, before = list[bool](), ""  # of each open bracket, whether it is a list's; the sign before this one
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign[0] == '"':
            # A string that was cut ends at the first quotation mark of the next record: `"the last wo{"`.
            if opening := _BEGINS_INSIDE.search(sign, len(sign) - _LONGEST_OPENING):
                yield token.start() + opening.start()
        elif sign == "{" and token.start() > 0:
            takes_value = before in (":", "[") or (before == "," and open_lists[-1:] == [True])
            if not takes_value:
                yield token.start()
        if sign in "{[":
            open_lists.append(sign == "[")
        elif sign in "}]" and open_lists:
            open_lists.pop()
        before = sign


LONGEST_LINE = 32 * 1024 * 1024
_NO_FORMAT = 1_000  # lines at the beginning, of which none is a record: the file is none of ours, however long it is
_MOST_IDLE = 100_000  # lines of no record, blank ones too: a small compressed file can hold any number of them
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)  # nanoseconds since 1970 fit into the ledger
_FIRST_MILLISECOND, _LAST_MILLISECOND = 1000 * EARLIEST.timestamp(), 1000 * _LATEST.timestamp()

Record = dict[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_TEXT = frozenset({"text"})
_SAFE_ID = re.compile(r"[\w.:@+-]{1,200}")


def records(stream: BinaryIO, skipped: Counter[str]) -> Iterator[tuple[int, Record]]:
    """The records of a stream with their numbers, from 1, as lines that are not blank are counted.

    A line that is no JSON object is counted in `skipped` and keeps its number; of a line that several writes share the
    whole records count, each with a number of its own (`objects_in`). What is not whole in the last line without its
    line end is still being written: it waits (`live_tail`). A file that begins with a thousand lines of no record
    is not read any further, and neither is one behind a hundred thousand such lines.
    """
    number = idle = 0
    for line in _lines(stream, skipped):
        idle += 1
        if not line.isspace():
            objects, whole = objects_in(line)
            for record in objects:
                number += 1
                yield number, record
                idle = 0
            number += not objects
            if not whole:
                skipped["bad_line" if line.endswith(b"\n") else "live_tail"] += 1
        if idle > _MOST_IDLE or skipped["bad_line"] == number == _NO_FORMAT:
            return


def decode_json(text: str | bytes) -> object:
    """The value of a JSON text; `None` when it is none, or is nested too deep."""
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        return _DECODER.decode(text) if _BEGINS_JSON.match(text) else None
    except (ValueError, RecursionError):
        return None


def _lines(stream: BinaryIO, skipped: Counter[str]) -> Iterator[bytes]:
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            skipped["line_too_long"] += 1
            while (piece := stream.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
                pass
            line = b"null\n"  # the next lines keep their numbers
        yield line


def clean(text: str) -> str:
    """`text` with lone surrogates replaced, so that it can always be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def one_line(value: object) -> str:
    """A string that is fit to stand on a line of its own; empty when `value` is no string."""
    if not isinstance(value, str):
        return ""
    return (value if value.isprintable() else _CONTROL.sub(" ", clean(value))).strip()


def identifier(value: object) -> str:
    """An id that can stand in a list with commas; empty when `value` is none."""
    return value if isinstance(value, str) and _SAFE_ID.fullmatch(value) else ""


def moment(value: object) -> datetime | None:
    """An ISO time, or milliseconds since 1970, in UTC; `None` when it is neither, or no time a person lives in."""
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            if time.tzinfo is not UTC:
                time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            time = datetime.fromtimestamp(value / 1000, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return time if EARLIEST <= time < _LATEST else None


def local_moment(value: object, zone: str) -> datetime | None:
    """An ISO time, in UTC; without an offset it is local time in `zone`, an IANA name."""
    try:
        time = datetime.fromisoformat(word(value))
        return moment((time if time.tzinfo else time.replace(tzinfo=ZoneInfo(zone))).isoformat())
    except (ValueError, OverflowError):
        return None


def nanoseconds(value: object) -> int:
    """The nanoseconds since 1970 of anything that `moment` takes; 0 of anything else."""
    time = moment(value)
    return int(time.timestamp() * 1_000_000) * 1_000 if time else 0


def since_epoch(seconds: object) -> object:
    """A value for `moment`, of seconds since 1970; anything else stays what it is."""
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        return seconds * 1000
    return seconds


def seconds_or_milliseconds(value: object) -> object:
    """A value for `moment`, of a time since 1970 in either unit: the one in which it is a time people live in."""
    seconds = since_epoch(value)
    lived_in = isinstance(seconds, int | float) and _FIRST_MILLISECOND <= seconds < _LAST_MILLISECOND
    return seconds if lived_in else value


def word(value: object) -> str:
    """`value` when it is a string, so that it can be looked up; else an empty one."""
    return value if isinstance(value, str) else ""


def answer_text(answers: Iterable[object]) -> str:
    """The owner's answers in a dialogue as one text; lines below one another would look like a text under its title."""
    return "; ".join(clean(text) for answer in answers if (text := word(answer).strip()))


def mapping(value: object) -> Record:
    """`value` when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def strings(value: object) -> list[str]:
    """The strings of a list; none when `value` is no list."""
    return [element for element in value if isinstance(element, str)] if isinstance(value, list) else []


def texts(content: object, kinds: AbstractSet[str] = _TEXT) -> list[str]:
    """The texts of a content, which is a string, a list of blocks, or nothing; empty texts are left out.

    `kinds` are the types of the blocks that hold a text.
    """
    if isinstance(content, str):
        return [clean(content)] if content and not content.isspace() else []
    if not isinstance(content, list):
        return []
    return [
        clean(text)
        for block in content
        if isinstance(block, dict) and isinstance(text := block.get("text"), str) and word(block.get("type")) in kinds
        if text and not text.isspace()
    ]


def blocks(content: object) -> list[Record]:
    """The blocks of a content; a string has none."""
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def document(stream: BinaryIO, mark: bytes) -> object:
    """The value in a stream; `None` when it is no JSON and does not have `mark`, so that it is another program's.

    Raises:
        OSError: it has more than `LARGEST` bytes, or it has the mark and is not whole: it is being written.
    """
    content = whole_content(stream)
    try:
        value: object = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        if mark in content:
            raise OSError(errno.EILSEQ, "it is not whole JSON; maybe it is being written") from error
        return None
    return value


def whole_content(stream: BinaryIO) -> bytes:
    """All bytes of a stream.

    Raises:
        OSError: they are more than `LARGEST`.
    """
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST // 1_000_000} MB, and is read as a whole")
    return content


def companion(file: Path) -> Record:
    """The JSON object in another file of a session; an empty one when there is none that can be read."""
    try:
        return mapping(decode_json(read_regular(file)))
    except OSError:
        return {}


_KNOWN = frozenset(
    {"text", "thought", "thoughtSignature", "functionCall", "functionResponse", "inlineData", "fileData",
     "executableCode", "codeExecutionResult", "videoMetadata", "partMetadata"}
)  # fmt: skip


def part_texts(content: object) -> list[str]:
    """The texts of a content: a string, one part, or a list of either. Thoughts and empty texts are left out."""
    pieces = content if isinstance(content, list) else [content]
    said = [piece if isinstance(piece, str) else _text(mapping(piece)) for piece in pieces]
    return [clean(text) for text in said if text and not text.isspace()]


def _text(part: Record) -> str:
    text = part.get("text")
    return text if isinstance(text, str) and not part.get("thought") else ""


def result_texts(content: object) -> list[str]:
    """The texts that tools gave back, in the `functionResponse` parts of a content."""
    responses = [mapping(mapping(part.get("functionResponse")).get("response")) for part in blocks(content)]
    given = [response.get("output") or response.get("error") for response in responses]
    return [clean(text) for text in given if isinstance(text, str) and text and not text.isspace()]


def is_result(content: object) -> bool:
    """Whether a tool gave a content back: a program can put the texts of a result beside its `functionResponse`."""
    return any("functionResponse" in part for part in blocks(content))


def unknown_parts(content: object) -> list[str]:
    """The names of the parts that are none of the known ones."""
    return [next(iter(part), "") for part in blocks(content) if not _KNOWN.intersection(part)]
