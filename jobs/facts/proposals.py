"""Facts that other hands wrote into files: suggested to a person once, and written as ours when accepted."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from jobs.facts.claims import fact_id
from jobs.facts.retaining import (
    FORGOTTEN,
    KNOWN,
    RetainedFacts,
    draft_fact,
    own_pages,
    read_retained,
    relate_facts,
)
from pipeline.agents.journal import one_line
from pipeline.drafts import Draft, Skip, SuggestionDraft
from pipeline.facts.names import same_name
from pipeline.facts.sections import HEADING, day_of, facts_in
from pipeline.job import Document, Run
from pipeline.language.folding import folded_words
from pipeline.markdown.blocks import find_blocks
from schemas.fact import LONGEST, Fact, FactWord
from schemas.suggestion import AcceptedFact

OTHER_HAND = "other_hand"
"""The reason of the suggestion of a fact of an unknown writer."""


def suggest_foreign_facts(run: Run, known: RetainedFacts) -> Iterator[SuggestionDraft]:
    """The facts in files that are not ours, each words once."""
    said, seen = {folded_words(fact.text) for fact in known.facts}, set[str]()
    own, items = frozenset(page.path for page in own_pages(run)), defaultdict[str, set[tuple[str, str]]](set)
    for item in run.inputs.items:
        items[item.path].add((item.name, item.text))
    for page in filter(_may_have_facts, run.inputs.documents):
        texts = frozenset(items[page.path]) if page.path in own else frozenset[tuple[str, str]]()
        for fact in _facts_of_page(page, texts, day_of(page.path) or run.day):
            identity = identity_of(fact)
            is_new = not fact.id and folded_words(fact.text) not in said and identity not in seen
            if is_new and not known.is_forgotten(identity) and fact_id(identity) not in known.taken:
                seen.add(identity)
                yield SuggestionDraft(fact, identity, OTHER_HAND)


def identity_of(fact: Fact) -> str:
    """The identity of a fact of another hand, the same in whatever file."""
    names = sorted(map(same_name, fact.entities))
    return hashlib.sha256(json.dumps([fact.kind.value, names, folded_words(fact.text)]).encode()).hexdigest()


def accept_fact(run: Run) -> list[Draft]:
    """Draft an accepted suggestion as a fact of ours; a skip when it stands already, or was deleted since."""
    wanted, known = AcceptedFact.model_validate_json(run.request), read_retained(run)
    name = fact_id(wanted.identity)
    if known.is_forgotten(wanted.identity):
        return [Skip(FORGOTTEN)]
    if name in known.taken:
        return [Skip(KNOWN)]
    theirs = wanted.fact
    text, entities = one_line(wanted.text)[:LONGEST] or theirs.text, known.names.of(theirs.entities)
    if theirs.word.is_trusted:  # the owner's own words, which only were not sure enough
        fact = theirs.model_copy(update={"id": name, "entities": entities, "text": text})
    else:
        fact = Fact(
            id=name,
            kind=theirs.kind,
            entities=entities,
            text=text,
            stated=theirs.stated,
            word=FactWord.ACCEPTED,
            quote=theirs.text,
            session_id=theirs.path,
            numbers=(theirs.line, theirs.line),
            day=run.day,
        )
    [written] = relate_facts(run, known, [fact])
    return [draft_fact(written, wanted.identity)]


@lru_cache(maxsize=8192)  # a back-fill looks at the same pages on each day
def _may_have_facts(page: Document) -> bool:
    return HEADING.casefold() in page.text.casefold()


@lru_cache(maxsize=8192)
def _facts_of_page(page: Document, ours: frozenset[tuple[str, str]], day: date) -> tuple[Fact, ...]:
    """The facts of a page; `ours` are the names and texts of the items in it that the run has shown to be ours."""
    data = page.text.encode()
    known = {(block.name, block.digest) for block in find_blocks(data) if (block.name, block.text) in ours}
    return tuple(facts_in(data, page.path, known, day))
