"""Facts and lines of agents' memory that go with what is forgotten, and what the rest of them says then."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from pipeline.agents.brain import pinned_name
from pipeline.agents.erasing import without_lines
from pipeline.agents.journal import parse_change, render_change, session_word
from pipeline.corrections.forget_fact import fact_items, replaced_by
from pipeline.engine.context import Engine
from pipeline.entries.mentions import EntryMatcher
from pipeline.entries.same_words import rests_on_same_words
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.reports.occurrences import our_paths
from schemas.entry import Entry
from schemas.memory_change import MemoryChange


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
    """What goes when the items of which `goes` says so are forgotten."""
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
    """What goes with an entry: the facts and the lines of journals that quote the same words."""
    resting = set(_resting(engine, subject.entries))
    return lines_that_go(engine, lambda block: block.name in resting)


def journal_lines(engine: Engine) -> Iterator[tuple[str, Block, MemoryChange]]:
    """The lines of all journals as we wrote them, in the order of their files, with the folder of the journal."""
    for path in our_paths(engine):
        for block in find_blocks(engine.workspace.read(path) or b""):
            change = parse_change(block.name, block.text) if block.item and block.intact else None
            if change:
                yield path.rpartition("/")[0], block, change


def _resting(engine: Engine, entries: tuple[Entry, ...]) -> Iterator[str]:
    """The ids of the facts and lines that quote the words of an entry."""
    lines = ((change.id, change.session_id, change.number, change.quote) for _, _, change in journal_lines(engine))
    facts = (fact for _, fact in fact_items(engine).values())
    quotes = (*lines, *((fact.id, fact.session_id, fact.numbers[0], fact.quote) for fact in facts))
    for name, session, number, quote in quotes:
        said = (one for one in entries if session_word(one.source.session_id) == session)
        if any(rests_on_same_words(one, quote, number) for one in said):
            yield name
