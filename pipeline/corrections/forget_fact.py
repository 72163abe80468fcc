"""What goes when a fact is forgotten: the fact, what says the same of the same, and what it or they replaced."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from pipeline.engine.context import Engine
from pipeline.entries.mentions import NEAR
from pipeline.entries.topics import TopicMatcher
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

_ID = re.compile(r"(?<![\w-])f-[0-9a-f]+")
FactItems = Mapping[str, tuple[Block, Fact]]
"""The facts of ours with their items, by their ids."""


def fact_topic(engine: Engine, given: str) -> TopicMatcher:
    """What has the words of a fact, or those that it quotes; the beginning of its id is enough.

    What is about another fact stays, though it may have the words too.

    Raises:
        NameRefused: nothing has this id; the ids of several facts begin so.
        FactOfOthers: a line has it that is none of ours.
    """
    known = explained_fact(engine, given)
    items = fact_items(engine)
    if known is None or known.id not in items:
        place = next(_of_others(engine, given), "")
        raise FactOfOthers(given, place) if place else UnknownEntry(given)
    _, fact = items[known.id]
    same = {name for name, (_, other) in items.items() if _is_same(fact, other)}
    gone = {*same, *replaced_by(items, same)}
    quotes = (items[name][1].quote for name in same)
    words = [fact.text, *(items[name][1].text for name in same), *(one for one in quotes if weight(one) >= NEAR)]
    names = tuple(dict.fromkeys(" ".join(word.split()) for word in words if any(map(str.isalnum, word))))
    return TopicMatcher(
        names,
        reworded={(block.name, block.text): block.text for block in _about_others(engine, gone)},
        also=frozenset((name, items[name][0].text) for name in gone),
    )


def fact_items(engine: Engine) -> FactItems:
    """The facts of ours with their items."""
    return {fact.id: (block, fact) for block, fact in _items(engine)}


def replaced_by(items: FactItems, going: Iterable[str]) -> Iterator[str]:
    """The facts that were replaced by facts which go: without these they would hold again."""
    gone = set(going)
    for one in reversed(stand(fact for _, fact in items.values()).all):  # the newest first: replaced ones go on
        if one.replaced_by and one.replaced_by.id in gone and one.fact.id not in gone:
            gone.add(one.fact.id)
            yield one.fact.id


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


def _items(engine: Engine) -> Iterator[tuple[Block, Fact]]:
    for path in our_paths(engine):
        data = engine.workspace.read(path) or b""
        blocks = {block.line: block for block in find_blocks(data) if block.item and block.intact}
        ours = {(block.name, block.digest) for block in blocks.values()}
        for fact in facts_in(data, path, ours, engine.local_now().date()):
            if fact.id and fact.line in blocks:
                yield blocks[fact.line], fact


def _of_others(engine: Engine, name: str) -> Iterator[str]:
    """The places of lines with the mark of a fact that are none of ours: made by hand, or changed by a person."""
    for path in our_paths(engine):
        data = engine.workspace.read(path) or b""
        yield from (f"{path}:{block.line}" for block in find_blocks(data) if block.item and block.name == name)
