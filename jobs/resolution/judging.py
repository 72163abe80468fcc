"""The judgement of proposed pairs: a model's where one is asked, else that of code. Each link has its grounds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from jobs.resolution import grounds
from jobs.resolution.change_words import quantities
from jobs.resolution.relation import SHARED, Relation, alike, relation, said, statement, verbatim
from jobs.resolution.same_thing import bare_subject, same_message
from jobs.resolution.similarity import Weights, features
from pipeline.job import OFFLINE, Ask, Task
from schemas.entry import Entry
from schemas.links import LinkJudgement, LinkQuestion, LinkSide, LinkVerdict

PAIRS = 5
"""The most pairs of one entry that a model is asked about: the most alike."""

LOOSE = 0.08
"""The cosine from which a model is asked about a pair; code needs more to link one."""

TEXT = 800
"""The most characters of one text of an entry in a question."""

_RELATIONS = {
    LinkVerdict.REPLACES: Relation.REPLACES,
    LinkVerdict.REPLACES_PART: Relation.REPLACES_PART,
    LinkVerdict.SAME: Relation.REPEATS,
    LinkVerdict.NARROWS: None,
    LinkVerdict.DIFFERENT: None,
}

Pair = tuple[Entry, Entry]
"""The later entry, then the earlier one."""


@dataclass(frozen=True)
class PairLink:
    """The relation of a later entry to an earlier one, and what that rests on."""

    kind: Relation
    grounds: str


Judge = Callable[[Entry, Entry], PairLink | None]
"""The link of a later entry to an earlier one; `None` when there is none."""


def near(entry: Entry, others: Iterable[Entry], weights: Weights) -> list[Entry]:
    """The entries that may be about the same, the most alike first."""
    text = statement(entry)
    alikes = [(weights.likeness(text, statement(other)).cosine, other) for other in others if _may_meet(entry, other)]
    return [other for _, other in sorted(alikes, key=lambda pair: (-pair[0], pair[1].date, pair[1].id))]


def _may_meet(entry: Entry, other: Entry) -> bool:
    """Whether two entries have enough words in common, the same value beside one, or the same words."""
    shared = len(features(statement(entry)) & features(statement(other)))
    if shared >= SHARED - 1 or (shared and (alike(entry, other) or _same_units(entry, other))):
        return True
    same = ((verbatim(entry), verbatim(other)), (bare_subject(entry.quote), bare_subject(other.quote)))
    return any("" != one == another for one, another in same)


def _same_units(entry: Entry, other: Entry) -> bool:
    """Whether both give a value of one unit: a price that changes may have but its subject in common."""
    return not quantities(said(entry)).keys().isdisjoint(quantities(said(other)))


def code_judge(weights: Weights) -> Judge:
    """The judge that needs no model."""
    return partial(_by_code, weights)


def _by_code(weights: Weights, later: Entry, earlier: Entry) -> PairLink | None:
    kind = relation(later, earlier, weights)
    return PairLink(kind, grounds.by_code(later, earlier, kind)) if kind else None


def model_judge(ask: Ask, name: str, pairs: Sequence[Pair]) -> Judge:
    """The judge that has asked a model about all `pairs`, and links no others."""
    asked = [pair for pair in pairs if not same_message(*pair)]
    answers = ask([_task(*pair) for pair in asked]) if asked else []
    links = {
        (later.id, earlier.id): PairLink(kind, grounds.by_model(name, answer))
        for (later, earlier), answer in zip(asked, answers, strict=True)
        if (kind := _RELATIONS[answer.verdict])
    }
    return lambda later, earlier: links.get((later.id, earlier.id))


def judge_of(way: str, ask: Ask, weights: Weights, pairs: Callable[[], Iterable[Pair]]) -> Judge:
    """The judge of a run; `pairs` are those to ask a model about, where `way` names one."""
    return code_judge(weights) if way == OFFLINE else model_judge(ask, way, list(pairs()))


def proposed(new: Sequence[Entry], known: Sequence[Entry], weights: Weights) -> Iterator[Pair]:
    """The pairs of new entries with known ones, and with those before them, that a model is asked about.

    Not two of one session: the answer that both come from lists only what holds at its end.
    """
    for place, entry in enumerate(new):
        before = (other for other in new[:place] if other.source.session_id != entry.source.session_id)
        others = (other for other in (*known, *before) if other.moment != entry.moment)
        for other in near(entry, others, weights)[:PAIRS]:
            if likely(entry, other, weights):
                yield (entry, other) if other.moment < entry.moment else (other, entry)


def likely(one: Entry, other: Entry, weights: Weights) -> bool:
    """Whether a pair is alike enough to ask a model about it."""
    return weights.likeness(statement(one), statement(other)).cosine >= LOOSE or alike(one, other)


def _task(later: Entry, earlier: Entry) -> Task[LinkJudgement]:
    question = LinkQuestion(later=_side(later), earlier=_side(earlier))
    return Task("micro_sync_links", _prompt(), question, LinkJudgement, _different, background=True)


def _different() -> LinkJudgement:
    return LinkJudgement(verdict=LinkVerdict.DIFFERENT)


def _side(entry: Entry) -> LinkSide:
    return LinkSide(
        kind=entry.kind,
        date=f"{entry.date:%Y-%m-%d}",
        title=entry.title[:TEXT],
        quote=entry.quote[:TEXT],
        conclusion=entry.conclusion[:TEXT],
        finding=entry.finding[:TEXT],
    )


@cache
def _prompt() -> str:
    return files("jobs").joinpath("micro_sync_links.md").read_text(encoding="utf-8")
