"""What an ended session changes in an agent's memory, in the order of its messages."""

from collections.abc import Iterator

from jobs.journal.requests import KNOWN, Journal, journal_of
from jobs.journal.unconfirmed import confirmations
from jobs.session_facts.asking import extractions
from jobs.session_facts.claims import CheckedFact, checked
from jobs.voice.forgetting import clears, forgotten_facts
from pipeline.agents.gate import READ_ONLY
from pipeline.agents.journal import change_id, one_line
from pipeline.agents.standing import MemoryLine, Standings
from pipeline.drafts import ChangeDraft, Draft, Skip
from pipeline.job import Run
from pipeline.language.text import terms
from schemas.memory_change import ChangeWord, MemoryChange, Operation

_NAMED = 0.6
"""The share of the words naming a line that have to stand in it."""


def changes(run: Run) -> list[Draft]:
    """The changes of a session's facts, what became of what was only asked for, rejections and skips."""
    known, drafts = journal_of(run), list[Draft]()
    if run.agent.autonomy == READ_ONLY:
        return []
    for session, answer in extractions(run):
        spoken = tuple(forgotten_facts(session, run.window))
        for result in checked(run, session, (*answer.facts, *spoken)):
            drafts += _resolved(known, result) if isinstance(result, CheckedFact) else [result]
        drafts += confirmations(run, session, known, [one.change for one in drafts if isinstance(one, ChangeDraft)])
    return drafts


def _resolved(known: Journal, checked_fact: CheckedFact) -> Iterator[Draft]:
    """The changes that a fact makes to the journal as it stands."""
    fact, identity = checked_fact.fact, checked_fact.claim.identity
    if known.has(identity):
        yield Skip(KNOWN)
    elif fact.operation is Operation.DELETE and clears(fact.quote):
        lines = _about(known.standings, fact.replaces)
        yield from () if lines else (Skip("names_nothing"),)
        for place, line in enumerate(lines):
            # The first one has the identity of the words: so they are known, and ask for nothing again.
            own = f"{identity} {line.id}" if place else identity
            yield _draft(known, checked_fact, own, (Operation.DELETE, line))
    else:
        yield _of_one(known, checked_fact, identity)


def _of_one(known: Journal, checked_fact: CheckedFact, identity: str) -> Draft:
    """The change of one line at most."""
    fact, standings = checked_fact.fact, known.standings
    target = _named(standings, fact.replaces) if fact.operation.rewrites else None
    operation: Operation = fact.operation
    same = standings.saying(one_line(fact.text))
    if same and not same.confirmed:
        operation, target = Operation.CONFIRM, same
    elif fact.operation is Operation.DELETE and target is None:
        return Skip("names_nothing")
    elif fact.operation is Operation.UPDATE and target is None:
        operation = Operation.CORE
    return _draft(known, checked_fact, identity, (operation, target))


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
    wanted = terms(words)
    return [line for line in standings.lines.values() if wanted and wanted <= terms(line.text)]


def _named(standings: Standings, words: str) -> MemoryLine | None:
    """The only line that words name; `None` when they name none, or several alike."""
    wanted = terms(words)
    if not wanted:
        return None
    shares = {line.id: len(wanted & terms(line.text)) / len(wanted) for line in standings.lines.values()}
    best = max(shares.values(), default=0.0)
    meant = [name for name, share in shares.items() if share == best]
    return standings.lines[meant[0]] if best >= _NAMED and len(meant) == 1 else None
