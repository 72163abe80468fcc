"""Short secrets that only words mark: PINs, codes of gates and safes, one-time codes, in digits or number words."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from pipeline.adapters.redaction.code_words import (
    AS_ORDINARY,
    BASIS,
    BESIDE,
    CALLED,
    CODE,
    ENTER,
    ENTERED,
    ENTRANCE,
    FOR,
    FREE,
    GLUE,
    IS,
    IS_FOR,
    JOINT,
    LINK,
    OPENS,
    OPENS_WITH,
    ORDINARY,
    OWN_NAME,
    PHONE,
    PLACE,
    REST,
    USE,
)
from pipeline.adapters.redaction.numbers import SPELLED, spoken_lines
from pipeline.adapters.redaction.screening import DIGIT, LineSelection, Screen, Stems
from pipeline.adapters.redaction.spans import Span

_SENTENCE = re.compile(r"(?:[^.!?。！？;；\n•]+|[.!?](?!\s|$)|(?<=[:：=])\n)+")
_VALUE = re.compile(
    rf"""(?<![A-Za-z0-9_.,/$€£¥+#-])(?!(?<=[(（])(?:19|20)\d\d[)）])(?:\*\*|["'`「“„]){{0,2}}
    (?P<secret>(?:[\#*]{{0,2}}(?:\d{{1,4}}[\#*]\d{{3,8}}|[A-Z]?\d{{2,8}}\#|[A-Z]\d{{3,8}}|[A-Z]\d{{3,6}}[A-Z]|\d{{3,10}}[A-Z]?)[\#*]?
    |\d{{1,4}}(?:[ ]?[ -][ ]?\d{{1,4}}){{1,4}}[\#*]?)(?![A-Za-z0-9_%°€£¥$]|[-/:]\w|[.,]\d|\#\w)|{SPELLED})
    (?![ ]?(?:px|ms|kb|mb|gb|sek|sec|min|%|°|zł|zl|pln|eur|usd|€|\$|lines?|rows?|lini|wiersz|hours?|days?|weeks?|minut
    |second|godzin|dni|tygodni|users?|people|os[oó]b|times|raz|char|digit|cyfr|znak|byte|word|s[łl][oó]w(?!ly)|page|stron|test
    |file|plik|item|mile|km|m\b|of\s\d|行|位|个字|個字|元|块钱|次|天|年|月|分钟|小时|字|页|頁|人|米))""",
    re.VERBOSE | re.IGNORECASE,
)
_MORE = re.compile(r"\d[\d#*]*[\"'`]?\s*(?:,|and|i|oraz|a|和)?")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d {0,3}[\d#*-]")
_LABEL = re.compile(
    rf"(?:(?P<own>{OWN_NAME.pattern})|{CODE.pattern})(?P<thing>\s(?:to|for|of|do|od)(?:\s[^\W\d_]{{1,20}}){{1,4}})?$",
    re.IGNORECASE,
)
"""Stands before a colon with its value right behind, `gate code:4471`, or beside it: `4471 (the gate code)`."""
_LATER = re.compile(
    rf"(?:{JOINT.pattern}\d[\d#*]*)+(?=\sopen\s|都|[^\d]{{1,40}}(?:codes|combinations|pins|kody|szyfry))|(?:、\d+)+",
    re.IGNORECASE,
)
"""The other codes of a list that stands before its name."""
_AT_KEYPAD = re.compile(r"^\*?\d{3,}#|\d#\d{3}")  # nothing but a keypad takes `4417#`
_OWNER = re.compile(r"[^\W\d_]{2,12}\s*$")  # the PIN of somebody's phone
_ANNOUNCING = (":", "：", "=")
_THING = re.compile(
    r"""\s(?:to|for|do|od)\s(?:[^\W\d_]{1,20}\s){1,5}?                                      # the code to the barn 4471
        (?<!\s(?:at|by)\s)(?:(?<!\son\s)|(?<=\slog\son\s)|(?<=\ssign\son\s))
    | \s(?:to|for|do|od|of\s(?:the|my|our|your))\s(?:[^\W\d_]{1,20}\s){1,5}?(?:(?:is|are|to|jest)\s|=\s?)
    | \s(?:to|for|do|od)(?:\s[^\W\d_]{1,20}){1,5}:\s?                                      # code for the barn: 4471""",
    re.VERBOSE | re.IGNORECASE,
)
"""Stands between a code and its value; `the code to run on 4471` names no thing, `the code to log on 4471` does."""
_TO_THING = re.compile(r"\s(?:to\s(?:the|my|our|your|his|her|their)|do)\s", re.IGNORECASE)
"""Stands before a thing that is opened; 404 is `the code for a missing page`, and `the code to handle`."""
_OF_WORK = re.compile(
    r"\b(?:issue|ticket|task|bug|pr|module|function|class|test|exam|lesson|step|feature|report|zg[łl]osze|zada[nń]|funkcj|modu[łl]|klas|test|raport)",
    re.IGNORECASE,
)
_REACH = 48
_QUALIFIERS_REACH = 16
_SHORTEST_PLAIN = 4


def find(screen: Screen, stems: Stems) -> Iterator[Span]:
    """The spans of PINs, door codes and one-time codes in lines with a stem, and below one that ends in a colon."""
    spells = bool(spoken_lines(screen))
    for number in sorted(screen.lines(stems)):
        start, end = screen.line(number)
        last = min(number + screen.text.endswith(_ANNOUNCING, start, end), screen.height - 1)
        for sentence in _SENTENCE.finditer(screen.text, start, screen.line(last)[1]):
            if spells or _DIGIT.search(sentence[0]):
                yield from _codes_in_sentence(sentence)


def lines_with_numbers(screen: Screen, said: AbstractSet[int]) -> LineSelection:
    """The lines with a number, those that say one, and those that may announce one of them."""
    lines = screen.lines_of_shape(DIGIT, b"0")
    return add_lines_above(screen, said | {line for line in lines if _NUMBER.search(screen.text, *screen.line(line))})


def add_lines_above(screen: Screen, numbers: AbstractSet[int]) -> LineSelection:
    """These lines, and those above them."""
    return screen.excerpt(numbers | {max(0, number - 1) for number in numbers})


@dataclass(frozen=True)
class _Sentence:
    """A sentence with a number. Most numbers are ruled out by the words beside them before all of it is searched."""

    text: str

    @cached_property
    def is_placed(self) -> bool:
        """Whether it names a thing that a code opens, or a way to send codes."""
        return bool(PLACE.search(self.text))

    @cached_property
    def has_entrance(self) -> bool:
        """Whether it names a place where people type a number to get in."""
        return self.is_placed or bool(ENTRANCE.search(self.text))

    @cached_property
    def may_have_code(self) -> bool:
        """Whether it names a code, or a place for one."""
        return self.has_entrance or bool(OWN_NAME.search(self.text) or CODE.search(self.text))


def _codes_in_sentence(match: re.Match[str]) -> Iterator[Span]:
    sentence, before = _Sentence(match[0]), None
    for value in _VALUE.finditer(match[0]):
        if _is_part(match[0], value.start()):
            continue
        is_secret = (
            (before and _is_next(match[0], before, value))
            or _is_secret(sentence, value)
            or (_is_typed(match[0], value) and sentence.has_entrance)
        )
        if is_secret and sentence.may_have_code:
            yield match.start() + value.start("secret"), match.start() + value.end("secret")
            before = value


def _is_part(text: str, start: int) -> bool:
    """Whether right before a number stands a colon, and no name of a code before that: `localhost:4471`, `12:30`."""
    return text.endswith(":", 0, start) and not _LABEL.search(text, start - _REACH, start - 1)


def _is_next(text: str, code: re.Match[str], value: re.Match[str]) -> bool:
    """Whether a number is the next code of a list: `4471 and 4472`, but not `4471 and 300 people`."""
    behind = text[value.end() : value.end() + _REACH]
    if not JOINT.fullmatch(text, code.end(), value.start()) or (IS_FOR.match(behind) and ORDINARY.search(behind)):
        return False
    return len(value["secret"]) == len(code["secret"]) or bool(REST.match(behind))


def _is_secret(sentence: _Sentence, value: re.Match[str]) -> bool:
    before = value.string[max(0, value.start() - _REACH) : value.start()]
    behind = value.string[value.end() : value.end() + _REACH]
    if _has_own_name(before) or _is_said_first(sentence, value, behind):
        return True
    if entered := ENTER.search(before):
        return bool(CODE.search(entered[0]))
    if (
        _AT_KEYPAD.search(value["secret"])
        or OPENS_WITH.search(before)
        or (USE.search(before) and FOR.match(behind) and PLACE.search(behind))
    ) and sentence.is_placed:
        return True
    cue = _last(CODE, before)
    if not cue or ORDINARY.search(before, cue.start() - _QUALIFIERS_REACH):
        return False
    return (
        (_leads_to_value(before, cue.end()) and sentence.is_placed)
        or _is_of_thing(before[cue.end() :], value["secret"])
        or _is_plain_code(before, cue, behind, value["secret"])
    )


def _is_typed(text: str, value: re.Match[str]) -> bool:
    """Whether the text asks people to type the number, where that opens or operates something."""
    before = text[max(0, value.start() - _REACH) : value.start()]
    behind = text[value.end() : value.end() + _REACH]
    entered = ENTER.search(before)
    if not entered or (CALLED.search(entered[0]) and PHONE.fullmatch(value["secret"])):
        return False
    if AS_ORDINARY.match(behind) and ORDINARY.search(behind):
        return False
    if entered["by"]:
        return not BASIS.match(behind)
    return not (entered["hit"] or entered["strike"]) or bool(ENTERED.match(behind))


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return max(pattern.finditer(text), key=re.Match.start, default=None)


def _has_own_name(before: str) -> bool:
    cue = _last(OWN_NAME, before)
    if not cue or ORDINARY.search(before, cue.end()):
        return False
    between = before[cue.end() :]
    if cue["pin"] and re.search(r"[^\W\d_]\s+to\s*$", between):  # to pin a package to a number is another thing
        return bool(PLACE.search(between) or re.match(r"\s+(?:do|od)\s", between))
    if _leads_to_value(before, cue.end()):
        return True
    return bool(PLACE.search(between) and GLUE.fullmatch(_OWNER.sub(" ", PLACE.sub(" ", between))))


def _leads_to_value(before: str, start: int) -> bool:
    """Whether the words behind a cue lead to the value, with only the purpose of the code between them."""
    between = before[start:]
    if not _DIGIT.search(between) and LINK.search(before):
        return True
    return bool(GLUE.fullmatch(PLACE.sub(" ", _MORE.sub(" ", between))))


def _is_said_first(sentence: _Sentence, value: re.Match[str], behind: str) -> bool:
    """`4471 opens the garage`, `482913 is your verification code`, `4471, the gate code`."""
    start = later.end() if (later := _LATER.match(behind)) else 0
    name, opens = BESIDE.match(behind, start), IS_FOR.match(behind, start)
    if not (name or opens):
        return False
    behind = re.split("[,，]", behind[start:])[0]
    if name and (label := _LABEL.search(name["name"])):
        led = not name["comma"] or GLUE.fullmatch(PLACE.sub(" ", name["name"][: label.start()]))
        if not led or ORDINARY.search(name["name"]) or value["secret"].startswith("#"):
            return False
        return bool(label["own"] or _TO_THING.match(label["thing"] or "") or sentence.is_placed)
    if not opens or ORDINARY.search(behind):
        return False
    if OPENS.match(behind):
        return bool(PLACE.search(behind))
    cue = CODE.search(behind)
    return bool(OWN_NAME.search(behind) or (cue and (_TO_THING.match(behind, cue.end()) or sentence.is_placed)))


def _is_of_thing(between: str, value: str) -> bool:
    """Whether a code is that of a thing, whatever it is: `the code to the server room is`, `kod do mieszkania`."""
    if not _THING.fullmatch(between) or ORDINARY.search(between) or _OF_WORK.search(between):
        return False
    return len(value) >= _SHORTEST_PLAIN or bool(_TO_THING.match(between))


def _is_plain_code(before: str, cue: re.Match[str], behind: str, value: str) -> bool:
    """`the code is 4471`, without the thing it opens: it stands alone, and is no number of something."""
    if not IS.fullmatch(before, cue.end()) or len(value) < _SHORTEST_PLAIN or not REST.match(behind):
        return False
    return bool(cue["password"] or cue["chinese"] or FREE.search(before[: cue.start()]))
