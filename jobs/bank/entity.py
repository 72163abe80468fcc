"""The page of an entity: what holds, opinions, what was done, decisions, who it comes with, and what holds no more."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from jobs.bank.known import KnownFacts, digest, read_known, sort_facts
from jobs.bank.page import BankPage
from jobs.bank.summary import SummaryTopic, summaries
from jobs.wrapup.line_text import inline, link
from pipeline.drafts import Draft, ItemDraft
from pipeline.entries.reference import item_name, reference
from pipeline.entries.standing import fold
from pipeline.facts.names import Entity, MentionFinder, all_names, likely_pairs, same_name
from pipeline.facts.standing import StandingFact
from pipeline.job import Noted, Run
from schemas.entry import Status, Trust
from schemas.fact import Fact, FactKind
from schemas.suggestion import ProposedAlias


@dataclass(frozen=True)
class NamedEntry:
    """An entry that names an entity. It `holds`, or another one took its place `until` then.

    Of a `corrected` one that is the time of the correction.
    """

    noted: Noted
    holds: bool
    until: datetime | None = None
    corrected: bool = False

    @property
    def name(self) -> str:
        """The name of its item."""
        return item_name(self.noted.entry.id)


def entries_by_entity(noted: Sequence[Noted], known: KnownFacts) -> Mapping[str, list[NamedEntry]]:
    """The entries that hold or were replaced, in the order of their messages, by the keys of what they name.

    Nothing of an entry that does not verify is shown.
    """
    named = defaultdict[str, list[NamedEntry]](list)
    ours = {same_name(mention) for one in known.standings.all if one.fact.id for mention in one.fact.entities}
    finder = MentionFinder(all_names(known.names) | ours)
    now = fold(one.entry for one in noted)
    counting = {one.entry.id: one for one in reversed(noted) if now.counts(one.entry)}
    for name, state in now.states.items():
        entry = state.entry
        if name not in counting or entry.trust is Trust.UNVERIFIED:
            continue
        if state.status not in {Status.ACTIVE, Status.SUPERSEDED}:
            continue
        after = next((now.states[other].entry.moment for other in state.superseded_by if other in now.states), None)
        one = NamedEntry(counting[name], state.status is Status.ACTIVE, after, name in now.corrected)
        said = finder.named_in(f"{entry.title}\n{entry.conclusion}\n{entry.quote}")
        for key in dict.fromkeys(map(known.key_for, said)):
            named[key].append(one)
    return named


_UP = "../../"
_FOLDER = "bank/entities/"
_DIGITS = 8
_DECISIONS = "decisions"
_SECTIONS = {
    FactKind.WORLD: ("holds", "## What holds"),
    FactKind.OPINION: ("opinions", "## Opinions"),
    FactKind.EXPERIENCE: ("done", "## What was done"),
    FactKind.OBSERVATION: ("noticed", "## What several facts have in common"),
}


@dataclass(frozen=True)
class Bank:
    """The material of the pages by the key of an entity: the facts in force, those that are not, and the entries."""

    known: KnownFacts
    holding: Mapping[str, list[Fact]]
    gone: Mapping[str, list[StandingFact]]
    decided: Mapping[str, list[NamedEntry]]


def entity_pages(run: Run) -> list[Draft]:
    """The items of the pages of all entities that a person has named, or a fact of ours names; and names alike."""
    known = read_known(run)
    holding, gone = defaultdict[str, list[Fact]](list), defaultdict[str, list[StandingFact]](list)
    for one in known.standings.all:
        for key in known.keys(one.fact):
            if not one.holds:
                gone[key].append(one)
            elif not known.standings.says_again(one.fact):
                holding[key].append(one.fact)
    bank = Bank(known, holding, gone, entries_by_entity(run.inputs.entries, known))
    entities = [entity for entity in known.entities.values() if entity.known]
    topics = [_entity_topic(bank, entity) for entity in entities if entity.facts]
    summed, skips = summaries(run, topics)
    pages = (_page(bank, topic, filter(None, [summed.get(topic.entity.key)])) for topic in topics)
    return [*(item for page in pages for item in page), *_find_similar(run, entities), *skips]


def _find_similar(run: Run, entities: Sequence[Entity]) -> Iterator[ProposedAlias]:
    """The names that may be one entity's, each pair with the first day on which its second name was used."""
    for one, other in likely_pairs(entities):
        day = other.days[0] if other.days else run.day
        at = datetime.combine(day, time(), run.now.tzinfo)
        yield ProposedAlias(name=one.name, alias=other.name, at=at)


def _entity_topic(bank: Bank, entity: Entity) -> SummaryTopic:
    """An entity with its page and its facts."""
    page = BankPage(bank.known, f"entity {entity.key}", entity.page, _UP)
    return SummaryTopic(page, entity, sort_facts(bank.holding.get(entity.key, ())), bank.gone.get(entity.key, ()))


def _page(bank: Bank, topic: SummaryTopic, summary: Iterable[ItemDraft]) -> list[ItemDraft]:
    """The items of one page."""
    page, entity = topic.page, topic.entity
    items = [
        *_sections(page, entity, topic.holding),
        *_entries_about(bank, page, entity),
        *_company(bank, page, entity),
    ]
    past = _history(bank, topic)
    return page.under(f"# {inline(entity.name)}", [*_times(page, entity), *summary, *items, *past])


def _times(page: BankPage, entity: Entity) -> Iterator[ItemDraft]:
    if entity.days:
        first, last = entity.days
        yield page.draft("times", f"First named {first}, last named {last}.")


def _sections(page: BankPage, entity: Entity, holding: Sequence[Fact]) -> Iterator[ItemDraft]:
    for kind, (name, heading) in _SECTIONS.items():
        facts = [fact for fact in holding if fact.kind is kind and not _stands_there(fact, page, entity.key)]
        yield from page.section(name, heading, facts[::-1] if kind is FactKind.EXPERIENCE else facts)


def _stands_there(fact: Fact, page: BankPage, key: str) -> bool:
    """Whether a person wrote it into this page, where it is not said twice."""
    stem = fact.path.removeprefix(_FOLDER).removesuffix(".md")
    return fact.path.startswith(_FOLDER) and page.known.key_for(stem) == key


def _entries_about(bank: Bank, page: BankPage, entity: Entity) -> list[ItemDraft]:
    """The entries in force that name it."""
    named = [one for one in bank.decided.get(entity.key, ()) if one.holds]
    return page.with_heading(
        _DECISIONS, "## Decisions", [_decision(page, one) for one in named if not page.lacks(one.name)]
    )


def _decision(page: BankPage, one: NamedEntry) -> ItemDraft:
    entry = one.noted.entry
    source = link(reference(entry), _UP + one.noted.path)
    return page.item(item_name(entry.id), _DECISIONS, f"- {inline(entry.title)} ({entry.date:%Y-%m-%d}; {source})")


def _company(bank: Bank, page: BankPage, entity: Entity) -> list[ItemDraft]:
    """The entities that the same facts name, with the number of these."""
    known = bank.known
    counts = Counter(key for fact in entity.facts for key in known.keys(fact) if fact.id and key != entity.key)
    items = [
        page.draft(f"with-{digest(key)[:_DIGITS]}", f"- {inline(known.entities[key].name)}: {_count(counts[key])}")
        for key in sorted(counts)
    ]
    return page.with_heading("company", "## Comes with", items)


def _history(bank: Bank, topic: SummaryTopic) -> list[ItemDraft]:
    """The facts and the entries that hold no more."""
    page, decided = topic.page, bank.decided.get(topic.entity.key, ())
    named = [one for one in decided if not one.holds and not page.lacks(one.name)]
    return page.with_heading(
        "history", "## No more", [*page.past(topic.gone), *(_past_decision(page, one) for one in named)]
    )


def _past_decision(page: BankPage, one: NamedEntry) -> ItemDraft:
    entry = one.noted.entry
    held = f"{entry.date:%Y-%m-%d}, corrected" if one.corrected else f"from {entry.date:%Y-%m-%d}"
    ended = f"{'' if one.corrected else ' until'} {one.until:%Y-%m-%d}" if one.until else ""
    source = link(reference(entry), _UP + one.noted.path)
    return page.item(one.name, "history", f"- {inline(entry.title)} ({held}{ended}; {source})")


def _count(facts: int) -> str:
    return "1 fact" if facts == 1 else f"{facts} facts"
