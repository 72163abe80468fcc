"""Words of people and models made fit to stand on a line of a page, and the sources behind them."""

import re
from collections.abc import Iterable, Sequence

from pipeline.markdown.entries import one_line

_CODE = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")
_MARKS = re.compile(r"\A(?:(?:[-+*#>]+|\[[ xX]?\])\s+)+")
_OPENING = re.compile(r"\A(?:(?P<number>\d{1,9})(?=[.)](?:\s|$))|(?=>|~{3}))")  # a list, a quotation or a fence inside
_FENCE = re.compile(r"`{3,}")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_PLAIN_TARGET = re.compile(r"[\w./:@+=,~%-]+")
_UNSAFE_IN_TARGET = re.compile(r"[<>`\\]")
_UNSAFE_IN_LABEL = re.compile(r"[\[\]\\`]")
_PLAIN_ID = re.compile(r"[^\W_](?:[\w.:@+=-]*[^\W_])?")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_NUMBERS = r"[0-9]{1,9}(?:-[0-9]{1,9})?"
_SOURCE = re.compile(rf"session (`[^`\n]*`|{_PLAIN_ID.pattern}), messages? ({_NUMBERS}(?:, {_NUMBERS})*)")
_SOURCES = re.compile(rf"\({_SOURCE.pattern}(?:; {_SOURCE.pattern})*\)")


def inline(text: str) -> str:
    """`text` as one line of Markdown that reads the same: no tag, comment, link, image or block can begin in it."""
    line, made, end = _FENCE.sub("`", _MARKS.sub("", one_line(text))), list[str](), 0
    # With escaped marks nearby, code cannot be recognised so simply; then nothing is taken as code.
    for code in () if "\\`" in line else _CODE.finditer(line):
        made += [_escape(line[end : code.start()]), code.group().replace("<!--", "<! --")]
        end = code.end()
    return _OPENING.sub(lambda match: f"{match['number'] or ''}\\", "".join([*made, _escape(line[end:])]))


def list_item(text: str, sources: Sequence[str]) -> str:
    """A list item: the text, made safe, and its sources."""
    return f"- {inline(text)} ({'; '.join(sources)})"


def link(label: str, target: str) -> str:
    """A link; its target stays as it is when it can, so that it can be searched for."""
    safe = _UNSAFE_IN_LABEL.sub(r"\\\g<0>", one_line(label)).replace("<", "&lt;")
    plain = one_line(target)
    if not _PLAIN_TARGET.fullmatch(plain):
        plain = f"<{_UNSAFE_IN_TARGET.sub(lambda match: f'%{ord(match.group()):02X}', plain)}>"
    return f"[{safe}]({plain})"


def citation(session_id: str, numbers: str) -> str:
    """A session and messages of it (see `spans`), in plain words: `session 8f1c2d, messages 4-6, 9`.

    An id that Markdown would take for something else stands as code.
    """
    return f"session {as_cited(session_id)}, {'message' if numbers.isdecimal() else 'messages'} {numbers}"


def as_cited(session_id: str) -> str:
    """The id of a session as `citation` writes it."""
    plain = one_line(session_id)
    return plain if _PLAIN_ID.fullmatch(plain) else f"`{plain.replace('`', chr(39)).replace('<!--', '<! --')}`"


def citations(line: str) -> dict[str, list[tuple[int, int]]]:
    """The sources of a line of `list_item`: for each session, as `as_cited` has it, the ranges of its messages.

    Similar words in its text do not count, nor a person's text behind the sources.
    """
    ranges_by_session: dict[str, list[tuple[int, int]]] = {}
    lists = [match.group() for match in _SOURCES.finditer(line)]
    for session, numbers in _SOURCE.findall(lists[-1]) if lists else ():
        ranges = _RANGE.findall(numbers)
        ranges_by_session.setdefault(session, []).extend((int(first), int(last or first)) for first, last in ranges)
    return ranges_by_session


def spans(numbers: Iterable[int]) -> str:
    """Message numbers as ranges of those that follow each other: `4-6, 9`."""
    ranges: list[list[int]] = []
    for number in sorted(set(numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def _escape(text: str) -> str:
    """Text outside code."""
    return _TAG.sub("&lt;", text).replace("](", "]\\(")
