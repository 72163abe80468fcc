"""Whether two entries are about one thing: a qualifier in a name makes another thing, and a case is not the rule."""

import re
from functools import lru_cache

from jobs.resolution.change_words import before_change, denies, everywhere, quantities, replaces, without_change
from jobs.resolution.similarity import features
from pipeline.language.chinese import han_runs
from pipeline.language.folding import flat
from pipeline.language.stopwords import FREQUENT
from schemas.entry import Entry, Kind

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
"""How a unit begins: a number before it is how much, and not which."""
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
    """Whether both quote one message of one session: neighbours, of which neither replaces the other."""
    same_session = one.source.session_id == other.source.session_id
    return same_session and one.source.entry_ids[0] == other.source.entry_ids[0]


def qualified(one: str, other: str) -> bool:
    """Whether a name in one text has a qualifier that the other text leaves out: `order_items` and `orders`."""
    return _qualifies(one, other) or _qualifies(other, one)


def _qualifies(one: str, other: str) -> bool:
    ours, theirs = _compounds(one), _compounds(other)
    alone = features(_without(one, ours))
    heard = features(_without(other, theirs))
    return any((features(" ".join(parts)) - alone) & heard for parts in ours - theirs)


@lru_cache(maxsize=65536)
def _compounds(text: str) -> frozenset[tuple[str, ...]]:
    """The names of several words that `text` has, each as its words in lower case; numbers alone are none."""
    joined = flat(_HUMPS.sub("_", text))
    names = (name for name in _COMPOUND.findall(joined) if not _NUMBER.fullmatch(name))
    return frozenset(tuple(re.split(r"[_./-]", name)) for name in names)


def _without(text: str, names: frozenset[tuple[str, ...]]) -> str:
    joined = flat(_HUMPS.sub("_", text))
    return _COMPOUND.sub(lambda name: " " if tuple(re.split(r"[_./-]", name[0])) in names else name[0], joined)


def is_case(later: Entry, earlier: Entry) -> bool:
    """Whether the later entry may be but a case of the earlier one, or an exception to it.

    So it is when a choice meets what a rule forbids; or when the owner's words do not say that it changes, and it names
    an exception, is no rule as the earlier one is, or is one for less than all cases.
    """
    if earlier.kind is Kind.RULE is not later.kind and denies(earlier.quote):
        return True
    if replaces(later.quote):
        return False
    if _EXCEPTS.search(flat(f"{later.quote}\n{later.conclusion}")):
        return True
    return earlier.kind is Kind.RULE and (later.kind is not Kind.RULE or is_part(later, earlier))


def is_part(later: Entry, earlier: Entry) -> bool:
    """Whether the later entry has less than all cases of the earlier one in its words."""
    said, known = flat(f"{later.quote}\n{later.conclusion}"), flat(f"{earlier.quote}\n{earlier.conclusion}")
    return _for_all(known) and not _for_all(said)


def numbered(later: str, earlier: str) -> bool:
    """Whether a number before the words of change names another thing: class 203, and not class 201."""
    named, known = _numbered_names(before_change(later)), _numbered_names(earlier)
    return any(unit in known and not values & known[unit] for unit, values in named.items())


def has_more(later: Entry, earlier: Entry) -> bool:
    """Whether the earlier entry settles several things side by side, of which the later one leaves some alone."""
    named = features(f"{later.title}\n{later.quote}\n{later.conclusion}")
    parts = [part for part in _PARTS.split(flat(earlier.quote)) if features(part) and not _REASON.match(part)]
    alone = [not features(part) & named for part in parts]
    return any(alone) and not all(alone)


def names_another_of_series(later: str, earlier: str) -> bool:
    """Whether each text names another thing of one series: `A25` and `A26`, gate 2 and gate 3, pot B and pot C.

    Behind words of change stands the new state of something, and no name of another thing.
    """
    named, known = _of_series(later), _of_series(earlier)
    if replaces(later):
        named = _of_series(before_change(later))
    return any(series in known and not names & known[series] for series, names in named.items())


@lru_cache(maxsize=65536)
def _of_series(text: str) -> dict[str, frozenset[str]]:
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


def _for_all(folded: str) -> bool:
    return everywhere(folded) or (denies(folded) and bool(_ALWAYS.search(folded)))
