"""The page of an entity: what holds, opinions, what was done, decisions, who it comes with, and what holds no more."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    until: datetime | None
    corrected: bool

    @property
    def name(self) -> str:
        """The name of its item."""
        return item_name(self.noted.entry.id)


def entries_by_entity(noted: Sequence[Noted], known: KnownFacts) -> Mapping[str, list[NamedEntry]]:
    """The entries that hold or were replaced, in the order of their messages, by the keys of what they name.

    Nothing of an entry that does not verify is shown.
    """
    named = defaultdict[str, list[NamedEntry]](list)
    ours = {
        same_name(mention) for standing in known.standings.all if standing.fact.id for mention in standing.fact.entities
    }
    finder = MentionFinder(all_names(known.names) | ours)
    now = fold(entry.entry for entry in noted)
    counting = {entry.entry.id: entry for entry in reversed(noted) if now.counts(entry.entry)}
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
_SECTIONS = {
    FactKind.WORLD: ("holds", "## What holds"),
    FactKind.OPINION: ("opinions", "## Opinions"),
    FactKind.EXPERIENCE: ("done", "## What was done"),
    FactKind.OBSERVATION: ("noticed", "## What several facts have in common"),
}


def entity_pages(run: Run) -> list[Draft]:
    """The items of the pages of all entities that a person has named, or a fact of ours names; and names alike."""
    known = read_known(run)
    holding, gone = defaultdict[str, list[Fact]](list), defaultdict[str, list[StandingFact]](list)
    for standing in known.standings.all:
        for key in known.keys(standing.fact):
            if not standing.holds:
                gone[key].append(standing)
            elif not known.standings.says_again(standing.fact):
                holding[key].append(standing.fact)
    entries = entries_by_entity(run.inputs.entries, known)
    entities = [entity for entity in known.entities.values() if entity.known]
    topics = [
        SummaryTopic(
            BankPage(known, f"entity {entity.key}", entity.page, _UP),
            entity,
            sort_facts(holding.get(entity.key, ())),
            gone.get(entity.key, ()),
        )
        for entity in entities
        if entity.facts
    ]
    summed, skips = summaries(run, topics)
    pages = (_page(topic, summed.get(topic.entity.key), entries.get(topic.entity.key, ())) for topic in topics)
    alike = list[ProposedAlias]()
    for one, other in likely_pairs(entities):  # each pair with the first day on which its second name was used
        at = datetime.combine(other.days[0] if other.days else run.day, time(), run.now.tzinfo)
        alike.append(ProposedAlias(name=one.name, alias=other.name, at=at))
    return [*(item for page in pages for item in page), *alike, *skips]


def _page(topic: SummaryTopic, summary: ItemDraft | None, entries: Sequence[NamedEntry]) -> list[ItemDraft]:
    """The items of one page; `entries` are those that name the entity."""
    page, entity = topic.page, topic.entity
    lead = [page.draft("times", "First named {}, last named {}.".format(*entity.days))] if entity.days else []
    shown = [entry for entry in entries if not page.lacks(entry.name)]
    past = [*page.past(topic.gone), *(_decision(page, entry) for entry in shown if not entry.holds)]
    return page.under(
        f"# {inline(entity.name)}",
        [
            *lead,
            *([summary] if summary else []),
            *_sections(page, entity, topic.holding),
            *page.with_heading("decisions", "## Decisions", [_decision(page, entry) for entry in shown if entry.holds]),
            *_company(page, entity),
            *page.with_heading("history", "## No more", past),
        ],
    )


def _sections(page: BankPage, entity: Entity, holding: Sequence[Fact]) -> Iterator[ItemDraft]:
    for kind, (name, heading) in _SECTIONS.items():
        facts = [fact for fact in holding if fact.kind is kind and not _stands_there(fact, page, entity.key)]
        yield from page.section(name, heading, facts[::-1] if kind is FactKind.EXPERIENCE else facts)


def _stands_there(fact: Fact, page: BankPage, key: str) -> bool:
    """Whether a person wrote it into this page, where it is not said twice."""
    stem = fact.path.removeprefix(_FOLDER).removesuffix(".md")
    return fact.path.startswith(_FOLDER) and page.known.key_for(stem) == key


def _decision(page: BankPage, one: NamedEntry) -> ItemDraft:
    """An entry with its day; one that holds no more with its end."""
    entry, when = one.noted.entry, f"{one.noted.entry.date:%Y-%m-%d}"
    if not one.holds:
        when = f"{when}, corrected" if one.corrected else f"from {when}"
        when += f"{'' if one.corrected else ' until'} {one.until:%Y-%m-%d}" if one.until else ""
    source = link(reference(entry), _UP + one.noted.path)
    return page.item(one.name, "decisions" if one.holds else "history", f"- {inline(entry.title)} ({when}; {source})")


def _company(page: BankPage, entity: Entity) -> list[ItemDraft]:
    """The entities that the same facts name, with the number of these."""
    known = page.known
    counts = Counter(key for fact in entity.facts for key in known.keys(fact) if fact.id and key != entity.key)
    lines = {key: f"{inline(known.entities[key].name)}: {count} fact" for key, count in sorted(counts.items())}
    items = [
        page.draft(f"with-{digest(key)[:_DIGITS]}", f"- {line}{'' if counts[key] == 1 else 's'}")
        for key, line in lines.items()
    ]
    return page.with_heading("company", "## Comes with", items)
