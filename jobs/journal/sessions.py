"""The changes of an agent's memory by an ended session, in the order of its messages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from jobs.brain.pages import sort_lines
from jobs.facts.relations import ENDS, attribute_of, slot_relation
from jobs.journal.requests import KNOWN, Journal, journal_of
from jobs.resolution.judging import Judge, PairLink, model_judge
from jobs.resolution.nearness import LastIndex, can_be_related
from jobs.resolution.relation import Relation, can_replace, relation, statement
from jobs.resolution.same_thing import FeatureCounts, Weights
from jobs.session_facts.claims import CheckedFact, check_facts, extractions, is_standing_order
from jobs.voice.forgetting import clears, forgotten_facts, may_name, share_named
from pipeline.agents.gate import READ_ONLY, SUGGESTING
from pipeline.agents.journal import change_id, one_line
from pipeline.agents.standing import MemoryLine, Standings
from pipeline.drafts import ChangeDraft, Draft, Notice, Skip
from pipeline.entries.authorship import said_by_owner
from pipeline.entries.authorship.scale import is_out_of_scale
from pipeline.facts.names import EntityNames
from pipeline.job import OFFLINE, Run
from pipeline.language.text import sentences, terms
from schemas.entry import Entry, Kind, Source
from schemas.memory_change import SECTIONS, BrainSection, ChangeWord, MemoryChange, Operation
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

_NO_NAMES = EntityNames()

SHOWN = 80
"""The most lines of an agent's memory in a question: those that come first in the brain."""

LineJudge = Callable[[CheckedFact, Sequence[MemoryLine]], list[MemoryLine]]
"""From a fact and the lines that stand to those of which the fact says that they hold no more."""


def judge_of(run: Run, facts: Sequence[CheckedFact], lines: Iterable[MemoryLine]) -> LineJudge:
    """The judge of a session: code, or a model that has seen what the agent knows; code for what it was not shown."""
    shown = sort_lines(lines)[:SHOWN] if run.models.background != OFFLINE and facts else []
    asked = {line.id for line in shown}
    linked = _model_judge(run, facts, shown) if shown else None

    def judge(fact: CheckedFact, standing: Sequence[MemoryLine]) -> list[MemoryLine]:
        earlier, own = [line for line in standing if line.at <= fact.claim.message.time], _of_fact(fact)
        ended, among = list[MemoryLine](), frozenset(line.text for line in earlier)
        near = _find_near(own, standing)
        for line in earlier:
            if linked and line.id in asked:
                link = linked.link_of(own, _of_line(line))
                ends = link is not None and link.kind is Relation.REPLACES
            else:
                ends = line.id in near and _ends(own, _of_line(line), among)
            if ends:
                ended.append(line)
        return ended

    return judge


_LINES = LastIndex[str]()
"""The lines of an agent as entries, by id."""


def _find_near(own: Entry, lines: Iterable[MemoryLine]) -> set[str]:
    """The ids of the lines that a fact could end: those near it, and those about the same attribute."""
    entries, attribute = {line.id: _of_line(line) for line in lines}, attribute_of(own.quote)
    same = (name for name, line in entries.items() if attribute == attribute_of(line.quote)) if attribute else ()
    with _LINES.take_index(entries) as index:
        return {*index.near(own), *same}


def _model_judge(run: Run, facts: Sequence[CheckedFact], lines: Sequence[MemoryLine]) -> Judge:
    """The judge that has shown a model all facts beside these lines; code's where the model has no answer that fits."""
    among = frozenset(line.text for line in lines)

    def by_code(later: Entry, earlier: Entry) -> PairLink | None:
        return PairLink(Relation.REPLACES, "") if _ends(later, earlier, among) else None

    known = [_at_local_time(run, _of_line(line)) for line in lines]
    ranked = [(_at_local_time(run, _of_fact(fact)), known) for fact in facts]
    return model_judge(run, ranked, Weights(()), known=SHOWN, otherwise=by_code)


def _at_local_time(run: Run, entry: Entry) -> Entry:
    return entry.model_copy(update={"date": entry.date.astimezone(run.now.tzinfo)})


def outdated_by(fact: CheckedFact, lines: Iterable[MemoryLine]) -> bool:
    """Whether what was said later, and written down before, has taken the place of a fact."""
    own = _of_fact(fact)
    later = [line for line in lines if line.at > fact.claim.message.time]
    among = frozenset(line.text for line in later)
    return any(_ends(_of_line(line), own, among) for line in later)


_COUNTS = FeatureCounts()
"""Of the lines of an agent: a back-fill compares with them in each session."""


def _ends(later: Entry, earlier: Entry, among: frozenset[str]) -> bool:
    """Whether code tells that of two sayings the later one ends the earlier one; `among` are the texts of all lines."""
    slots = slot_relation(_NO_NAMES, later.quote, earlier.quote)
    if slots:
        return slots in ENDS
    if not (can_be_related(later, earlier) and can_replace(later, earlier)):
        return False
    weights = Weights(among, _COUNTS, more=(statement(later), statement(earlier)))
    return relation(later, earlier, weights) is Relation.REPLACES


def _of_fact(checked: CheckedFact) -> Entry:
    """A fact as the judge of links reads entries."""
    section, message = SECTIONS.get(checked.fact.operation, BrainSection.USER), checked.claim.message
    place = checked.claim.session.session_id, message.number
    return _entry(checked.claim.identity, (checked.fact.text, checked.claim.quote), section, place, message.time)


def _of_line(line: MemoryLine) -> Entry:
    """The same of a line; one without a quote counts as said by itself."""
    change = line.change
    quoted = change is not None and bool(change.quote) and change.operation is not Operation.CONFIRM
    place = (change.session_id, change.number) if change and quoted else (line.id, 0)
    return _entry(line.id, (line.text, change.quote if change and quoted else line.text), line.section, place, line.at)


@lru_cache(maxsize=65536)  # each session is compared with all lines
def _entry(name: str, words: tuple[str, str], section: BrainSection, place: tuple[str, int], said: datetime) -> Entry:
    """The entry of a text and its quote, said at a place: a session and the number of a message."""
    text, quote = words
    session, number = place
    rule = section is BrainSection.PREFERENCES or is_standing_order(quote)
    kind = Kind.REMEMBER if section is BrainSection.USER else Kind.RULE if rule else Kind.DECISION
    source = Source(
        session_id=session, session_path="", message_range=(number, number), entry_ids=(f"{session} {number}",)
    )
    return Entry(id=name, title=text, kind=kind, date=said, source=source, quote=quote, conclusion=text, confidence=1.0)


_SAID = 0.75
"""The share of a line's words that have to stand in one sentence of the owner."""


def confirmations(run: Run, session: Session, known: Journal, new: Sequence[MemoryChange]) -> Iterator[Draft]:
    """A confirmation, or a withdrawal with a suggestion, for each line that was only asked for in the window."""
    confirmed = {change.target for change in new if change.operation is Operation.CONFIRM}
    # The journal has the minute of a request, and the window begins within one.
    window = Window(start=run.window.start.replace(second=0, microsecond=0), end=run.window.end)
    for line in known.standings.lines.values():
        if line.is_confirmed or line.id in confirmed or line.at not in window:
            continue
        said = next(_saying(line, session, run), None)
        if said:
            message, quote = said
            identity = f"confirm {line.id} {session.session_id} {message.number}"
            change = MemoryChange(
                id=change_id(identity, known.taken),
                operation=Operation.CONFIRM,
                text=line.text,
                at=message.time,
                word=ChangeWord.OWNER,
                target=line.id,
                before=line.text,
                quote=quote,
                session_id=session.session_id,
                number=message.number,
                importance=line.importance,
            )
            yield ChangeDraft(change, identity)
        else:
            yield from _withdrawal(line, run, known)


def _saying(line: MemoryLine, session: Session, run: Run) -> Iterator[tuple[Message, str]]:
    """The owner's messages of the window that say a line, each with the sentence."""
    wanted = terms(line.text)
    for message in session.conversation:
        if message.origin is Origin.OWNER and message.time in run.window and not is_out_of_scale(message, session):
            for span in sentences(message.text):
                share = len(wanted & terms(span.text)) / len(wanted) if wanted else 0
                if share >= _SAID and not span.asks and said_by_owner(span.text, message.text):
                    yield message, span.text


def _withdrawal(line: MemoryLine, run: Run, known: Journal) -> Iterator[ChangeDraft]:
    """The withdrawal of a line that nobody said, and its change, which waits for a person."""
    asked = line.change
    if asked is None:
        return
    identity = f"withdraw {line.id} {run.key}"
    back = {"id": change_id(identity, known.taken), "operation": Operation.WITHDRAW, "target": line.id}
    yield ChangeDraft(asked.model_copy(update={**back, "text": line.text, "before": line.text}), identity)
    operation = next(name for name, section in SECTIONS.items() if section is line.section)
    again = asked.model_copy(update={"operation": operation, "text": line.text, "target": "", "before": ""})
    yield ChangeDraft(again, f"unconfirmed {line.id}", unconfirmed=True)


NAMES_NOTHING = "names_nothing"
"""The reason of a skip: the owner asks to forget what does not stand."""

_PERHAPS = 3
"""The most lines that a person is asked about where none is named for sure."""

_NAMED = 0.6
"""The share of the words naming a line that have to stand in it."""


def changes(run: Run) -> list[Draft]:
    """The changes of a session's facts, what became of what was only asked for, rejections and skips."""
    known, drafts = journal_of(run), list[Draft]()
    if run.agent.settings.autonomy == READ_ONLY:
        return []
    for session, answer in extractions(run):
        spoken = tuple(forgotten_facts(session, run.window))
        results = check_facts(run, session, (*answer.facts, *spoken))
        open_results = [result for result in results if isinstance(result, CheckedFact) and _is_open(known, result)]
        judge = judge_of(run, open_results, known.standings.lines.values())
        for result in results:
            own = list(_resolve_fact(known, result, judge)) if isinstance(result, CheckedFact) else [result]
            drafts += own
            if run.agent.settings.autonomy != SUGGESTING:  # else nothing of it stands yet
                known = known.after(draft.change for draft in own if isinstance(draft, ChangeDraft))
        drafts += confirmations(
            run, session, known, [draft.change for draft in drafts if isinstance(draft, ChangeDraft)]
        )
    return drafts


def _is_open(known: Journal, checked_fact: CheckedFact) -> bool:
    """Whether it is new, and no words of it tell which line it says again or means."""
    fact, standings = checked_fact.fact, known.standings
    stands = known.has(checked_fact.claim.identity) or standings.saying(one_line(fact.text)) is not None
    return not stands and not (fact.operation.rewrites and _lines_named(standings, fact.replaces))


def _resolve_fact(known: Journal, checked_fact: CheckedFact, judge: LineJudge) -> Iterator[Draft]:
    """The changes that a fact makes to the journal as it stands."""
    fact, identity = checked_fact.fact, checked_fact.claim.identity
    if known.has(identity):
        yield Skip(KNOWN)
    elif fact.operation is Operation.DELETE:
        yield from _removals(known, checked_fact, judge)
    elif (same := known.standings.saying(one_line(fact.text))) and not same.is_confirmed:
        yield _draft(known, checked_fact, identity, (Operation.CONFIRM, same))
    elif not same and outdated_by(checked_fact, known.standings.lines.values()):
        yield Skip("outdated")
    else:
        yield from _line_drafts(known, checked_fact, judge)


def _removals(known: Journal, checked_fact: CheckedFact, judge: LineJudge) -> Iterator[Draft]:
    """The removal of the line that a fact names, or of all that it is to clear.

    Where it names several lines and means one of them, or may name some, a person decides; else it is said that it
    names none.
    """
    fact, standings = checked_fact.fact, known.standings
    lines = _lines_named(standings, fact.replaces)
    sure = len(lines) == 1
    if clears(fact.quote):
        lines = [line for line in standings.lines.values() if share_named(fact.replaces, line.text) == 1]
        sure = True
    if not lines:
        lines = judge(checked_fact, list(standings.lines.values()))
        sure = bool(lines)
    if not lines:
        lines = [line for line in standings.lines.values() if may_name(fact.replaces, line.text)][:_PERHAPS]
    if not lines:
        claim = checked_fact.claim
        yield Skip(NAMES_NOTHING)
        yield Notice(
            f"Message {claim.message.number} of session {claim.session.session_id} asks to forget something, and no "
            "line of what the agent knows is named by it."
        )
    for place, line in enumerate(lines):
        # The first one has the identity of the words: so they are known, and ask for nothing again.
        own = f"{checked_fact.claim.identity} {line.id}" if place else checked_fact.claim.identity
        draft = _draft(known, checked_fact, own, (Operation.DELETE, line))
        yield draft if sure else replace(draft, unconfirmed=True)


def _line_drafts(known: Journal, checked_fact: CheckedFact, judge: LineJudge) -> Iterator[Draft]:
    """The line of a fact, in place of the one that it names or contradicts; of several the others are removed."""
    fact, standings = checked_fact.fact, known.standings
    named = _lines_named(standings, fact.replaces) if fact.operation is Operation.UPDATE else []
    again = standings.saying(one_line(fact.text)) is not None
    ended = named if len(named) == 1 else [] if again else judge(checked_fact, list(standings.lines.values()))
    if ended:
        yield _draft(known, checked_fact, checked_fact.claim.identity, (Operation.UPDATE, ended[-1]))
        for line in ended[:-1]:
            identity = f"{checked_fact.claim.identity} {line.id}"
            yield _draft(known, checked_fact, identity, (Operation.DELETE, line))
    else:
        added = Operation.CORE if fact.operation is Operation.UPDATE else fact.operation
        yield _draft(known, checked_fact, checked_fact.claim.identity, (added, None))


def _draft(
    known: Journal, checked_fact: CheckedFact, identity: str, meant: tuple[Operation, MemoryLine | None]
) -> ChangeDraft:
    (operation, target), fact, claim = meant, checked_fact.fact, checked_fact.claim
    change = MemoryChange(
        id=change_id(identity, known.taken),
        operation=operation,
        text=target.text if target and operation is Operation.DELETE else one_line(fact.text),
        at=claim.message.time,
        word=ChangeWord.OWNER,
        target=target.id if target else "",
        before=target.text if target else "",
        quote=claim.quote,
        session_id=claim.session.session_id,
        number=claim.message.number,
        importance=fact.importance,
    )
    return ChangeDraft(change, identity, by_person=target is not None and target.by_person)


def _lines_named(standings: Standings, words: str) -> list[MemoryLine]:
    """The lines that words name best: as a rule one; several that are named alike; none without enough of the words."""
    shares = {line.id: share_named(words, line.text) for line in standings.lines.values()}
    best = max(shares.values(), default=0.0)
    return [standings.lines[name] for name, share in shares.items() if share == best >= _NAMED]
