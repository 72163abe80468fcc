"""Words that several phrases of time share, for texts made plain. Repetitions are bounded: reading stays linear."""

from typing import Final

from pipeline.language.calendar_names import HAN_WEEK, HAN_WEEKDAYS
from pipeline.language.numerals import small_number
from pipeline.language.time_ranges.spans import Unit

YEAR: Final = r"(?:19|20)\d\d"
_NUMERALS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
ROMAN: Final = {name: index for index, name in enumerate(_NUMERALS, start=1)}
LAST_PL: Final = r"(?:zeszl|ubiegl|minion)\w{1,3}|poprzedni\w{0,3}"
THIS_PL: Final = r"tym|ten|tego|te|ta|tej|biezac\w{1,3}"
NEXT_PL: Final = r"przyszl\w{1,3}|nastepn\w{1,3}"

# Behind these a character of a weekday belongs to another word: 上周一共, 上周三个人, 上周日本.
_OTHER_WORD: Final = (
    r"(?!一[共直样些般定个次下半边旦]|[二三四五六][十百千万个次位名项款条件]|日[本常程志期报语元用益]|天[气津空使])"
)
HAN_WEEKDAY: Final = rf"{_OTHER_WORD}[{HAN_WEEKDAYS}]"
HAN_WEEK_ALONE: Final = rf"(?<!以)个?(?:{HAN_WEEK})(?![期边围转末年易到知])(?!{HAN_WEEKDAY})"
HAN_MONTH_ALONE: Final = r"个?月(?![亮球饼])"

EN_UNITS: Final = {Unit.DAY: "days?", Unit.WEEK: "weeks?", Unit.MONTH: "months?", Unit.YEAR: "years?"}
PL_UNITS: Final = {
    Unit.DAY: r"dni|dzien|dnia",
    Unit.WEEK: r"tydzien|tygodni\w{0,3}",
    Unit.MONTH: r"miesiac\w{0,3}|miesiec\w{1,3}",
    Unit.YEAR: r"lat|lata|rok|roku",
}
HAN_UNITS: Final = {Unit.DAY: "[天日]", Unit.WEEK: f"个?{HAN_WEEK}", Unit.MONTH: "个月", Unit.YEAR: "年"}

FEW: Final = r"few|several|kilka|kilku|pare|paru|好?几"
COUPLE: Final = r"couple(?: of)?"
_INFLECTED: Final = (
    *("jednego", "dwoch", "trzech", "czterech", "pieciu"),
    *("szesciu", "siedmiu", "osmiu", "dziewieciu", "dziesieciu"),
)
_HAN_DIGITS: Final = "零一二三四五六七八九"
_TEN = 10


def number(word: str) -> int | None:
    """A whole number of a plain text, in digits, in a word up to twelve, or in Chinese characters below a hundred."""
    if word in _INFLECTED:
        return _INFLECTED.index(word) + 1
    return small_number(word) or _han_number(word)


def _han_number(word: str) -> int | None:
    tens, ten, ones = word.rpartition("十")
    if not all(len(part) <= 1 and part in _HAN_DIGITS for part in (tens, ones)) or not ten:
        return None
    return _TEN * (_HAN_DIGITS.index(tens) if tens else 1) + (_HAN_DIGITS.index(ones) if ones else 0)
