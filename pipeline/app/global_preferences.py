"""Preferences of a user for all sessions: the owner's go to the gate, and all others stay in the store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.agents.journal import one_line
from pipeline.app.agent_folder import opened_folder
from pipeline.app.agents import change_memory, change_request, memory_act
from pipeline.app.engine import open_engine
from pipeline.app.requester import Requester
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.conversation import ConversationRecord, Preferences, PreferenceScope
from schemas.memory_change import LONGEST, BrainSection, Operation
from schemas.settings import Settings

OVER = "conversation"
"""The way of a request, as the journal names it."""


@dataclass(frozen=True)
class GlobalPreferences:
    """The preferences of users in all sessions of a workspace, and their lines in agents' memories."""

    root: Path
    process: ProcessContext
    settings: Settings
    table: ConversationTable
    ask: Callable[..., list[int]] | None = None
    """Asks for acts at a front, where no line is written."""

    def state(self, who: Requester, conversation: ConversationRecord, said: Mapping[str, str]) -> str:
        """Put what was just said for all sessions where it belongs; what became of it, in sentences.

        `said` are preferences by the names of their fields; what is said nothing of stays as it was. Nothing is done
        where they are for one session.
        """
        agent = conversation.agent_id
        if conversation.settings.preference_scope is not PreferenceScope.GLOBAL or not said:
            return ""
        if who.is_owner and agent in self.settings.agents.by_name:
            wanted = Preferences.model_validate(said)
            if not wanted.stated_by_name:
                return f"Taken back for this session; what stands in the memory of {agent} stays."
            return self._request_memory(agent, wanted)
        if not who.by_person and not who.agent_id:
            return "Kept for this session alone: nobody said which agent asks."
        by = "" if who.by_person else who.agent_id
        wanted = self.table.preferences(who.user_id, by).model_copy(update=said)
        self.table.prefer((who.user_id, by), wanted, self.process.clock.now())
        return f"Kept for all sessions of this user{f' with {by}' if by else ''}."

    def preferences_of(self, conversation: ConversationRecord) -> Preferences:
        """The user's own preferences; where these are silent, those that the agent of this conversation reported."""
        own, agent = self.table.preferences(conversation.user_id), conversation.agent_id
        claimed = self.table.preferences(conversation.user_id, agent) if agent else Preferences()
        return claimed.model_copy(update={name: value for name, value in own if value.strip()})

    def standing(self, conversation: ConversationRecord) -> tuple[str, ...]:
        """The preferences in the memory of the owner's agent, without those that nobody has confirmed, in order."""
        agents, agent = self.settings.agents, conversation.agent_id
        if not conversation.is_owners or agent not in agents.by_name:
            return ()
        if not (Workspace(self.root).state_folder / LEDGER_FILE).exists():
            return ()
        with opened_folder(self.root, agents, agent) as folder:
            lines = folder.standings().lines.values()
            return tuple(line.text for line in lines if line.section is BrainSection.PREFERENCES and line.is_confirmed)

    def _request_memory(self, agent: str, wanted: Preferences) -> str:
        """Ask the gate of an agent's memory to remember preferences, one request each.

        They rest on nobody's word yet: a person decides, or says so in a session.
        """
        engine = open_engine(self.root, self.process)
        try:
            lines = (one_line(f"{name}: {value}")[:LONGEST] for name, value in wanted.stated_by_name.items())
            changes = [change_request(self.settings, Operation.PREFERENCE, line, over=OVER) for line in lines]
            acts = [memory_act(engine, agent, change) for change in changes]
            if self.ask:
                numbers = ", ".join(map(str, self.ask(*acts)))
                return f"Asked for a line in the memory of {agent}, as act {numbers}: a worker does it soon."
            answers = [change_memory(engine, act) for act in acts]
        finally:
            engine.ledger.store.close()
        return " ".join(dict.fromkeys(answer.message for answer in answers))
