"""The agents with a memory of their own, with their numbers."""

from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.ledger.coverage import State
from pipeline.reports.agents import AgentFolder
from schemas.reports.agents import AgentReport
from schemas.suggestion import ProposedChange

_SESSIONS = "agent_sessions"


def agent_report(engine: Engine, name: str) -> AgentReport:
    """An agent with its settings and its numbers.

    Raises:
        UnknownAgent: there is no such agent.
    """
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, name)
    settings, records = engine.settings.agents.named[name], engine.ledger.keyed.of_job(_SESSIONS)
    about = (one.about for one in waiting(engine) if isinstance(one.about, ProposedChange))
    return AgentReport(
        name=name,
        autonomy=settings.autonomy,
        sources=settings.sources,
        may_read=settings.may_read,
        may_write=settings.may_write,
        language=settings.language,
        sessions=sum(one.partition.subject == name and one.state is State.COVERED for one in records),
        lines=folder.lines_in_mind(),
        waiting=sum(change.agent == name for change in about),
        folder=folder.path(),
        since=engine.ledger.agents.since().get(name),
    )
