"""Reports about agents: the list of them, their lines that entries replaced, and the wake-ups of runs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.job import JobName
from pipeline.language.folding import folded_words
from pipeline.ledger.coverage import State
from pipeline.reports.agents import AgentFolder
from pipeline.reports.placed_entries import EntryBook
from schemas.entry import Entry, Status
from schemas.outcome import Outcome
from schemas.reports.agents import AgentReport, KnownLine
from schemas.suggestion import ProposedChange


def replaced_lines(lines: Iterable[KnownLine], book: EntryBook) -> Mapping[str, str]:
    """The ids of the entries that hold in place of lines, by the id of the line.

    A line and an entry are the same where they have the same quote out of the same message.
    """
    by_session = defaultdict[str, list[Entry]](list)
    for place in book.places:
        if place.status is Status.SUPERSEDED and book.now.counts(place.entry):
            by_session[place.entry.source.session_id].append(place.entry)
    pairs = ((line.id, _later(line, by_session.get(line.session_id, ()), book)) for line in lines if line.quote)
    return {name: later for name, later in pairs if name and later}


def _later(line: KnownLine, entries: Iterable[Entry], book: EntryBook) -> str:
    said = folded_words(line.quote)
    for entry in entries:
        first, last = entry.source.message_range
        if first <= line.message <= last and said == folded_words(entry.quote):
            later = book.now.holding(entry.id)
            return later if later != entry.id else ""
    return ""


def count_wake_ups(engine: Engine, outcomes: Iterable[Outcome]) -> None:
    """Note the counts of what the agents get first for which these runs wrote, so that no wake-up has to count.

    Raises:
        LedgerDamaged: the ledger cannot be used.
    """
    settings = engine.settings.agents
    agents = {outcome.subject for outcome in outcomes if outcome.paths}
    for name in sorted(agents & settings.by_name.keys()):
        AgentFolder(settings, engine.workspace, engine.ledger, name).wake()


def agent_report(engine: Engine, name: str) -> AgentReport:
    """An agent with its settings and its numbers.

    Raises:
        UnknownAgent: there is no such agent.
    """
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, name)
    settings, records = engine.settings.agents.by_name[name], engine.ledger.keyed.of_job(JobName.SESSIONS)
    about = (suggestion.about for suggestion in waiting(engine) if isinstance(suggestion.about, ProposedChange))
    return AgentReport(
        name=name,
        autonomy=settings.autonomy,
        sources=settings.sources,
        may_read=settings.may_read,
        may_write=settings.may_write,
        language=settings.language,
        sessions=sum(record.partition.subject == name and record.state is State.COVERED for record in records),
        lines=folder.lines_in_mind(),
        waiting=sum(change.agent == name for change in about),
        folder=folder.path(),
        since=engine.ledger.agents.since().get(name),
    )
