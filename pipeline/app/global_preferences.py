"""The owner's preferences for all sessions: asked for by the gate, and read from an agent's memory once they stand."""

from pathlib import Path

from pipeline.agents.journal import one_line
from pipeline.app.agent_folder import opened_folder
from pipeline.app.agents import change_request, request_change
from pipeline.app.engine import open_engine
from pipeline.process.context import ProcessContext
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.conversation import ConversationRecord
from schemas.memory_change import LONGEST, BrainSection, Operation
from schemas.settings import Settings

OVER = "conversation"
"""How a request came, as the journal names it."""


def request_preferences(root: Path, process: ProcessContext, conversation: ConversationRecord) -> str:
    """Ask the gate to remember a conversation's preferences, one request each; what became of them, in sentences.

    They rest on nobody's word yet: a person decides, or says so in a session.

    Raises:
        Held: somebody else is at work, for longer than a moment.
    """
    engine = open_engine(root, process)
    try:
        answers = [
            request_change(engine, conversation.agent_id, change_request(engine, Operation.PREFERENCE, line, over=OVER))
            for line in _lines(conversation)
        ]
    finally:
        engine.ledger.store.close()
    return " ".join(dict.fromkeys(answer.message for answer in answers))


def _lines(conversation: ConversationRecord) -> list[str]:
    stated = conversation.settings.preferences.stated
    return [one_line(f"{name}: {value}")[:LONGEST] for name, value in stated.items()]


def standing_preferences(root: Path, settings: Settings, conversation: ConversationRecord) -> tuple[str, ...]:
    """The preferences in the memory of the owner's agent, without those that nobody has confirmed, in their order."""
    if not conversation.is_owners or conversation.agent_id not in settings.agents.named:
        return ()
    if not (Workspace(root).state_folder / LEDGER_FILE).exists():
        return ()
    with opened_folder(root, settings.agents, conversation.agent_id) as folder:
        lines = folder.standings().lines.values()
        return tuple(line.text for line in lines if line.section is BrainSection.PREFERENCES and line.confirmed)
