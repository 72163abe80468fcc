"""The drafts for candidates for facts: checked, recognised, named, and related to the facts in force.

Facts that other hands wrote into files are suggested to a person once, and written as ours when accepted.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from jobs.facts.claims import FactClaim, check_fact, copy_part, fact_id
from jobs.facts.mentions import known_names
from jobs.facts.offline import is_same_text
from jobs.facts.offline import read_facts as read_offline
from jobs.facts.reading import OWNER
from jobs.facts.relations import FactTimeline, entries_by_place, judge_of, sort_by_day
from jobs.reading.asking import ask_pieces
from jobs.resolution.drafting import draft
from jobs.resolution.nearness import LastIndex
from jobs.resolution.same_thing import denies
from jobs.resolution.validation import Claim
from pipeline.agents.journal import one_line, session_word
from pipeline.drafts import BlockDraft, Draft, Skip, SuggestionDraft
from pipeline.entries.voice.off_record import on_record
from pipeline.facts.names import EntityNames, names_in, same_name
from pipeline.facts.sections import HEADING, day_of, facts_in, parse_fact, render_fact
from pipeline.facts.standing import FIRM, FIRM_FROM, Confidence, confidences, stand
from pipeline.job import OFFLINE, Document, JobName, Run
from pipeline.language.folding import folded_words
from pipeline.markdown.blocks import block_names, find_blocks
from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.fact import LONGEST, Fact, FactCandidate, FactKind, FactWord
from schemas.suggestion import AcceptedFact
from schemas.transcript import Origin, Session

_TITLE = 80

_KNOWN = LastIndex[int]()
"""The facts that stand, by their places."""


def firm_suggestions(
    known: Sequence[Fact], new: Sequence[tuple[FactClaim, Fact]], day: date
) -> Iterator[SuggestionDraft]:
    """The new facts of a day that make an earlier one firm, as entries in the words of that day.

    These are beliefs, and what is so of the owner. Nobody is asked about one that nothing contradicts.
    """
    if not any(fact.supports for _, fact in new):
        return
    facts = [*known, *(fact for _, fact in new)]
    sums, holding = confidences(facts), {fact.id for fact in stand(facts).holding}
    for claim, fact in new:
        earlier = [sums[name] for name in fact.supports if name in holding]
        is_belief = fact.kind is FactKind.OPINION
        is_lasting = is_belief or (fact.kind is FactKind.WORLD and OWNER in fact.entities)
        if fact.id in holding and is_lasting and are_firmed(earlier, day):
            candidate = Candidate(
                kind=Kind.REMEMBER,
                title=fact.text[:_TITLE],
                quote=claim.quote,
                quote_number=claim.message.number,
                conclusion=fact.text,
                confidence=max(total.hundredths for total in earlier) / 100,
            )
            as_entry = Claim(candidate, claim.session, claim.message, claim.span)
            denied = fact.contradicts or any(total.days_against for total in earlier)
            yield SuggestionDraft(
                draft(as_entry, ()), as_entry.identity, FIRM, writer=JobName.ENTRIES, at_once=not denied
            )


def are_firmed(sums: Sequence[Confidence], day: date) -> bool:
    """Whether the evidence of this day has made one of these facts firm, of which none was before."""
    before = (replace(total, days_for=tuple(other for other in total.days_for if other != day)) for total in sums)
    is_new = all(total.hundredths < FIRM_FROM for total in before)
    return is_new and any(total.hundredths >= FIRM_FROM for total in sums)


KNOWN, FORGOTTEN, REPEATED = "known", "forgotten", "repeated"
"""The reasons of skips."""


@dataclass(frozen=True)
class RetainedFacts:
    """The facts that stand, in the order in which they were said, and the ids that are in use in `pages` of ours."""

    facts: tuple[Fact, ...]
    names: EntityNames
    taken: Collection[str]
    forgotten: Collection[str]
    _copies: Collection[str]

    def is_forgotten(self, identity: str) -> bool:
        """Whether a person deleted it, in this session or in a copy of it."""
        gone = identity in self.forgotten or fact_id(identity) in self.forgotten
        return gone or copy_part(identity) in self._copies

    def is_changed(self, identity: str) -> bool:
        """Whether it stands in its page, and a person has changed it."""
        name = fact_id(identity)
        return name in self.taken and all(fact.id != name for fact in self.facts)


def read_retained(run: Run) -> RetainedFacts:
    """The facts that are retained so far, as a run sees them."""
    parsed = (parse_fact(item.text, day_of(item.path) or run.day, name=item.name) for item in run.inputs.items)
    facts = sort_by_day(fact for fact in parsed if fact)
    in_pages = map(_names_in, own_pages(run))
    taken = {item.name for item in run.inputs.items}.union(*in_pages)
    pages = [(page.path, page.text) for page in run.inputs.by_people]
    copies = frozenset(map(copy_part, run.refusals.forgotten))
    return RetainedFacts(tuple(facts), names_in(pages), taken, run.refusals.forgotten, copies)


@lru_cache(maxsize=8192)  # a back-fill looks at the same pages on each day
def _names_in(page: Document) -> frozenset[str]:
    return frozenset(block_names(page.text.encode()))


def own_pages(run: Run) -> list[Document]:
    """The pages of the job, whole."""
    return [page for page in run.inputs.documents if page.path.startswith("memory/retain/")]


def draft_facts(run: Run, known: RetainedFacts) -> list[Draft]:
    """The facts of a day in the order of their messages, then rejections and skips."""
    results = [check_fact(run, session, candidate) for session, candidate in _read_candidates(run)]
    claims = sorted((result for result in results if isinstance(result, FactClaim)), key=_order_key)
    others: list[Draft] = [result for result in results if not isinstance(result, FactClaim)]
    new, gone = list[tuple[FactClaim, Fact]](), list[Fact]()
    for claim in claims:
        number = claim.message.number
        fact = Fact(
            kind=claim.candidate.kind,
            entities=known.names.of((*claim.names, *known_names(claim.quote, known.names))),
            text=one_line(claim.candidate.text)[:LONGEST],
            word=claim.word,
            quote=one_line(claim.quote),
            session_id=session_word(claim.session.session_id),
            numbers=(number, number),
            day=run.day,
        )
        if why := _reason_to_skip(claim, fact, known, [fact for _, fact in new], gone):
            others.append(Skip(why))
            if why == FORGOTTEN:
                gone.append(fact)
        else:
            taken = {*known.taken, *known.forgotten, *(fact.id for _, fact in new)}
            named = {} if claim.reason else {"id": fact_id(claim.identity, taken)}
            new.append((claim, fact.model_copy(update=named)))
    others += [SuggestionDraft(fact, claim.identity, claim.reason) for claim, fact in new if claim.reason]
    new = [(claim, fact) for claim, fact in new if not claim.reason]
    claims = [claim for claim, _ in new]
    facts = list(zip(claims, relate_facts(run, known, [fact for _, fact in new]), strict=True))
    return [
        *(draft_fact(fact, claim.identity) for claim, fact in facts),
        *firm_suggestions(known.facts, facts, run.day),
        *others,
    ]


def _read_candidates(run: Run) -> list[tuple[Session, FactCandidate]]:
    """The candidates read in sessions in which the owner spoke, without words that are off the record."""
    asked = [
        (piece.session, fact) for piece, answer in ask_pieces(run, run.inputs.transcripts) for fact in answer.retained
    ]
    unseen = [session for session in run.inputs.transcripts if run.models.way_of(session.sources) == OFFLINE]
    read = list[tuple[Session, FactCandidate]]()
    for session in (on_record(session) for session in unseen if not session.machine):
        if any(message.origin is Origin.OWNER and message.time in run.window for message in session.conversation):
            read += [(session, fact) for fact in read_offline(session, run.window).facts]
    return [*asked, *read]


def relate_facts(run: Run, known: RetainedFacts, new: Sequence[Fact]) -> list[Fact]:
    """New facts with their relations, in their order."""
    if not new:
        return []
    judge = judge_of(run, known.names, known.facts, new)
    with _KNOWN.take_index(entries_by_place(known.facts)) as index:
        timeline = FactTimeline(known.facts, judge, index)
        return [timeline.relate_fact(fact) for fact in new]


def draft_fact(fact: Fact, identity: str) -> BlockDraft:
    """A fact as an item of its page."""
    return BlockDraft(fact.id, render_fact(fact), identity)


def _order_key(claim: FactClaim) -> tuple[object, ...]:
    session = claim.session
    return claim.message.time, session.session_id, session.session_path, claim.message.number, claim.span, claim.names


def _reason_to_skip(
    claim: FactClaim, fact: Fact, known: RetainedFacts, new: Sequence[Fact], gone: Sequence[Fact]
) -> str:
    """The reason for which a fact is not written; empty when it is new. `gone` are forgotten facts of the day."""
    if any(_is_same_place(fact, other) for other in known.facts) or known.is_changed(claim.identity):
        return KNOWN
    if known.is_forgotten(claim.identity) or any(
        other.kind is fact.kind and _is_repetition(fact, other) for other in gone
    ):
        return FORGOTTEN
    today = [other for other in (*known.facts, *new) if other.day == fact.day and other.kind is fact.kind]
    return REPEATED if any(_is_repetition(fact, other) for other in today) else ""


def _is_same_place(fact: Fact, other: Fact) -> bool:
    """Whether both quote the same words of one message: a model may quote them a little longer or shorter."""
    same = (fact.kind, fact.session_id, fact.numbers) == (other.kind, other.session_id, other.numbers)
    return same and (fact.quote in other.quote or other.quote in fact.quote)


def _is_repetition(fact: Fact, other: Fact) -> bool:
    """Whether the same words were said on that day, or nearly the same in that session."""
    if folded_words(fact.quote) == folded_words(other.quote):
        return True
    near = is_same_text(fact.text, other.text) and denies(fact.text) == denies(other.text)
    return fact.session_id == other.session_id and near


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
