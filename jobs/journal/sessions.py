"""What an ended session changes in an agent's memory, in the order of its messages."""

from collections.abc import Iterator
from dataclasses import replace

from jobs.journal.contradictions import Judge, judge_of, outdated_by
from jobs.journal.requests import KNOWN, Journal, journal_of
from jobs.journal.unconfirmed import confirmations
from jobs.session_facts.asking import extractions
from jobs.session_facts.claims import CheckedFact, checked
from jobs.voice.forgetting import clears, forgotten_facts
from jobs.voice.naming import may_name, share_named
from pipeline.agents.gate import READ_ONLY, SUGGESTING
from pipeline.agents.journal import change_id, one_line
from pipeline.agents.standing import MemoryLine, Standings
from pipeline.drafts import ChangeDraft, Draft, Notice, Skip
from pipeline.job import Run
from schemas.memory_change import ChangeWord, MemoryChange, Operation

NAMES_NOTHING = "names_nothing"
"""The reason of a skip: the owner asks to forget what does not stand."""

_PERHAPS = 3
"""The most lines that a person is asked about where none is named for sure."""

_NAMED = 0.6
"""The share of the words naming a line that have to stand in it."""


def changes(run: Run) -> list[Draft]:
    """The changes of a session's facts, what became of what was only asked for, rejections and skips."""
    known, drafts = journal_of(run), list[Draft]()
    if run.agent.autonomy == READ_ONLY:
        return []
    for session, answer in extractions(run):
        spoken = tuple(forgotten_facts(session, run.window))
        results = checked(run, session, (*answer.facts, *spoken))
        open_ones = [one for one in results if isinstance(one, CheckedFact) and _is_open(known, one)]
        judge = judge_of(run, open_ones, known.standings.lines.values())
        for result in results:
            own = list(_resolved(known, result, judge)) if isinstance(result, CheckedFact) else [result]
            drafts += own
            if run.agent.autonomy != SUGGESTING:  # else nothing of it stands yet
                known = known.after(one.change for one in own if isinstance(one, ChangeDraft))
        drafts += confirmations(run, session, known, [one.change for one in drafts if isinstance(one, ChangeDraft)])
    return drafts


def _is_open(known: Journal, checked_fact: CheckedFact) -> bool:
    """Whether it is new, and no words of it tell which line it says again or means."""
    fact, standings = checked_fact.fact, known.standings
    stands = known.has(checked_fact.claim.identity) or standings.saying(one_line(fact.text)) is not None
    return not stands and not (fact.operation.rewrites and _named(standings, fact.replaces))


def _resolved(known: Journal, checked_fact: CheckedFact, judge: Judge) -> Iterator[Draft]:
    """The changes that a fact makes to the journal as it stands."""
    fact, identity = checked_fact.fact, checked_fact.claim.identity
    if known.has(identity):
        yield Skip(KNOWN)
    elif fact.operation is Operation.DELETE:
        yield from _removals(known, checked_fact, judge)
    elif (same := known.standings.saying(one_line(fact.text))) and not same.confirmed:
        yield _draft(known, checked_fact, identity, (Operation.CONFIRM, same))
    elif not same and outdated_by(checked_fact, known.standings.lines.values()):
        yield Skip("outdated")
    else:
        yield from _line_drafts(known, checked_fact, judge)


def _removals(known: Journal, checked_fact: CheckedFact, judge: Judge) -> Iterator[Draft]:
    """The removal of the line that a fact names, or of all that it is to clear.

    Where it names several lines and means one of them, or may name some, a person decides; else it is said that it
    names none.
    """
    fact, standings = checked_fact.fact, known.standings
    whole = clears(fact.quote)
    lines = _about(standings, fact.replaces) if whole else _named(standings, fact.replaces)
    sure = whole or len(lines) == 1
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


def _line_drafts(known: Journal, checked_fact: CheckedFact, judge: Judge) -> Iterator[Draft]:
    """The line of a fact, in place of the one that it names or contradicts; of several the others are removed."""
    fact, standings = checked_fact.fact, known.standings
    named = _named(standings, fact.replaces) if fact.operation is Operation.UPDATE else []
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


def _about(standings: Standings, words: str) -> list[MemoryLine]:
    """All lines that have every one of the words."""
    return [line for line in standings.lines.values() if share_named(words, line.text) == 1]


def _named(standings: Standings, words: str) -> list[MemoryLine]:
    """The lines that words name best: as a rule one; several that are named alike; none without enough of the words."""
    shares = {line.id: share_named(words, line.text) for line in standings.lines.values()}
    best = max(shares.values(), default=0.0)
    return [standings.lines[name] for name, share in shares.items() if share == best >= _NAMED]
