"""The places of secrets in a text: each finder goes only to the lines that have what it cannot do without."""

import re
from collections.abc import Iterator, Sequence

from pipeline.adapters.redaction import answers, assignments, codes, formats, library, numbers, operating, said, urls
from pipeline.adapters.redaction.numbers import spoken_lines
from pipeline.adapters.redaction.screening import LONG, Screen, Stems, neighbourhood, register_stems
from pipeline.adapters.redaction.spans import Span, mask_spans
from pipeline.language.word_search import foreign_signs


def _words(words: str) -> list[str]:
    """Words with spaces between; a blank in one is written as `_`."""
    return [word.replace("_", " ") for word in words.split()]


def _stems(words: str) -> Stems:
    return register_stems(_words(words))


# A line or a text without any of these needs none of the patterns behind it.
_CUE_WORDS = (
    "pass pwd pw psw psk hasł hasl token secret sekret key klucz cred kod_ code licen serial seryjn login logow zalog"
    " root pin_ combin szyfr admin 密 令 鑰 钥 凭 憑 码 碼 序 账 帐 帳 口令 通行 许可"
)
_CUES, _CUE_STEMS = re.compile("|".join(_words(_CUE_WORDS))), _stems(_CUE_WORDS)
_CODE_STEMS = _stems(
    "pin kod cvv cvc otp puk code blik 2fa szyfr kombin combin combo pass hasło haslo type enter punch key_in press"
    " dial put_in input use_ box hit tap buzz wpis wstuk wystuk wklep wbij wbić wbic ciśn cisn ciska wprowad wybier"
    " uży uzy open unlock disarm otwier rozbr 0# 1# 2# 3# 4# 5# 6# 7# 8# 9# key_pad keypad safe sejf"
    " kłódk kłodk klódk klodk 码 碼 入 输 輸 按 摁 打 拨 撥 开 開 令 号 號 禁 用 柜 櫃 箱"
)
_ASSIGNED = re.compile("[=:\uff1a>\"'`(_]|--|[a-z][A-Z]")
_NUMBER_NAMES = re.compile("pin|puk|cv[vc]|otp|code")
_SPELLED = re.compile(
    "(?:zero|one|two|three|four|five|six|seven|eight|nine|double|triple|teen|ten|eleven|twelve|ty|jeden|dwa|trzy|cztery"
    "|pi[eę][cć]|sze[sś][cć]|siedem|osiem|dziewi[eę][cć])[ ,-]{1,2}[a-z]|[零〇一二三四五六七八九幺两]{3}"
)
_DEVICE_STEMS = _stems(
    "gate door garage safe lock alarm pad intercom buzz barrier shed box vault suitcase cabin cellar combination"
    " bram furt drzwi garaż garaz sejf domofon kłódk kłodk klódk klodk skrytk skrzynk piwnic szlaban walizk klawiatur"
    " zame zamk zapięci zapieci szaf altan schowk szyfr kombinacj"
    " 门 門 柜 櫃 锁 鎖 闸 閘 箱 车库 車庫 保险 保險 报警 報警 警报 警報 键盘 鍵盤"
)
_DIGIT = re.compile(r"[0-9]|[^\0-\x7f]")  # some of the others are digits
_DIGITS = re.compile(r"[0-9](?:[0-9][0-9#]|[ -]{1,3}[0-9])")
_LONG_RUN = b"A" * 19
_WIDE_LETTER = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
_WIDE = re.compile(rf"[{_WIDE_LETTER}](?:[\uff01-\uff5e]*[{_WIDE_LETTER}])?")
_WIDE_LETTERS = frozenset(re.findall(f"[{_WIDE_LETTER}]", "".join(map(chr, range(0xFF00, 0xFF60)))))
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_INVISIBLE = re.compile(f"[{_UNSEEN}]")


def find(text: str, before: Sequence[str] = ()) -> set[Span]:
    """The spans of secrets in a text, by all finders; `before` are the messages that it follows, the latest last."""
    spans = _find_alone(text)
    if before:
        spans.update(answers.find(text, before))
    return spans


def has_rest(text: str, spans: set[Span], before: Sequence[str]) -> bool:
    """Whether more is found now that these spans are masked, around them: most texts are looked through once then."""
    near = neighbourhood(text, spans)
    return mask_spans(near, _find_alone(near)) != near or mask_spans(text, answers.find(text, before)) != text


def _find_alone(text: str) -> set[Span]:
    seen, places = plain_text(text)
    spans = find_in(Screen(seen))
    if places is None:
        return spans
    return {(places[start], places[end - 1] + 1) for start, end in spans if end > start}


def plain_text(text: str) -> tuple[str, list[int] | None]:
    """`text` with full-width letters as ordinary ones and nothing invisible, as a person reads it.

    Beside it the place in `text` of each of its characters; `None` where no character is gone.
    """
    signs = foreign_signs(text)
    if not signs.isdisjoint(_WIDE_LETTERS):
        text = _WIDE.sub(lambda match: match[0].translate(_NARROW), text)
    if signs.isdisjoint(_UNSEEN):
        return text, None
    places, start = list[int](), 0
    for match in _INVISIBLE.finditer(text):
        places += range(start, match.start())
        start = match.end()
    places += range(start, len(text))
    return _INVISIBLE.sub("", text), places


def find_in(screen: Screen) -> set[Span]:
    """The spans of secrets in a text of ordinary letters, all of which can be seen."""
    said_lines = spoken_lines(screen)
    spells = bool(said_lines) and bool(_SPELLED.search(screen.folded))
    spans = set(_all_spans(screen, said_lines, spells=spells))
    if spells:
        spans.update(_spelled_codes(screen, said_lines))
    return spans


def _spelled_codes(screen: Screen, lines: set[int]) -> Iterator[Span]:
    """The spans of codes that are said in digit words, in these lines."""
    excerpt = codes.add_lines_above(screen, lines)
    if read := operating.digits(excerpt.screen):
        yield from excerpt.spans(_codes_in_digits(*read))


def _codes_in_digits(seen: str, places: list[int]) -> Iterator[Span]:
    screen = Screen(seen)
    for start, end in _codes_in_lines(screen, spoken_lines(screen)):
        yield places[start], places[end - 1] + 1


def _codes_in_lines(screen: Screen, said_lines: set[int]) -> Iterator[Span]:
    if screen.has(_CODE_STEMS) or screen.has(_DEVICE_STEMS):
        excerpt = codes.lines_with_numbers(screen, said_lines)
        yield from excerpt.spans(codes.find(excerpt.screen, _CODE_STEMS))
        yield from excerpt.spans(operating.find(excerpt.screen, _DEVICE_STEMS))


def _all_spans(screen: Screen, said_lines: set[int], *, spells: bool) -> Iterator[Span]:
    """The spans of secrets, given the lines in which words of numbers follow each other, and whether they spell one."""
    yield from urls.find(screen)
    if screen.places:
        yield from formats.find(screen)
        yield from numbers.find_phrases(screen)
    has_digit, has_cue = bool(_DIGIT.search(screen.text)), screen.has(_CUE_STEMS)
    has_digits = has_digit and bool(_DIGITS.search(screen.folded))
    if has_digit:
        yield from formats.find_numbered(screen)
    if screen.has_shape(LONG, _LONG_RUN):
        if has_digit:
            yield from formats.find_bare(screen)
        yield from library.find(screen)
    elif not (has_digits or has_cue or spells):
        return
    if has_digit:
        yield from numbers.find_numbers(screen)
    if not screen.places:
        return
    lines = _LineTests(screen)
    yield from assignments.find(screen, lines.may_assign)
    if has_cue:
        yield from said.find(screen, lines.may_announce)
    if has_digits or spells:
        yield from _codes_in_lines(screen, said_lines)


class _LineTests:
    """Whether lines may have something, each asked once."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._announcing, self._assigning = dict[Span, bool](), dict[Span, bool]()

    def may_announce(self, line: Span) -> bool:
        """Whether a line has a cue."""
        if line not in self._announcing:
            self._announcing[line] = bool(_CUES.search(self._screen.folded, *line))
        return self._announcing[line]

    def may_assign(self, line: Span) -> bool:
        """Whether a line has a cue, or the name of a number, and a sign of code or settings."""
        if line not in self._assigning:
            named = self.may_announce(line) or bool(_NUMBER_NAMES.search(self._screen.folded, *line))
            self._assigning[line] = named and bool(_ASSIGNED.search(self._screen.text, *line))
        return self._assigning[line]
