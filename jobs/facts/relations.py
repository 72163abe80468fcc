"""The relations of a fact to others: the same again, the contrary, or a replacement. Judged when it is retained.

The judgement of a pair rests on the pair alone, so that it is the same in whatever order they were written down.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, time
from functools import lru_cache, partial

from jobs.facts.reading import SaidThing, find_sayings
from jobs.resolution.judging import Ranked, model_judge
from jobs.resolution.nearness import EntryIndex, is_likely, rank_near
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.same_thing import Weights
from jobs.resolution.same_thing import replaces as announces
from pipeline.facts.names import EntityNames, same_name
from pipeline.job import OFFLINE, Run
from pipeline.language.chinese import han_runs
from pipeline.language.folding import flat, folded_words
from pipeline.language.lexicon import cues
from schemas.entry import Entry, Kind, Source
from schemas.fact import Fact, FactKind, FactWord

MOST = 12
"""The most ids behind one relation: more change no confidence."""
_SUPPORTS, _CONTRADICTS, _REPLACES = "supports", "contradicts", "replaces"
ENDS = frozenset({_CONTRADICTS, _REPLACES})
"""The relations after which the earlier fact is not to be acted on any more."""
_LATE = {_SUPPORTS: "supported_by", _CONTRADICTS: "contradicted_by", _REPLACES: "replaced_by"}
_LINKS = {Relation.REPLACES: _REPLACES, Relation.REPEATS: _SUPPORTS, Relation.REPLACES_PART: ""}
_CORRECTED = frozenset({"birthday", "favourite"})
"""Attributes of which another value is a change also when nothing else says so."""
_CHANGE = re.compile(
    r"\b(?:now|no longer|any ?more|these days|nowadays|teraz|obecnie|juz|od niedawna|przeprowadz\w+)\b"
    "|现在|目前|搬|不再|如今"
)
_NOT = re.compile(r"(?:\b(?:not|nie)\b(?! (?:far|only|just|yet|daleko|tylko)\b)|不是) ?(?P<value>[^,.;，。；]+)")  # noqa: RUF001 - as written in Chinese
_EMPTY = frozenset(
    cues("a; an; the; in; at; on; of; for; now; still; currently; as; w; we; na; po; od; do; teraz; obecnie; juz")
)
_WORD = re.compile(r"\w+")
_ROOT = 3  # letters that two forms of a word have in common at least

FactJudge = Callable[[Fact, Fact], str]
"""The relation of a later fact to an earlier one, by the name of its field; empty without one."""


class FactTimeline:
    """Facts with their relations to those that stand, in the order of their days."""

    def __init__(self, known: Iterable[Fact], judge: FactJudge, index: EntryIndex[int]) -> None:
        """`index` holds the `known` facts as `entries_by_place` gives them."""
        self._judge, self._index = judge, index
        self._facts = list[Fact]()
        self._by_attribute = defaultdict[str, list[int]](list)
        for fact in known:
            self._add(fact)

    def _add(self, fact: Fact) -> int:
        place = len(self._facts)
        self._facts.append(fact)
        if _can_meet(fact) and (attribute := attribute_of(fact.quote)):
            self._by_attribute[attribute].append(place)
        return place

    def relate_fact(self, fact: Fact) -> Fact:
        """A fact, about to be written, with its relations to the known facts; it is known from now on."""
        relations = dict[str, list[str]]()
        near = {*self._index.near(_as_entry(fact)), *self._by_attribute.get(attribute_of(fact.quote), ())}
        for other in sort_by_day(map(self._facts.__getitem__, sorted(near))):
            late = other.day > fact.day
            name = self._judge(other, fact) if late else self._judge(fact, other)
            if name and not (name == _SUPPORTS and other.day == fact.day):
                relations.setdefault(_LATE[name] if late else name, []).append(other.id)
        result = fact.model_copy(update={name: tuple(ids[:MOST]) for name, ids in relations.items()})
        place = self._add(result)
        if _can_meet(result):
            self._index.put(place, _as_entry(result))
        return result


def entries_by_place(facts: Iterable[Fact]) -> dict[int, Entry]:
    """The facts that can meet others, as entries, by their places."""
    return {place: _as_entry(fact) for place, fact in enumerate(facts) if _can_meet(fact)}


def judge_of(run: Run, names: EntityNames, known: Sequence[Fact], new: Sequence[Fact]) -> FactJudge:
    """The judge of a run: of code, and where it asks a model its verdicts about the pairs that are near."""
    if run.models.background == OFFLINE:
        return partial(_judge_by_code, names)
    # The new facts, each with those before it to ask about, the most alike first.
    facts = {fact.id: fact for fact in (*known, *new)}
    index = EntryIndex({fact.id: _as_entry(fact) for fact in known})
    weights, ranked = index.weights(statement(_as_entry(fact)) for fact in new), list[Ranked]()
    for fact in new:
        entry = _as_entry(fact)
        others = [index.entries[name] for name in index.near(entry) if _may_meet(names, fact, facts[name])]
        likely = [other for other in rank_near(entry, others, weights) if is_likely(entry, other, weights)]
        ranked.append((entry, likely))
        index.put(fact.id, entry)
    linked = model_judge(run, ranked, weights)

    def judge_pair(later: Fact, earlier: Fact) -> str:
        if not _may_meet(names, later, earlier):
            return ""
        link = linked.link_of(_as_entry(later), _as_entry(earlier))
        return slot_relation(names, later.quote, earlier.quote) or (_LINKS[link.kind] if link else "")

    return judge_pair


def _judge_by_code(names: EntityNames, later: Fact, earlier: Fact) -> str:
    if not _may_meet(names, later, earlier):
        return ""
    slots = slot_relation(names, later.quote, earlier.quote)
    if slots or (_slot_of(later.quote) and _slot_of(earlier.quote)):
        return slots
    one, other = _as_entry(later), _as_entry(earlier)
    kind = relation(one, other, Weights((statement(one), statement(other))))
    return _LINKS[kind] if kind else ""


def _can_meet(fact: Fact) -> bool:
    """Whether a fact may have a relation to another one: it rests on a person's word, and is no deed."""
    return fact.word.is_trusted and fact.kind is not FactKind.EXPERIENCE


def _may_meet(names: EntityNames, later: Fact, earlier: Fact) -> bool:
    """Whether both are of one kind, on a person's word, and about one entity, or about none."""
    if later.kind is not earlier.kind or not (_can_meet(later) and _can_meet(earlier)):
        return False
    ours, theirs = (frozenset(map(same_name, names.of(fact.entities))) for fact in (later, earlier))
    return bool(ours & theirs) or not (ours or theirs)


def slot_relation(names: EntityNames, later: str, earlier: str) -> str:
    """The relation of the later of two quotes to the other, both about one attribute of one subject; else empty."""
    now, before = _slot_of(later), _slot_of(earlier)
    if not now or not before or now.attribute != before.attribute:
        return ""
    if same_name(names.name_of(now.who)) != same_name(names.name_of(before.who)):
        return ""
    turned = _CHANGE.search(flat(later)) or announces(later)
    if _is_same_value(now.value, before.value):
        if now.denied == before.denied:
            return _SUPPORTS
        return _REPLACES if turned else _CONTRADICTS
    changes = now.saying.attribute in _CORRECTED or turned or _refuses(later, before.value)
    if now.saying.single and changes and not now.denied and not before.denied:
        return _REPLACES
    return ""


def _refuses(quote: str, value: str) -> bool:
    """Whether a quote says that it is not the value: `Ola lives in Łódź, not Kraków`."""
    said = _NOT.search(flat(quote))
    if said is None or han_runs(value):
        return said is not None and _is_same_value(said["value"], value)
    refused = _value_words(said["value"])
    return bool(refused) and _is_within(refused, _value_words(value))


def attribute_of(quote: str) -> str:
    """The attribute that a quote is about, as far as a pattern tells; else empty."""
    slot = _slot_of(quote)
    return slot.attribute if slot else ""


@lru_cache(maxsize=65536)
def _slot_of(quote: str) -> SaidThing | None:
    """The first saying of a quote, as far as a pattern tells."""
    return next(iter(find_sayings(quote)), None)


def _is_same_value(one: str, other: str) -> bool:
    """Whether one value says no more than the other."""
    if han_runs(one + other):
        ours, theirs = folded_words(one), folded_words(other)
        return ours in theirs or theirs in ours
    now, before = _value_words(one), _value_words(other)
    return bool(now and before) and (_is_within(now, before) or _is_within(before, now))


def _value_words(value: str) -> list[str]:
    return [word for word in _WORD.findall(flat(value)) if word not in _EMPTY]


def _is_within(some: Sequence[str], all_words: Sequence[str]) -> bool:
    return all(any(_is_same_word(word, other) for other in all_words) for word in some)


def _is_same_word(one: str, other: str) -> bool:
    """Whether two words are equal but for an ending of two letters; numbers have none."""
    if one.isdigit() or other.isdigit():
        return one == other
    begin = max(_ROOT, min(len(one), len(other)) - 2)
    return one[:begin] == other[:begin]


@lru_cache(maxsize=65536)  # each new fact is compared with all of them
def _as_entry(fact: Fact) -> Entry:
    """A fact as the judge of links reads entries."""
    number = fact.numbers[0]
    return Entry(
        id=fact.id,
        title=fact.text,
        kind=Kind.RULE if fact.kind is FactKind.OPINION else Kind.REMEMBER,
        date=datetime.combine(fact.day, time(12), UTC),
        source=Source(
            session_id=fact.session_id,
            session_path="",
            message_range=fact.numbers,
            entry_ids=(f"{fact.session_id} {number}",),
        ),
        quote=fact.text if fact.word is FactWord.ACCEPTED else fact.quote,
        conclusion=fact.text,
        confidence=1.0,
    )


def sort_by_day(facts: Iterable[Fact]) -> list[Fact]:
    """Facts by the day on which they were said; those of one day as they stand."""
    return sorted(facts, key=lambda fact: fact.day)
