"""Signs that two entries are about the same thing: features, values, words of change, qualified names, cases."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log, sqrt

from pipeline.language.chinese import han_runs, letter_runs, pairs
from pipeline.language.dates import remove_days
from pipeline.language.folding import flat
from pipeline.language.numerals import GROUPED, normalize_number
from pipeline.language.stems import BEGINNING
from pipeline.language.stopwords import FREQUENT, FUNCTION
from schemas.entry import Entry, Kind

_DENIES = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|nowhere|without|cannot|\w+n't"
    r"|(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)nt|nie|nigdy|nikt|nikomu|nic|bez"
    r"|zad(?:en|na|ne|nego|nych|nej))\b"
    r"|[不没勿禁]|别(?!的|人)"
)
_REPLACES = re.compile(
    r"(?<!not )(?<!never )\b(?:instead|no longer|not any ?more|back to|(?:replac|revers|revert|overrul|postpon)\w+"
    r"|(?:switch|mov|migrat|chang)(?:e|es|ed|ing)? (?:[\w'-]+ ){0,3}(?:to|from|away|over|off)|extend(?:s|ed|ing)?"
    r"|go(?:es|ne)? away|leav(?:e|es|ing) (?:[\w'-]+ ){1,5}for"
    r"|chang(?:e|ed) (?:my|our) mind|scrap(?:s|ped)?|push(?:es|ed|ing)? back"
    r"|(?:rais|lower|cut)(?:e|es|s|ed|ing|ting)? (?:[\w'-]+ ){0,3}to)\b"
    r"|(?<!nie )\b(?:zamiast|juz nie|przechodz\w+ na|zmieni\w+|zmian[ay]|przedluz\w+|przesu(?:w|n)\w+|przenos\w+"
    r"|przenies\w+|wraca\w* do|wycofuj\w+|rezygnuj\w+|odwoluj\w+|nieaktualn\w+|podnos\w+|obniz\w+|zamieni\w+)\b"
    r"|(?<![不别])(?:改成|改为|改用|改到|改回(?![来去])|改掉|涨到|降到|调到|换成|换到|换回|不再|取消|作废|推迟|延期|延到|延长|提前到|替换|取代|撤回"
    r"|撤销|迁到|切到|退回到)"
)
_REPEATS = re.compile(
    r"\b(?:again|as before|as agreed|as (?:i|we) said|like (?:i|we) said|i (?:already )?told you"
    r"|still (?:holds|stands|applies)"
    r"|put \w+ back"
    r"|same as (?:before|always|ever)|nadal|wciaz|jak byl[oay]?|jak (?:mowil|pisal|ustal)\w+|bez zmian|przypomin\w+"
    r"|powtarzam|przywroc|z powrotem|tak samo|po staremu|po raz kolejny)\b"
    r"|改回[来去]|还原|恢复原|重申|再说一遍|再强调|照旧|照样|依然|仍然|仍旧|说过|老规矩|跟之前一样|和之前一样|也一样"
)
_CHANGED_NUMBER = re.compile(
    rf"(?<![a-z\d_.])(\d{{1,2}}:\d{{2}}|{GROUPED}|\d+(?:[.,]\d+)?)"
    r"(?!\w*\d|[.,:]\d)(?:\s?/)?\s*(%|[^\W\d_]+)?(?: ([^\W\d_]+))?"
)
_FORMER = re.compile(
    r"(?:\b(?:not|instead of|rather than|no longer|nie|zamiast)\s+|不再?是|而不是|不再)\s*"
    r"(?=[\d$€£])([$€£]?\d+(?:[.,:]\d+| \d{3}\b)*\s?(?:[^\W\d_]+|%)?(?: [^\W\d_]+)?)"
)
_EVERYWHERE = re.compile(  # words that leave no exception
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
_cached = lru_cache(maxsize=65536)


@_cached
def digits(text: str) -> frozenset[str]:
    """Every number in `text`, without its unit."""
    return frozenset(_DIGITS.findall(text))


@_cached
def numbers(text: str) -> frozenset[str]:
    """Every number in `text`, without its unit; a time of day is a number."""
    return frozenset(_VALUES.findall(text))


@_cached
def denies(text: str) -> bool:
    """Whether `text` forbids or denies something."""
    return bool(_DENIES.search(flat(text)))


@_cached
def replaces(text: str) -> bool:
    """Whether `text` has words of replacement."""
    return bool(_REPLACES.search(flat(text)))


@_cached
def before_change(text: str) -> str:
    """The text before the first words of replacement, folded; empty without such words."""
    folded = flat(text)
    first = _REPLACES.search(folded)
    return folded[: first.start()] if first else ""


@_cached
def without_change(text: str) -> str:
    """`text`, folded, without its words of replacement."""
    return _REPLACES.sub(" ", flat(text))


@_cached
def repeats(text: str) -> bool:
    """Whether `text` has words of repetition, such as `as before`."""
    return bool(_REPEATS.search(flat(text)))


@_cached
def quantities(text: str) -> dict[str, frozenset[str]]:
    """The values in `text` by the unit after them; `:` is the unit of a time of day, `.` of a bare decimal."""
    by_unit: dict[str, set[str]] = {}
    for value, first, second in _CHANGED_NUMBER.findall(flat(text)):
        unit = _unit_of(value, second if first in _NO_UNIT else first)
        if unit:
            by_unit.setdefault(unit, set()).add(normalize_number(value))
    return {unit: frozenset(values) for unit, values in by_unit.items()}


@_cached
def former_values(text: str) -> dict[str, frozenset[str]]:
    """The values that `text` names as former ones (`not 55 euro`), by their units."""
    return quantities("\n".join(_FORMER.findall(flat(text))))


@_cached
def drops(text: str) -> bool:
    """Whether `text` gives something up."""
    return bool(_DROPS.search(flat(text)))


def _unit_of(value: str, word: str) -> str:
    if ":" in value:
        return ":"
    if word and word not in _NO_UNIT:
        return word[:2] if han_runs(word[0]) else word.rstrip("s")[:4]
    return "." if _DECIMAL.fullmatch(value) else ""


BACKGROUND = 50
"""Imagined texts beside the real ones, so that a common word of the first few entries does not look frequent."""

_MARKS = re.compile(r"「」|『』|“”|„”|«»|\"\"")  # an empty pair of quotation marks is named for its own sake

_PRICE = re.compile(r"(?<![\w.,:])\d+[.,]\d{2}(?![\w.,:]*\d)")  # two decimals identify a thing as well as a name


@lru_cache(maxsize=65536)
def features(text: str) -> frozenset[str]:
    """The features of `text`: stems of words, and pairs of Chinese characters."""
    folded = remove_days(flat(text))
    stems = {_stem(word) for word in letter_runs(folded) if len(word) > 1 and word not in FREQUENT}
    telling = {pair for pair in pairs(folded) if not FUNCTION.intersection(pair)}
    prices = {price.replace(",", ".") for price in _PRICE.findall(folded)}
    return frozenset(stems | telling - FREQUENT | prices | set(_MARKS.findall(folded)))


def _stem(word: str) -> str:
    plural = len(word) >= BEGINNING and word.endswith("s") and not word.endswith("ss")
    return word[: len(word) - plural][:BEGINNING]


@lru_cache(maxsize=65536)
def _han(feature: str) -> frozenset[str]:
    """The Chinese characters of a feature."""
    return frozenset("".join(han_runs(feature)))


@dataclass(frozen=True)
class Likeness:
    """The similarity of two texts: `cosine` is 0 to 1; `shared` counts common words, two Chinese characters as one."""

    cosine: float
    shared: int


class FeatureCounts:
    """The number of texts that hold each feature. Texts that were counted before are not counted again."""

    def __init__(self) -> None:
        self._counted: tuple[frozenset[str], dict[str, int]] = frozenset(), {}

    def of(self, texts: frozenset[str]) -> Mapping[str, int]:
        """The counts of these texts; quick when nearly all of them were counted last."""
        known, counts = self._counted
        if texts is not known:
            new, gone = texts - known, known - texts
            if len(new) + len(gone) > len(texts):
                new, gone, counts = texts, frozenset(), {}
            counts = counts.copy()
            for changed, step in ((new, 1), (gone, -1)):
                for feature in (feature for text in changed for feature in features(text)):
                    counts[feature] = counts.get(feature, 0) + step
            self._counted = texts, counts
        return counts


_KEPT = 16_384
"""The likenesses that are kept: a pair is looked at to rank it, and again to judge it."""


class Weights:
    """The weight of each feature: its inverse frequency in the given texts."""

    def __init__(self, texts: Iterable[str], counts: FeatureCounts | None = None, *, more: Iterable[str] = ()) -> None:
        """`texts`, and `more`, are all texts that are compared, in any order; repeated texts count once.

        `counts` are those of a caller whose next `texts` are nearly the same.
        """
        whole = frozenset(texts)
        added = frozenset(more) - whole
        self._count = BACKGROUND + len(whole) + len(added)
        self._holders = (counts or FeatureCounts()).of(whole)
        self._more = Counter(feature for text in added for feature in features(text))
        self._weights: dict[str, float] = {}
        self._totals: dict[str, float] = {}
        self._alike: dict[tuple[str, str], Likeness] = {}

    def weight_of(self, feature: str) -> float:
        """The weight of a feature; rare features weigh most."""
        if feature not in self._weights:
            holders = self._holders.get(feature, 0) + self._more[feature]
            self._weights[feature] = log(self._count / max(1, holders))
        return self._weights[feature]

    def likeness(self, one: str, other: str) -> Likeness:
        """The likeness of two texts, in either order."""
        known = self._alike.get((one, other))
        if known is None:
            if len(self._alike) >= _KEPT:  # of all pairs of a long history there are millions
                self._alike.clear()
            ours, theirs = features(one), features(other)
            common = ours & theirs
            norm = sqrt(self._total_of_text(one) * self._total_of_text(other)) if common else 0.0
            signs = [_han(feature) for feature in common]
            words = sum(1 for characters in signs if not characters)
            han = len(frozenset[str]().union(*signs))
            known = self._alike[one, other] = Likeness(
                self._total(common) / norm if norm else 0.0, words + (han + 1) // 2
            )
        return known

    def _total_of_text(self, text: str) -> float:
        if text not in self._totals:
            self._totals[text] = self._total(features(text))
        return self._totals[text]

    def _total(self, features: frozenset[str]) -> float:
        return fsum(
            map(self.weight_of, features)
        )  # whose result does not depend on the order, which a set does not have


_COMPOUND = re.compile(r"[a-z0-9]+(?:[_./-][a-z0-9]+)+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER = re.compile(r"[\d_./-]+")
_CODE = re.compile(r"(?<![a-z\d_])([a-z]+)[-_.]?(\d[a-z\d]*)")
_LETTER = re.compile(r"([^\W\d_]{3,}) ([A-HJ-Z])(?![\w'’.])")  # noqa: RUF001 - an apostrophe as it is typeset
_NUMBERED = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}) (\d{1,4}) ([^\W\d_]{2,})")
_HAN_NUMBER = re.compile(
    r"(?:^|[,，。:：;；、])()(\d+|[一二三四五六七八九十]+)"  # noqa: RUF001 - full-width marks
    r"(?=[^天点个月年元块分秒小时周%\W\d][\u4e00-\u9fff])"
)
_MEASURE = re.compile(
    r"(?:percent|proc|eur|zlot|doll?ar|pound|funt|cent|min|hour|godz|sec|sek|day|week|tyg|month|mies|year|gram|met"
    r"|deg|stop|times)[a-z]*$|(?:zl|pln|usd|gbp|h|s|dni|dzien|rok|lat|kg|km|cm|mm|ml|[kmgt]b|am|pm|raz|razy|x)$"
)
"""The beginning of a unit: a number before it is an amount, and names no thing."""
_PARTS = re.compile(
    r"[;\n。；]|[.!?](?!\d)|\b(?:and|but|plus|also|oraz|a takze|a|i|ale)\b|并且|而且|同时|以及|另外|还有|但"  # noqa: RUF001
)
_REASON = re.compile(r"\W*(?:because|since|as|so|otherwise|bo|poniewaz|gdyz|wiec|inaczej|因为|所以|不然|否则|由于)")
_EXCEPTS = re.compile(
    r"\b(?:except|unless|but not for|only for|just for|other than|apart from|this once|exception|"
    r"tylko (?:dla|w przypadku|przy)|oprocz|poza|wyjatkowo|wyjatek|chyba ze|z wyjatkiem)\b"
    r"|除了|除非|除外|例外|只(?:对|给|有)|仅(?:限|对)|这一次"
)
_ALWAYS = re.compile(
    r"\b(?:always|never|every|any|all|nobody|nothing|no one|zawsze|nigdy|kazd\w+|wszystk\w+|zaden|zadn\w+|nikt|nic)\b"
    r"|一律|永远|从不|绝不|所有|任何|每次|都不"
)


def same_message(one: Entry, other: Entry) -> bool:
    """Whether both quote one message of one session: then neither replaces the other."""
    same_session = one.source.session_id == other.source.session_id
    return same_session and one.source.entry_ids[0] == other.source.entry_ids[0]


def has_other_qualifier(one: str, other: str) -> bool:
    """Whether a name in one text has a qualifier that the other text leaves out: `order_items` and `orders`."""
    return _qualifies(one, other) or _qualifies(other, one)


def _qualifies(one: str, other: str) -> bool:
    ours, theirs = _compounds(one), _compounds(other)
    if ours <= theirs:  # most texts have no such name
        return False
    alone = features(_without_names(one, ours))
    heard = features(_without_names(other, theirs))
    return any((features(" ".join(parts)) - alone) & heard for parts in ours - theirs)


@lru_cache(maxsize=65536)
def _compounds(text: str) -> frozenset[tuple[str, ...]]:
    """The names of several words in `text`, each as its words in lower case; numbers alone are no name."""
    joined = flat(_HUMPS.sub("_", text))
    names = (name for name in _COMPOUND.findall(joined) if not _NUMBER.fullmatch(name))
    return frozenset(tuple(re.split(r"[_./-]", name)) for name in names)


def _without_names(text: str, names: frozenset[tuple[str, ...]]) -> str:
    joined = flat(_HUMPS.sub("_", text))
    return _COMPOUND.sub(lambda name: " " if tuple(re.split(r"[_./-]", name[0])) in names else name[0], joined)


def is_case(later: Entry, earlier: Entry) -> bool:
    """Whether the later entry may be only a case of the earlier entry, or an exception to it.

    So it is when a choice meets what a rule forbids; or when the owner's words do not say that it changes, and it names
    an exception, is no rule as the earlier one is, or is one for less than all cases.
    """
    if earlier.kind is Kind.RULE is not later.kind and denies(earlier.quote):
        return True
    if replaces(later.quote):
        return False
    if _names_exception(later.quote, later.conclusion):
        return True
    return earlier.kind is Kind.RULE and (later.kind is not Kind.RULE or is_part(later, earlier))


def is_part(later: Entry, earlier: Entry) -> bool:
    """Whether the later entry covers less than all cases of the earlier entry."""
    return _is_for_all(earlier.quote, earlier.conclusion) and not _is_for_all(later.quote, later.conclusion)


def has_other_number(later: str, earlier: str) -> bool:
    """Whether a number before the words of change names another thing: class 203, and not class 201."""
    named, known = _numbered_names(before_change(later)), _numbered_names(earlier)
    return any(unit in known and not values & known[unit] for unit, values in named.items())


def has_more(later: Entry, earlier: Entry) -> bool:
    """Whether the earlier entry settles several things, and the later entry only some of them."""
    named = features(f"{later.title}\n{later.quote}\n{later.conclusion}")
    parts = [part for part in _PARTS.split(flat(earlier.quote)) if features(part) and not _REASON.match(part)]
    alone = [not features(part) & named for part in parts]
    return any(alone) and not all(alone)


def names_another_of_series(later: str, earlier: str) -> bool:
    """Whether the texts name different things of one series: `A25` and `A26`, gate 2 and gate 3, pot B and pot C.

    Words after words of change are a new state, and name no other thing.
    """
    named, known = _series_names(later), _series_names(earlier)
    if replaces(later):
        named = _series_names(before_change(later))
    return any(series in known and not names & known[series] for series, names in named.items())


@lru_cache(maxsize=65536)
def _series_names(text: str) -> dict[str, frozenset[str]]:
    """The codes, the numbers and the letters by which a text names things, by the letters or the word before them."""
    folded = flat(text)
    series_names = [*_CODE.findall(folded), *_LETTER.findall(text), *_HAN_NUMBER.findall(folded)]
    series_names += [(word, number) for word, number, unit in _NUMBERED.findall(folded) if not _MEASURE.match(unit)]
    series: dict[str, frozenset[str]] = {}
    for kind, name in ((kind, name) for kind, name in series_names if kind not in FREQUENT):
        series[kind] = series.get(kind, frozenset()) | {name}
    return series


def _numbered_names(text: str) -> dict[str, frozenset[str]]:
    """The numbers in a text by the word after them, of which the first character counts in Chinese."""
    named: dict[str, frozenset[str]] = {}
    for unit, values in quantities(text).items():
        name = unit[:1] if han_runs(unit[:1]) else unit
        named[name] = named.get(name, frozenset()) | values
    return named


@lru_cache(maxsize=65536)
def bare_subject(quote: str) -> str:
    """The words of a quote that gives a thing a value, without the value and without words of change; else empty."""
    words = features(without_change(quote))
    return " ".join(sorted(words)) if words and quantities(quote) else ""


@_cached
def _names_exception(quote: str, conclusion: str) -> bool:
    return bool(_EXCEPTS.search(flat(f"{quote}\n{conclusion}")))


@_cached
def _is_for_all(quote: str, conclusion: str) -> bool:
    folded = flat(f"{quote}\n{conclusion}")
    return bool(_EVERYWHERE.search(folded) or (denies(folded) and _ALWAYS.search(folded)))
