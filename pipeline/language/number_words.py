"""Numbers of a text as values, in digits and in words of English, Polish and Chinese."""

# ruff: noqa: RUF001  (the Chinese zero is meant)

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.language.lexicon import cues
from pipeline.language.numerals import normalize_number

_HALF = Fraction(1, 2)
_LONGEST = 24  # digits; a longer number is an identifier


@dataclass(frozen=True, slots=True)
class PlacedNumber:
    """A number from `start` to `end` of a flat text, and the values that it may have: 1.234 has two.

    An `idle` one says no quantity by itself: `one` and `first` are often mere words of grammar.
    """

    start: int
    end: int
    values: frozenset[Fraction]
    idle: bool = False


def _table(*rows: str) -> dict[str, int]:
    """Values by pattern; a row is a value and the patterns of words that have it."""
    return {pattern: int(value) for value, *patterns in map(str.split, rows) for pattern in patterns}


_ONES = _table(
    "0 zero",
    "1 one jed(?:en|n(?:a|o|ego|ej|ym|emu))",
    "2 two dw(?:a|ie|och|om|oma|u|oje|ojga)",
    "3 three trz(?:y|ech|em|ema) troje trojga",
    "4 four czter(?:y|ech|em|ema) czworo czworga",
    "5 five piec(?:iu|ioma|ioro)?",
    "6 six szesc(?:iu|ioma|ioro)?",
    "7 seven sied(?:em|miu|mioma|mioro)",
    "8 eight os(?:iem|miu|mioma|mioro)",
    "9 nine dziewiec(?:iu|ioma|ioro)?",
)
_TEENS = _table(
    "10 ten dziesiec(?:iu|ioma|ioro)?",
    "11 eleven jedenas(?:cie|tu)",
    "12 twelve dwanascie dwunastu",
    "13 thirteen trzynas(?:cie|tu)",
    "14 fourteen czternas(?:cie|tu)",
    "15 fifteen pietnas(?:cie|tu)",
    "16 sixteen szesnas(?:cie|tu)",
    "17 seventeen siedemnas(?:cie|tu)",
    "18 eighteen osiemnas(?:cie|tu)",
    "19 nineteen dziewietnas(?:cie|tu)",
)
_TENS = _table(
    "20 twenty dwadziescia dwudziestu",
    "30 thirty trzydziesci trzydziestu",
    "40 fou?rty czterdziesci czterdziestu",
    "50 fifty piecdziesiat piecdziesieciu",
    "60 sixty szescdziesiat szescdziesieciu",
    "70 seventy siedemdziesiat siedemdziesieciu",
    "80 eighty osiemdziesiat osiemdziesieciu",
    "90 ninety dziewiecdziesiat dziewiecdziesieciu",
)
_HUNDREDS = _table(
    "100 sto stu",
    "200 dwiescie dwustu",
    "300 trzysta trzystu",
    "400 czterysta czterystu",
    "500 piec(?:iu)?set",
    "600 szesc(?:iu)?set",
    "700 sied(?:em|miu)set",
    "800 os(?:iem|miu)set",
    "900 dziewiec(?:iu)?set",
)
_SCALES = _table(
    "100 hundreds?", "1000 thousands? grand k tys tysiac tysiace tysiecy", "1000000 millions? mln m milion(?:y|ow|a)?"
)
_EN_NTH = cues(
    "first; second; third; fourth; fifth; sixth; seventh; eighth; ninth; tenth; eleventh; twelfth",
    "thirteenth; fourteenth; fifteenth; sixteenth; seventeenth; eighteenth; nineteenth; twentieth",
)
POLISH_ORDINALS = cues(
    "pierwsz; drug; trzec; czwart; piat; szost; siodm; osm; dziewiat; dziesiat; jedenast; dwunast",
    "trzynast; czternast; pietnast; szesnast; siedemnast; osiemnast; dziewietnast; dwudziest",
)
_CASES = "(?:y|a|e|i|ia|ie|ego|iego|ej|iej|emu|iemu|ym|im|ych|ich|ymi|imi)"
_NTHS = {
    **{word: index for index, word in enumerate(_EN_NTH, 1)},
    **{f"{word}{_CASES}": index for index, word in enumerate(POLISH_ORDINALS, 1)},
    "thirtieth": 30,
    f"trzydziest{_CASES}": 30,
}
_PL_PREFIXES = _table(
    "2 dwu",
    "3 trzy troj",
    "4 cztero",
    "5 piecio",
    "6 szescio",
    "7 siedmio",
    "8 osmio",
    "9 dziewiecio",
    "10 dziesiecio",
    "12 dwunasto",
    "14 czternasto",
    "15 pietnasto",
    "20 dwudziesto",
    "24 dwudziestocztero",
    "30 trzydziesto",
    "100 stu",
)
_OTHERS: Final[Mapping[str, tuple[Fraction | int, ...]]] = {
    "an?": (1,),
    "single|once|raz": (1,),
    "both|twice|double|couple|pair|oba|obie|oboje|obu|dwukrotn\\w+|para|pare": (2,),
    "thrice|triple|trzykrotn\\w+": (3,),
    "dozen|tuzin\\w*": (12,),
    "half|halves|pol|polow\\w{1,2}": (_HALF, 50),
    "poltora|poltorej": (_HALF * 3,),
    "kwadrans\\w*": (Fraction(1, 4), 15),
    "quarter": (Fraction(1, 4), 15, 25),
    "biweekly|fortnight\\w*": (2, 14),
}


_WORD = re.compile(r"[^\W\d_]+")
_HAN_NUMERAL = "零〇一二两三四五六七八九十百千万亿廿"
_DIGITS = re.compile(  # `1 000`, `2,5`, `20k`, `3万`
    r"(?<!\d)(?<!\d[.,])(?<!\.)(?:\d{1,3}(?: \d{3})+(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)*)"
    r"(?P<scale>\s?(?:k|tys|mln|thousand|million|m)\b|\s?[百千万亿])?"
)
# `第三`, `二十五`, `俩`; not the day in `周三`
_HAN = re.compile(rf"第?(?<![周期拜])[{_HAN_NUMERAL}]+|[俩双]|半")
_HAN_VALUES = {"零": 0, "〇": 0, "两": 2, "俩": 2, "双": 2} | {
    mark: at for at, mark in enumerate("一二三四五六七八九", 1)
}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_HAN_UNIT = re.compile(  # behind a single numeral: it counts something, as in `三天`
    r"\s?(?:小时|分钟|星期|公里|[个天日号次点元块人组年月秒页张成折份周倍句字章条台层段篇本位名家岁项批片只件米斤毛角套节班期轮步行列种遍刻])"
)
# Words that begin with a numeral and count nothing: `十分好`, `千万别`, `万一`, `一起`.
_IDIOM = re.compile(r"十分(?![钟之])|千万(?=[别不要记])|万一|一[律定起直般样些边旦切并概再向致体共时]")
# Behind a numeral: `三成` are 30 %; `七折` is 70 % of a price, or 30 % off.
_TENTHS = re.compile(r"\s?(?P<tenth>成)|\s?折")


def numbers(flat: str) -> Iterator[PlacedNumber]:
    """The numbers of a flat text with their places, those in digits first."""
    yield from _in_digits(flat)
    yield from _in_words(flat)
    yield from _in_han(flat)


def _in_digits(flat: str) -> Iterator[PlacedNumber]:
    for match in _DIGITS.finditer(flat):
        written = match[0].removesuffix(match["scale"] or "")
        if len(written) <= _LONGEST:
            scale = _scale((match["scale"] or "").strip())
            values = {reading * factor for reading in _readings(written) for factor in {scale, 1}}
            yield PlacedNumber(*match.span(), frozenset(values))


def _readings(written: str) -> set[Fraction]:
    """The values of digits with marks, which part thousands or decimals; of a version its numbers."""
    values = set[Fraction]()
    for text in {normalize_number(written), written.replace(" ", "").replace(",", ".")}:
        whole = text.replace(" ", "").strip(".,")
        if whole.count(".") <= 1 and "," not in whole:
            values.add(Fraction(whole))
    return values or {Fraction(part) for part in re.findall(r"\d+", written)}


def _scale(name: str) -> int:
    if name in _HAN_SCALES:
        return _HAN_SCALES[name]
    return next((value for pattern, value in _SCALES.items() if re.fullmatch(pattern, name)), 1)


_WORDS_OF = [
    (
        re.compile("|".join(sorted(table, key=len, reverse=True))),
        [(re.compile(pattern), value) for pattern, value in table.items()],
        size,
    )
    for table, size in ((_ONES, 1), (_TEENS, 2), (_TENS, 2), (_HUNDREDS, 3))
]
_NTH_OF = [(re.compile(pattern), value) for pattern, value in _NTHS.items()]
_SCALE_OF = [(re.compile(pattern), value) for pattern, value in _SCALES.items()]
_OTHER_OF = [(re.compile(pattern), values) for pattern, values in _OTHERS.items()]
_PREFIX_OF = re.compile("|".join(f"{prefix}(?=[a-z]{{3}})" for prefix in sorted(_PL_PREFIXES, key=len, reverse=True)))
_GAP = re.compile(r"(?:[ -]| and )")


def _value_of(word: str) -> tuple[int, int, bool] | None:
    """The value of a word of a cardinal or an ordinal, the digits that it fills, and whether it is an ordinal."""
    for whole, table, size in _WORDS_OF:
        if whole.fullmatch(word):
            return next((value, size, False) for pattern, value in table if pattern.fullmatch(word))
    nth = next((value for pattern, value in _NTH_OF if pattern.fullmatch(word)), None)
    return (nth, 1 if nth < len("tenth") * 2 else 2, True) if nth else None


@dataclass
class _Running:
    """A number in words that is being read: `whole` is its thousands, `part` the rest."""

    start: int
    end: int
    part: int
    free: int
    words: int = 1
    ordinal: bool = False
    whole: int = 0

    @property
    def placed_number(self) -> PlacedNumber:
        value = self.whole + self.part
        idle = self.words == 1 and value <= (2 if self.ordinal else 1)
        return PlacedNumber(self.start, self.end, frozenset({Fraction(value)}), idle)


def _in_words(flat: str) -> Iterator[PlacedNumber]:
    running: _Running | None = None
    for match in _WORD.finditer(flat):
        word, (start, end) = match[0], match.span()
        goes_on = running is not None and bool(_GAP.fullmatch(flat, running.end, start))
        scale = next((value for pattern, value in _SCALE_OF if pattern.fullmatch(word)), 0)
        if scale and running and goes_on:
            _multiply_by_scale(running, scale, end)
            continue
        read = _value_of(word)
        if read and running and goes_on and read[1] < running.free:
            running.part, running.free, running.end = running.part + read[0], read[1], end
            running.ordinal, running.words = read[2], running.words + 1
            continue
        if running and not (goes_on and word == "and"):
            yield running.placed_number
            running = None
        if read:
            running = _Running(start, end, part=read[0], free=read[1], ordinal=read[2])
        elif word in {"hundred", "thousand", "tysiac", "milion", "million"}:
            running = _Running(start, end, part=scale, free=3)
        else:
            yield from _of_other(word, start, end)
    if running:
        yield running.placed_number


def _multiply_by_scale(running: _Running, scale: int, end: int) -> None:
    running.end, running.words, running.free = end, running.words + 1, 3
    if scale == _SCALES["hundreds?"]:
        running.part *= scale
    else:
        running.whole, running.part, running.free = running.whole + running.part * scale, 0, 4


def _of_other(word: str, start: int, end: int) -> Iterator[PlacedNumber]:
    for pattern, values in _OTHER_OF:
        if pattern.fullmatch(word):
            yield PlacedNumber(start, end, frozenset(map(Fraction, values)), idle=True)
            return
    if prefix := _PREFIX_OF.match(word):
        yield PlacedNumber(start, end, frozenset({Fraction(_PL_PREFIXES[prefix[0]])}), idle=True)


def _in_han(flat: str) -> Iterator[PlacedNumber]:
    for match in _HAN.finditer(flat):
        start, end = match.span()
        if match[0] == "半":
            yield PlacedNumber(start, end, frozenset({_HALF, Fraction(50), Fraction(30)}), idle=True)
            continue
        if len(match[0]) > _LONGEST:  # a line drawn of 一, or nonsense
            continue
        if _IDIOM.match(flat, start) or (start and flat[start - 1] in "统之万" and match[0] == "一"):
            continue
        values = {Fraction(value) for value in _han_values(match[0].removeprefix("第"))}
        if tenths := _TENTHS.match(flat, end):
            values |= {10 * value for value in values} | (
                set() if tenths["tenth"] else {100 - 10 * value for value in values}
            )
        counted = match[0][0] == "第" or len(match[0]) > 1 or bool(_HAN_UNIT.match(flat, end))
        yield PlacedNumber(start, end, frozenset(values), idle=not counted or values == {1})


def _han_values(numeral: str) -> set[int]:
    """The value of a Chinese numeral, also with a unit left out at its end (两万五), or digit by digit (二〇二六)."""
    if not any(mark in _HAN_SCALES for mark in numeral.replace("廿", "二十")):
        return {int("".join(str(_HAN_VALUES[mark]) for mark in numeral))} if numeral else set()
    total, section, digit, last = 0, 0, 0, 1
    for mark in numeral.replace("廿", "二十"):
        if mark not in _HAN_SCALES:
            digit = digit * 10 + _HAN_VALUES[mark]
            continue
        last = _HAN_SCALES[mark]
        if last >= _HAN_SCALES["万"]:
            total, section = total + (section + digit or 1) * last, 0
        else:
            section += (digit or 1) * last
        digit = 0
    short = digit * last // 10 if last > _HAN_SCALES["十"] and not numeral.endswith(("零", "〇")) else digit
    return {total + section + digit, total + section + short}
