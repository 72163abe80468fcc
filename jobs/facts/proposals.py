"""Facts that other hands wrote into files: suggested to a person once, and written as ours when accepted."""

import hashlib
import json
from collections.abc import Iterator

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
from pipeline.facts.sections import HEADING, facts_in
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
    for page in run.inputs.documents:
        if HEADING.casefold() not in page.text.casefold():
            continue
        for fact in facts_in(page.text.encode(), page.path, _own_items(run, page), run.day):
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
    if theirs.word.trusted:  # the owner's own words, which only were not sure enough
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


def _own_items(run: Run, page: Document) -> set[tuple[str, str]]:
    """The names and digests of the items in a page of ours that the run has shown to be ours."""
    if page not in own_pages(run):
        return set()
    texts = {(item.name, item.text) for item in run.inputs.items if item.path == page.path}
    blocks = find_blocks(page.text.encode())
    return {(block.name, block.digest) for block in blocks if (block.name, block.text) in texts}
