"""Mail, letters and notices: the lines that open one, so that all text below is another person's."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence

from pipeline.entries.authorship.cues import WORDS
from pipeline.entries.authorship.lines import MessageLine

_SHORT = 120  # characters of a line that may be a header or a salutation
_MARKS = r"[\s>*_\-=【\[(（|]{0,40}"
_FORWARDED = WORDS.pattern("forward", _MARKS + "{}")
_SENDER = WORDS.pattern("sender", _MARKS + r"{}[*_ ]{0,3}[:：][*_ ]{0,3}\S")
_HEADER = WORDS.pattern("header", _MARKS + r"{}[*_ ]{0,3}[:：]")
_WROTE = WORDS.pattern("wrote", _MARKS + r"{}(?:\(a\))?[^\w]{0,4}")
_SALUTATION = WORDS.pattern("salutation", _MARKS + r"{}\s*(?:[,，:：!！]|$)")
_GREETING = WORDS.pattern("greeting", r"\s*{}\s*[,，:：!！.]?\s*")
_FAREWELL = WORDS.pattern("farewell", r"\s*(?:[^\W\d]+ ?){0,2}{}[,，.!！]?[\s]*(?:[^\W\d]+[ .]*){0,3}")
_NOTICE = WORDS.pattern("notice", _MARKS + r"{}\s*(?:[\]】)）*_\-—:：!！]|$)")
_SUBJECT = WORDS.pattern("subject", _MARKS + r"{}[*_ ]{0,3}[:：]")
_DEVICE = WORDS.pattern("device", r"\W*{}")
_SIGNATURE = re.compile(
    r"(?:\s*|.{1,200}[.!。！\"”」] ?)"
    r"(?:[—–-]{1,2} ?[A-Z][\w.]*(?: [A-Z][\w.]*){0,2}(?:, .{1,30})?|—{1,2} ?[\u4e00-\u9fff]{1,8})\s*"
)
_BRACKETED = re.compile(r"\s*【(?P<title>[^】\n]{2,20})】")
_NAME = re.compile(r"\s*[^\W\d_]+(?: [^\W\d_]+\.?){0,2}\s*")
_HEADERS_NEAR = 3  # lines


def opens_mail(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether a mail, a letter or a notice begins at the line; what follows it is not the owner's."""
    line = lines[place]
    short = line.folded[:_SHORT]
    patterns = (_FORWARDED, _NOTICE, _SALUTATION)
    if any(pattern.match(short) for pattern in patterns) or _has_bracketed_title(line) or _header(lines, place):
        return True
    if len(line.text) > _SHORT:
        return False
    followed = any(not below.blank for below in lines[place + 1 :])
    return followed and bool(
        _WROTE.fullmatch(line.folded)
        or _SUBJECT.match(short)
        or (_GREETING.fullmatch(line.folded) and closes_letter(lines[place + 1 :]))
    )


def closes_letter(lines: Sequence[MessageLine]) -> bool:
    """Whether one of the lines takes leave, as a letter does."""
    return any(len(line.text) <= _SHORT and _FAREWELL.fullmatch(line.folded) for line in lines if not line.blank)


def _has_bracketed_title(line: MessageLine) -> bool:
    """Whether a title in brackets opens the line, as on a notice; not one under which the owner dictates."""
    match = _BRACKETED.match(line.folded)
    return match is not None and not WORDS.finds("label", match["title"])


def end_of_letter(lines: Sequence[MessageLine]) -> int | None:
    """The place of a signature: of a farewell above a name, of a device or a name after a dash at the very end."""
    said = [line for line in lines if not line.blank]
    for place, line in enumerate(said):
        if len(line.text) > _SHORT:
            continue
        named = place + 1 < len(said) and _NAME.fullmatch(said[place + 1].text) is not None
        last = place + 1 == len(said)
        above = place > 0
        if last and _SIGNATURE.fullmatch(line.text):
            return line.end
        if above and (
            _DEVICE.match(line.folded) or (_FAREWELL.fullmatch(line.folded) and (named or " " in line.text.strip()))
        ):
            return line.end
    return None


def _header(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether it is the first line of the header of a mail: its sender, or one of two lines of a header."""
    short = lines[place].folded[:_SHORT]
    if _SENDER.match(short):
        return True
    near = [line for line in lines[place + 1 : place + 1 + _HEADERS_NEAR] if not line.blank]
    return bool(_HEADER.match(short)) and any(
        _HEADER.match(line.folded[:_SHORT]) or _SENDER.match(line.folded[:_SHORT]) for line in near
    )
