"""The words of change in a text: denials, replacements, repetition and quantities, in English, Polish and Chinese.

The patterns hold grammar and verbs of change, nothing that belongs to one subject.
"""

import re
from functools import lru_cache

from pipeline.language.chinese import han_runs
from pipeline.language.folding import flat
from pipeline.language.numerals import GROUPED, plain
from pipeline.language.stopwords import FREQUENT

_DENIES = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|nowhere|without|cannot|\w+n't"
    r"|(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)nt|nie|nigdy|nikt|nikomu|nic|bez"
    r"|zad(?:en|na|ne|nego|nych|nej))\b"
    r"|[不没勿禁]|别(?!的|人)"
)
_REPLACES = (
    re.compile(
        r"(?<!not )(?<!never )\b(?:instead|no longer|not any ?more|back to|(?:replac|revers|revert|overrul|postpon)\w+"
        r"|(?:switch|mov|migrat|chang)(?:e|es|ed|ing)? (?:[\w'-]+ ){0,3}(?:to|from|away|over|off)|extend(?:s|ed|ing)?"
        r"|go(?:es|ne)? away|leav(?:e|es|ing) (?:[\w'-]+ ){1,5}for"
        r"|chang(?:e|ed) (?:my|our) mind|scrap(?:s|ped)?|push(?:es|ed|ing)? back"
        r"|(?:rais|lower|cut)(?:e|es|s|ed|ing|ting)? (?:[\w'-]+ ){0,3}to)\b"
    ),
    re.compile(
        r"(?<!nie )\b(?:zamiast|juz nie|przechodz\w+ na|zmieni\w+|zmian[ay]|przedluz\w+|przesu(?:w|n)\w+|przenos\w+"
        r"|przenies\w+|wraca\w* do|wycofuj\w+|rezygnuj\w+|odwoluj\w+|nieaktualn\w+|podnos\w+|obniz\w+|zamieni\w+)\b"
    ),
    re.compile(
        r"(?<![不别])(?:改成|改为|改用|改到|改回(?![来去])|改掉|涨到|降到|调到|换成|换到|换回|不再|取消|作废|推迟|延期|延到|延长|提前到|替换|取代|撤回"
        r"|撤销|迁到|切到|退回到)"
    ),
)
_REPEATS = re.compile(
    r"\b(?:again|as before|as agreed|as (?:i|we) said|like (?:i|we) said|i (?:already )?told you"
    r"|still (?:holds|stands|applies)"
    r"|put \w+ back"
    r"|same as (?:before|always|ever)|nadal|wciaz|jak byl[oay]?|jak (?:mowil|pisal|ustal)\w+|bez zmian|przypomin\w+"
    r"|powtarzam|przywroc|z powrotem|tak samo|po staremu|po raz kolejny)\b"
    r"|改回[来去]|还原|恢复原|重申|再说一遍|再强调|照旧|照样|依然|仍然|仍旧|说过|老规矩|跟之前一样|和之前一样|也一样"
)
_NUMBER = re.compile(
    rf"(?<![a-z\d_.])(\d{{1,2}}:\d{{2}}|{GROUPED}|\d+(?:[.,]\d+)?)"
    r"(?!\w*\d|[.,:]\d)(?:\s?/)?\s*(%|[^\W\d_]+)?(?: ([^\W\d_]+))?"
)
_FORMER = re.compile(
    r"(?:\b(?:not|instead of|rather than|no longer|nie|zamiast)\s+|不再?是|而不是|不再)\s*"
    r"(?=[\d$€£])([$€£]?\d+(?:[.,:]\d+| \d{3}\b)*\s?(?:[^\W\d_]+|%)?(?: [^\W\d_]+)?)"
)
_EVERYWHERE = re.compile(
    r"\b(?:everybody|everyone|no exceptions?|across the board|wszysc\w+|wszystkich|kazd(?:y|emu|ego)|bez wyjatk\w+)\b"
    r"|所有|一律|每个人|谁都|没有例外"
)
_DROPS = re.compile(
    r"\b(?:drop|stop|scrap|cancel|abandon|remov|delet|retir|ditch|usuwa|usun|rezygnuj|wyrzuc|odwoluj|koniec z|dosc)\w*"
    r"|\bget(?:ting)? rid\b|取消|去掉|不要|停止|放弃|删[除掉]|作废|撤销"
)
_DECIMAL = re.compile(r"\d+[.,]\d+")
_TIMES = {"day", "days", "week", "weeks", "month", "months", "year", "years", "time", "times"}
_TIMES_POLISH = {"dzien", "tydzien", "tygodnie", "rok", "lat"}
_NO_UNIT = FREQUENT - _TIMES - _TIMES_POLISH
_DIGITS = re.compile(r"\d+")
_VALUES = re.compile(r"\d{1,2}:\d{2}|\d+")

# Every entry is compared with all there are, so each text is looked at again and again.
_keeping = lru_cache(maxsize=65536)


@_keeping
def digits(text: str) -> frozenset[str]:
    """Every number in `text`, without its unit."""
    return frozenset(_DIGITS.findall(text))


@_keeping
def numbers(text: str) -> frozenset[str]:
    """Every number in `text`, without its unit; a time of day is one."""
    return frozenset(_VALUES.findall(text))


@_keeping
def denies(text: str) -> bool:
    """Whether `text` forbids or denies something."""
    return bool(_DENIES.search(flat(text)))


@_keeping
def replaces(text: str) -> bool:
    """Whether `text` has words of replacement."""
    folded = flat(text)
    return any(pattern.search(folded) for pattern in _REPLACES)


@_keeping
def before_change(text: str) -> str:
    """What stands before the first words of replacement in `text`, folded; empty without such words."""
    folded = flat(text)
    starts = [match.start() for pattern in _REPLACES if (match := pattern.search(folded))]
    return folded[: min(starts)] if starts else ""


@_keeping
def without_change(text: str) -> str:
    """`text`, folded, without its words of replacement."""
    folded = flat(text)
    for pattern in _REPLACES:
        folded = pattern.sub(" ", folded)
    return folded


@_keeping
def repeats(text: str) -> bool:
    """Whether `text` has words of repetition, such as `as before`."""
    return bool(_REPEATS.search(flat(text)))


@_keeping
def quantities(text: str) -> dict[str, frozenset[str]]:
    """The values in `text` by the unit after them; `:` is the unit of a time of day, `.` of a decimal without one."""
    by_unit: dict[str, set[str]] = {}
    for value, first, second in _NUMBER.findall(flat(text)):
        unit = _unit(value, second if first in _NO_UNIT else first)
        if unit:
            by_unit.setdefault(unit, set()).add(plain(value))
    return {unit: frozenset(values) for unit, values in by_unit.items()}


@_keeping
def formerly(text: str) -> dict[str, frozenset[str]]:
    """The values that `text` names as former ones (`not 55 euro`), by their units."""
    return quantities("\n".join(_FORMER.findall(flat(text))))


@_keeping
def everywhere(text: str) -> bool:
    """Whether `text` leaves no exception."""
    return bool(_EVERYWHERE.search(flat(text)))


@_keeping
def drops(text: str) -> bool:
    """Whether `text` gives something up."""
    return bool(_DROPS.search(flat(text)))


def _unit(value: str, word: str) -> str:
    if ":" in value:
        return ":"
    if word and word not in _NO_UNIT:
        return word[:2] if han_runs(word[0]) else word.rstrip("s")[:4]
    return "." if _DECIMAL.fullmatch(value) else ""
