"""The relation of an entry to an earlier entry, without a model: a repetition, or a replacement.

It is careful: a wrong link hides a rule that is in force, a missed link only leaves two lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache

from jobs.resolution.same_thing import (
    Weights,
    bare_subject,
    denies,
    digits,
    drops,
    features,
    former_values,
    has_more,
    has_other_number,
    has_other_qualifier,
    is_case,
    is_part,
    names_another_of_series,
    numbers,
    quantities,
    repeats,
    replaces,
    same_message,
)
from pipeline.language.chinese import HAN, han_runs
from pipeline.language.dates import dates, parts_of_day, remove_days, weekdays
from pipeline.language.folding import flat
from schemas.entry import NOT_STATED, Entry, Kind

ONE_FORM = 0.5
"""The share of two clauses that has to be the same, in the same order, for both to be of one form."""

FRAME = 3.5
"""Words in common, in one order, from which a form is more than a turn of phrase; two Chinese characters are a word."""

_CONTRASTED_CLAUSE = re.compile(r"[.,:](?!\d)|[;!?()\n\u2014\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]")
_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)*|[{HAN}]|[^\W\d_{HAN}]+")
_STEM = 4  # shorter than in the likeness: here it must not pass for a contrast that `biuro` has become `biura`
_ANY_NUMBER = "0"

_SETTLING = """
accep agree annou chang confi decid decis fine forget fixed migra mind move note remem remin rule settl shift
switc swear
decyz posta potwi pamie przyp uzgod ustal ustas zapam zapis zasad zdani zdecy zgoda zmian zmien
决定 记住 定了 说好 主意 改主 规定 商量 规则 同意 确认 记下 说定 定下 就定 定为
"""

SETTLING = frozenset(_SETTLING.split())
"""Beginnings of words of settling, changing and reminding: they name no subject."""

Clause = tuple[str, ...]


def contrast(later: str, earlier: str, around: tuple[str, str], *, change: bool = False) -> bool:
    """Whether a clause of `later` and a clause of `earlier` have the same form and different subjects.

    `around` are all the words of either: words that are in it too do not distinguish them. With `change`, words after a
    verb of change are the new state of something, and may differ.
    """
    known = tuple(frozenset(feature[:_STEM] for feature in features(text)) for text in around)
    return any(
        _has_new_word(ours, known[1]) and _has_new_word(theirs, known[0])
        for clause in _clauses(later)
        for other in _clauses(earlier)
        for ours, theirs in _slots(clause, other, change=change)
    )


def _has_new_word(slot: frozenset[str], known: frozenset[str]) -> bool:
    return any(feature[:_STEM] not in known for feature in slot)


@lru_cache(maxsize=65536)
def _clauses(text: str) -> tuple[Clause, ...]:
    """The tokens of each clause and of the whole, without days: words, numbers and single Chinese characters."""
    candidates = (
        tuple(_TOKEN.findall(remove_days(flat(clause)))) for clause in (*_CONTRASTED_CLAUSE.split(text), text)
    )
    return tuple(dict.fromkeys(clause for clause in candidates if clause))


@lru_cache(maxsize=65536)
def _slots(clause: Clause, other: Clause, *, change: bool) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The differing words of two clauses of one form, place by place; nothing when their forms differ."""
    mine, others = _form_of(clause), _form_of(other)
    in_both = set(mine).intersection(others)
    if _count_words(token for token, form in zip(clause, mine, strict=True) if form in in_both) < FRAME:
        return ()  # as of most pairs: no order of so few makes a frame
    matcher = SequenceMatcher(None, mine, others, autojunk=False)
    runs = [_count_words(clause[block.a : block.a + block.size]) for block in matcher.get_matching_blocks()]
    # Half of both is the same and makes up a frame, or a whole frame stands in both in one piece.
    if (sum(runs) if matcher.ratio() >= ONE_FORM else max(runs)) < FRAME:
        return ()
    end = _changes_at(clause) if change else len(clause)
    return tuple(_differing_words(clause[:end], other, matcher))


def _count_words(tokens: Iterable[str]) -> float:
    return sum(0.5 if _is_han(token) else 1 for token in tokens)


def _form_of(clause: Clause) -> list[str]:
    return [_ANY_NUMBER if token[0].isdigit() else token[:_STEM] for token in clause]


def _changes_at(clause: Clause) -> int:
    """The number of tokens before the first words of change, or all of them."""
    for end in range(1, len(clause) + 1):
        if replaces(_contrasted_text(clause[:end])):  # they end here, and begin at the last place that has them whole
            starts = (start for start in range(end) if replaces(_contrasted_text(clause[start:end])))
            return max(starts, default=0)
    return len(clause)


def _differing_words(
    clause: Clause, other: Clause, matcher: SequenceMatcher[str]
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The informative words at the places where two clauses of one form differ, unless both deny there."""
    for kind, start, stop, first, last in matcher.get_opcodes():
        denied = denies(_contrasted_text(clause[start:stop])) and denies(_contrasted_text(other[first:last]))
        if kind == "replace" and not denied:
            ours = _informative_words(clause, start, min(stop, len(clause)))
            theirs = _informative_words(other, first, last)
            if not SETTLING & (ours | theirs):  # else it is only how each of them opens
                yield ours, theirs


def _informative_words(clause: Clause, start: int, stop: int) -> frozenset[str]:
    """The informative words of the tokens from `start` to `stop`; a Chinese character counts with the one beside it."""
    if start >= stop:
        return frozenset()
    first = start - (start > 0 and _is_han(clause[start]) and _is_han(clause[start - 1]))
    last = stop + (stop < len(clause) and _is_han(clause[stop - 1]) and _is_han(clause[stop]))
    return features(_contrasted_text(clause[first:last]))


def _is_han(token: str) -> bool:
    return bool(han_runs(token))


def _contrasted_text(tokens: Clause) -> str:
    """Tokens as they stand in a text: a Chinese character follows another without a space."""
    return "".join(token if _is_han(token) else f" {token} " for token in tokens).replace("  ", " ").strip()


SHARED = 3
"""Words that two texts must have in common to be about one thing; one less will do when they are short."""

RELATED = 0.16
"""The cosine from which three common words are evidence of a common matter."""

LOOSELY = 0.12
"""The cosine from which more than three words in common do."""

SAME_MATTER = 0.25
"""The cosine from which a changed value or an agreement counts."""

SAME_WORDS = 0.6
"""The cosine from which two texts are nearly the same."""

_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,](?!\d)|[;()\n\u2014\u3001\u3002\uff08\uff09\uff0c\uff1b]")


class Relation(Enum):
    """The relation of a later entry to an earlier entry, which it may replace in part alone."""

    REPLACES = "replaces"
    REPLACES_PART = "replaces_part"
    REPEATS = "repeats"


def wording(entry: Entry) -> str:
    """The title, the quote and the conclusion of an entry."""
    return _text(entry.title, entry.quote, entry.conclusion)


def wording_with_impact(entry: Entry) -> str:
    """The wording with the impact, where that is the assistant's confirmation."""
    return _text(wording(entry), entry.impact) if entry.impact != NOT_STATED and _confirms(entry) else wording(entry)


def statement(entry: Entry) -> str:
    """The wording with the impact and the finding, which names the subject."""
    named = entry.finding != NOT_STATED and _confirms(entry)
    return _text(wording_with_impact(entry), entry.finding) if named else wording_with_impact(entry)


def _confirms(entry: Entry) -> bool:
    """Whether the assistant's words may name the subject of the owner's words.

    A thing to remember is only what the owner said. Other words may rest on the talk around them, but not on an answer
    that says the same of another thing.
    """
    return entry.kind is not Kind.REMEMBER and not _is_of_another_thing(entry.impact, entry.quote, wording(entry))


@lru_cache(maxsize=65536)
def _is_of_another_thing(impact: str, quote: str, worded: str) -> bool:
    return contrast(impact, quote, (impact, worded))


def verbatim(entry: Entry) -> str:
    """The owner's words, to find exact repetitions; empty when they are too few to identify a matter."""
    return verbatim_of(entry.quote)


@lru_cache(maxsize=65536)
def verbatim_of(quote: str) -> str:
    """The words of a quote; empty when they are too few to identify a matter."""
    words = flat(quote)
    telling = features(words)
    if not telling or len(telling) + len(_days_in(words)) < SHARED - 1:
        return ""
    return " ".join(_WORD.findall(words))


def has_same_value(one: Entry, other: Entry) -> bool:
    """Whether two entries name the same value or the same date."""
    return bool(values_of(one) & values_of(other))


@lru_cache(maxsize=65536)
def _text(*parts: str) -> str:
    """The parts, each on a line; the very same text each time, for it keeps the hash by which all else is found."""
    return "\n".join(parts)


@dataclass(frozen=True)
class Bond:
    """The similarity of two entries: `cosine` is 0 to 1, `words` a count of common words.

    Values have a unit or are dates.
    """

    cosine: float
    words: int
    values: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()

    @property
    def shared_count(self) -> int:
        """The number of words in common; the same value or day counts as a word."""
        return self.words + bool(self.values or self.days)


def relation(later: Entry, earlier: Entry, weights: Weights) -> Relation | None:
    """The relation of `later` to `earlier`; `None` without sufficient evidence."""
    if (later.kind is Kind.REMEMBER) != (earlier.kind is Kind.REMEMBER):
        return None  # a fact to remember does not replace what was decided, nor the other way round
    if names_another_of_series(later.quote, earlier.quote):
        return None
    bond = _bond_of(later, earlier, weights)
    if _is_replacement(later, earlier, bond):
        return Relation.REPLACES_PART if has_more(later, earlier) else Relation.REPLACES
    if later.source.session_id == earlier.source.session_id:
        return None
    if "" != verbatim(later) == verbatim(earlier):
        return Relation.REPEATS
    again = _is_repetition(later, earlier, bond) and (repeats(later.quote) or not is_part(later, earlier))
    return Relation.REPEATS if again and not _has_contrast(later, earlier) else None


def _bond_of(later: Entry, earlier: Entry, weights: Weights) -> Bond:
    """The bond of two entries; within one session only the owner's words count, for the rest is shared by all."""
    if later.source.session_id == earlier.source.session_id:
        likeness = weights.likeness(wording(later), wording(earlier))
        return Bond(likeness.cosine, likeness.shared)
    if weights.likeness(statement(later), wording_with_impact(earlier)).shared < SHARED - 1:
        return Bond(0.0, 0)  # the common words are in the surroundings of the earlier words, not in the decision
    ours, theirs = (dict.fromkeys((wording(entry), statement(entry))) for entry in (later, earlier))  # mostly one text
    likenesses = [weights.likeness(one, other) for one in ours for other in theirs]
    cosine, words = max(likeness.cosine for likeness in likenesses), likenesses[-1].shared
    if cosine < LOOSELY:
        return Bond(cosine, words)  # they are not related, whatever values they name
    days = _days_in(flat(statement(later))) & _days_in(flat(statement(earlier)))
    return Bond(cosine, words, values_of(later) & values_of(earlier), days)


def values_of(entry: Entry) -> frozenset[str]:
    """Dates, and numbers with their units, such as `14 days`."""
    return _values_in(statement(entry), entry.date.date())


@lru_cache(maxsize=65536)
def _values_in(text: str, day: date) -> frozenset[str]:
    gone = former_values(text)
    amounts = {
        f"{value} {unit}" for unit, values in quantities(text).items() for value in values - gone.get(unit, frozenset())
    }
    return frozenset(amounts | dates(flat(text), day))


@lru_cache(maxsize=65536)
def _days_in(folded: str) -> frozenset[str]:
    return weekdays(folded) | parts_of_day(folded)


def _is_related(bond: Bond) -> bool:
    """Whether two texts are about the same thing: the fewer words in common, the greater their share has to be."""
    if bond.shared_count < SHARED:
        return bond.shared_count == SHARED - 1 and bond.cosine >= SAME_MATTER
    return bond.cosine >= (RELATED if bond.shared_count == SHARED else LOOSELY)


def _has_contrast(later: Entry, earlier: Entry, *, change: bool = False) -> bool:
    """Whether the owner's words, or their restatements, have the same form and different subjects."""
    around = (statement(later), statement(earlier)) if change else (wording(later), wording(earlier))
    return any(contrast(one, other, around, change=change) for one, other in _pair_words(later, earlier))


def _is_replacement(later: Entry, earlier: Entry, bond: Bond) -> bool:
    """Whether a change is announced, a value changes, or a permission becomes a ban or the reverse."""
    slot = _has_same_slot(later, earlier)
    if not (slot or _is_related(bond)) or _is_another_matter(later, earlier) or _names_another_value(later, earlier):
        return False
    if slot:
        return True
    announced = bond.shared_count >= SHARED and bond.words >= SHARED - 1 and _announces(later, earlier)
    changes = announced or (
        bond.cosine >= SAME_MATTER
        and (_changes_value(later, earlier) or (bond.cosine >= SAME_WORDS and _reverses(later, earlier)))
    )
    return changes and not _has_contrast(later, earlier, change=True)  # which takes the longest, so it comes last


def can_replace(later: Entry, earlier: Entry) -> bool:
    """Whether there is a sign of a replacement, however alike the two are; without one it is none."""
    signs = (_has_same_slot, _announces, _changes_value, _reverses)
    return any(sign(later, earlier) for sign in signs)


def _is_another_matter(later: Entry, earlier: Entry) -> bool:
    """Whether both are of one message, the later may be a case of the earlier, or a name has a qualifier or number."""
    if same_message(later, earlier) or is_case(later, earlier):
        return True
    pairs = _pair_words(later, earlier)
    return any(has_other_qualifier(one, other) or has_other_number(one, other) for one, other in pairs)


def _pair_words(later: Entry, earlier: Entry) -> set[tuple[str, str]]:
    """The owner's words of both, and their restatements, which mostly are the same words."""
    return {(later.quote, earlier.quote), (later.conclusion, earlier.conclusion)}


def _has_same_slot(later: Entry, earlier: Entry) -> bool:
    """Whether the owner's words are the same except for words of change and for the value of one unit."""
    if not bare_subject(later.quote) or bare_subject(later.quote) != bare_subject(earlier.quote):
        return False
    gone, now, before = former_values(later.quote), quantities(later.quote), quantities(earlier.quote)
    now = {unit: values - gone.get(unit, frozenset()) for unit, values in now.items()}
    return now.keys() == before.keys() and sum(now[unit] != before[unit] for unit in now) == 1


def _names_another_value(later: Entry, earlier: Entry) -> bool:
    """Whether the owner names a former value (`not 55 euro any more`) that the earlier entry does not have."""
    known, before = quantities(wording_with_impact(earlier)), former_values(earlier.quote)
    return any(
        unit in known and not gone & (known[unit] - before.get(unit, frozenset()))
        for unit, gone in former_values(later.quote).items()
    )


def _announces(later: Entry, earlier: Entry) -> bool:
    """Whether the owner's words announce a replacement, or the conclusion does so about the common words."""
    if replaces(later.quote):
        return True
    known = features(statement(earlier))
    impact = () if later.impact == NOT_STATED else (later.impact,)
    return any(
        len(named & known) > 1 for named in _read_replacing_clauses(_text(later.title, later.conclusion, *impact))
    )


@lru_cache(maxsize=65536)
def _read_replacing_clauses(text: str) -> tuple[frozenset[str], ...]:
    """The features of each clause with words of replacement."""
    return tuple(features(clause) for clause in _CLAUSE.split(text) if replaces(clause))


def _changes_value(later: Entry, earlier: Entry) -> bool:
    """Whether the owner names another value for the same thing."""
    return any(
        not now & before and _is_one_thing(clause, other, later, earlier)
        for unit, clause, now in _values_by_clause(later)
        if any(digits(value) <= digits(later.quote) for value in now)
        for known, other, before in _values_by_clause(earlier)
        if known == unit
    )


def _values_by_clause(entry: Entry) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """The units of an entry, each with a clause and its values in it."""
    return _values_in_clauses(wording_with_impact(entry))


@lru_cache(maxsize=65536)
def _values_in_clauses(text: str) -> tuple[tuple[str, str, frozenset[str]], ...]:
    clauses = _CLAUSE.split(text)
    return tuple((unit, clause, values) for clause in clauses for unit, values in quantities(clause).items())


def _is_one_thing(clause: str, other: str, later: Entry, earlier: Entry) -> bool:
    """Whether two clauses with values are about one thing: no contrast (`big room`, `small room`), one new number.

    Within one session the surroundings of the later words may be the earlier ones, so only the owner's words count.
    """
    words = wording if later.source.session_id == earlier.source.session_id else statement
    if features(clause) - features(words(earlier)) and features(other) - features(words(later)):
        return False
    now, before = numbers(clause), numbers(other)
    return min(len(now - before), len(before - now)) <= 1


def _reverses(later: Entry, earlier: Entry) -> bool:
    """Whether the words are the same, once with and once without a denial."""
    if repeats(later.quote) or denies(wording(later)) == denies(wording(earlier)):
        return False
    known = features(statement(earlier))
    return any(len(features(clause)) > 1 and features(clause) <= known for clause in _CLAUSE.split(later.quote))


def _is_repetition(later: Entry, earlier: Entry, bond: Bond) -> bool:
    """Whether something besides the subject is the same."""
    if not _is_related(bond):
        return False
    one, other = wording(later), wording(earlier)
    ours, theirs = numbers(later.quote), numbers(earlier.quote)
    if drops(one) != drops(other) or _names_another_value(later, earlier) or (ours - theirs and theirs - ours):
        return False
    forbid = Kind.REMEMBER is not later.kind and denies(later.quote) and denies(earlier.quote)
    if bond.words == SHARED - 1 and forbid and (bond.values or bond.days):
        return bond.cosine >= (RELATED if bond.values else SAME_MATTER)
    if repeats(later.quote):
        return True
    if bond.cosine >= SAME_WORDS and digits(one) == digits(other) and denies(one) == denies(other):
        ours, theirs = features(later.quote) - SETTLING, features(earlier.quote) - SETTLING
        return ours <= features(wording(earlier)) or theirs <= features(wording(later))
    return bond.words >= SHARED and (bool(bond.values) or (forbid and bond.cosine >= SAME_MATTER))
