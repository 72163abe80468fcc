"""Facts that go when a fact is forgotten: itself, those that say the same of the same, and those they replaced."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pipeline.agents.brain import pinned_name
from pipeline.agents.journal import parse_change, render_change, session_word, without_lines
from pipeline.engine.context import Engine
from pipeline.entries.mentions import NEAR, EntryMatcher, TopicMatcher
from pipeline.entries.reference import rests_on_same_words
from pipeline.errors import UnknownEntry
from pipeline.errors.corrections import FactOfOthers
from pipeline.facts.sections import facts_in
from pipeline.facts.standing import stand
from pipeline.language.folding import folded_words
from pipeline.language.text import weight
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.reports.facts import explained_fact
from pipeline.reports.occurrences import our_paths
from schemas.fact import Fact
from schemas.memory_change import MemoryChange

_ID = re.compile(r"(?<![\w-])f-[0-9a-f]+")
FactItems = Mapping[str, tuple[Block, Fact]]
"""The facts of ours with their items, by their ids."""


def fact_topic(engine: Engine, given: str) -> TopicMatcher:
    """The matcher of the words of a fact, and of those that it quotes; the beginning of its id is enough.

    What is about another fact stays, though it may have the words too.

    Raises:
        NameRefused: nothing has this id; the ids of several facts begin so.
        FactOfOthers: a line has it that is none of ours.
    """
    known = explained_fact(engine, given)
    items = fact_items(engine)
    if known is None or known.id not in items:
        for path in our_paths(engine):
            for block in find_blocks(engine.workspace.read(path) or b""):
                if block.item and block.name == given:  # made by hand, or changed by a person
                    raise FactOfOthers(given, f"{path}:{block.line}")
        raise UnknownEntry(given)
    _, fact = items[known.id]
    same = {name for name, (_, other) in items.items() if _is_same(fact, other)}
    gone = {*same, *replaced_by(items, same)}
    quotes = (items[name][1].quote for name in same)
    words = [fact.text, *(items[name][1].text for name in same), *(quote for quote in quotes if weight(quote) >= NEAR)]
    names = tuple(dict.fromkeys(" ".join(word.split()) for word in words if any(map(str.isalnum, word))))
    return TopicMatcher(
        names,
        reworded={(block.name, block.text): block.text for block in _about_others(engine, gone)},
        also=frozenset((name, items[name][0].text) for name in gone),
    )


def fact_items(engine: Engine) -> FactItems:
    """The facts of ours with their items."""
    items = dict[str, tuple[Block, Fact]]()
    for path in our_paths(engine):
        data = engine.workspace.read(path) or b""
        blocks = {block.line: block for block in find_blocks(data) if block.item and block.intact}
        ours = {(block.name, block.digest) for block in blocks.values()}
        for fact in facts_in(data, path, ours, engine.local_now().date()):
            if fact.id and fact.line in blocks:
                items[fact.id] = blocks[fact.line], fact
    return items


def replaced_by(items: FactItems, going: Iterable[str]) -> Iterator[str]:
    """The facts that were replaced by facts which go: without these they would hold again."""
    gone = set(going)
    for standing in reversed(stand(fact for _, fact in items.values()).all):  # the newest first: replaced ones go on
        if standing.replaced_by and standing.replaced_by.id in gone and standing.fact.id not in gone:
            gone.add(standing.fact.id)
            yield standing.fact.id


def _is_same(fact: Fact, other: Fact) -> bool:
    """Whether both say the same of the same, on whatever day."""
    about = {name.casefold() for name in fact.entities} == {name.casefold() for name in other.entities}
    return about and fact.kind is other.kind and folded_words(fact.text) == folded_words(other.text)


def _about_others(engine: Engine, gone: Collection[str]) -> Iterator[Block]:
    """The items that name facts of which none goes: these facts, and their lines in pages."""
    for path in our_paths(engine):
        for block in find_blocks(engine.workspace.read(path) or b""):
            if block.item and (ids := {*_ID.findall(block.text), *_ID.findall(block.name)}) and ids.isdisjoint(gone):
                yield block


@dataclass(frozen=True)
class LinesThatGo:
    """Facts and lines of journals by their ids, with their items, and the other words of lines that stay.

    A fact goes with the one that replaced it, or it would hold again.
    """

    going: Mapping[str, Block]
    reworded: Mapping[tuple[str, str], str]
    words: tuple[str, ...]
    entities: tuple[str, ...]

    def added_to(self, subject: EntryMatcher) -> EntryMatcher:
        """The matcher of an entry that these lines go with."""
        names = frozenset([*self.going, *map(pinned_name, self.going)])
        return replace(subject, lines=names, line_words=self.words, reworded=self.reworded)


def lines_that_go(engine: Engine, goes: Callable[[Block], bool]) -> LinesThatGo:
    """The lines and facts that go when the items which `goes` selects are forgotten."""
    journals = defaultdict[str, list[tuple[Block, MemoryChange]]](list)
    for folder, block, change in journal_lines(engine):
        journals[folder].append((block, change))
    going, reworded = dict[str, Block](), dict[tuple[str, str], str]()
    words, entities = list[str](), list[str]()
    for lines in journals.values():
        gone = {change.id: block for block, change in lines if goes(block)}
        changed = without_lines([change for _, change in lines], gone)
        texts = {block.name: block.text for block, _ in lines}
        reworded |= {(name, texts[name]): render_change(change) for name, change in changed.items()}
        going |= {name: block for name, block in gone.items() if name not in changed}
        words += (part for _, change in lines if change.id in gone for part in (change.text, change.quote))
    items = fact_items(engine)
    facts = [name for name, (block, _) in items.items() if goes(block)]
    for block, fact in (items[name] for name in (*facts, *replaced_by(items, facts))):
        going[fact.id] = block
        words += (fact.text, fact.quote)
        entities += fact.entities
    return LinesThatGo(going, reworded, tuple(dict.fromkeys(filter(None, words))), tuple(dict.fromkeys(entities)))


def lines_resting_on(engine: Engine, subject: EntryMatcher) -> LinesThatGo:
    """The facts and the lines of journals that go with an entry: they quote the same words."""
    lines = ((change.id, change.session_id, change.number, change.quote) for _, _, change in journal_lines(engine))
    facts = (fact for _, fact in fact_items(engine).values())
    quotes = (*lines, *((fact.id, fact.session_id, fact.numbers[0], fact.quote) for fact in facts))
    resting = set[str]()
    for name, session, number, quote in quotes:
        said = (entry for entry in subject.entries if session_word(entry.source.session_id) == session)
        if any(rests_on_same_words(entry, quote, number) for entry in said):
            resting.add(name)
    return lines_that_go(engine, lambda block: block.name in resting)


def journal_lines(engine: Engine) -> Iterator[tuple[str, Block, MemoryChange]]:
    """The lines of all journals as we wrote them, in the order of their files, with the folder of the journal."""
    for path in our_paths(engine):
        for block in find_blocks(engine.workspace.read(path) or b""):
            change = parse_change(block.name, block.text) if block.item and block.intact else None
            if change:
                yield path.rpartition("/")[0], block, change
