"""Making the summary of a conversation by the one door to a model, with its caps and its cache, or by code.

It is a run of no job: jobs write files, and this goes to the store. Its cost is booked as that of any run. One process
of a machine makes that of a conversation at a time.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline.app.engine import open_engine
from pipeline.context.summary import DUE_MESSAGES, SummaryMade, covered_messages, is_due, model_summary, offline_summary
from pipeline.corrections.correction import carried_out
from pipeline.engine.context import Engine
from pipeline.errors import BudgetSpent, Held, ModelUnavailable
from pipeline.events import Event
from pipeline.job import OFFLINE
from pipeline.process.context import ProcessContext
from pipeline.store.conversations import ConversationTable
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from schemas.conversation import ConversationMessage, ConversationRecord, SummaryReport
from schemas.store_settings import SummaryWay

_STORE = "store"
RUN_NAME = "conversation_summary"
"""The name of its runs in the ledger."""
_LOCKS = "summaries"
"""The folder of the locks, below that of what is derived."""


@dataclass(frozen=True)
class Summarizer:
    """Makes the summaries of the conversations of one workspace."""

    root: Path
    process: ProcessContext
    table: ConversationTable

    @staticmethod
    def is_summarized(conversation: ConversationRecord) -> bool:
        """Whether the conversation is to have summaries."""
        return conversation.settings.summary is not SummaryWay.OFF

    def summarize(self, conversation: ConversationRecord, window: int) -> SummaryReport:
        """Make the summary that is due, and keep it; `window` is how many tokens a context has.

        Of what the model answers, an empty text, one longer than its input or in another language is refused: the old
        summary stays, and where there is none, or it is far behind, code makes one. While somebody else makes it,
        nothing is done.
        """
        latch = Latch(Workspace(self.root).state_folder / _LOCKS / f"{conversation.id}.lock")
        try:
            with latch.hold(0):
                report = self._summarize_due(conversation, window)
                with suppress(OSError):  # there are as many files as conversations otherwise; an empty one does no harm
                    latch.path.unlink()
                return report
        except Held:
            return SummaryReport(summary=self.table.summary(conversation))

    def _summarize_due(self, conversation: ConversationRecord, window: int) -> SummaryReport:
        history, last = self.table.history(conversation), self.table.summary(conversation)
        if not self.is_summarized(conversation) or not is_due(history, last, window):
            return SummaryReport(summary=last)
        said, now = covered_messages(history), self.process.clock.now()
        made = self._make_summary(conversation, said, now)
        if made.refused:
            self.process.emit(Event.SUMMARY_REFUSED, session=conversation.session_id, why=made.refused)
        summary = made.summary
        if summary is None and (last is None or said[-1].number - last.last_number >= 2 * DUE_MESSAGES):
            summary = offline_summary(said, now)
        if summary is None or not self.table.keep_summary(conversation, summary, said):
            return SummaryReport(summary=last, refused=made.refused)
        return SummaryReport(summary=summary, made=True, refused=made.refused)

    def _make_summary(
        self, conversation: ConversationRecord, said: Sequence[ConversationMessage], now: datetime
    ) -> SummaryMade:
        if conversation.settings.summary is SummaryWay.HEURISTIC_ONLY:
            return SummaryMade(offline_summary(said, now))
        engine = open_engine(self.root, self.process)
        try:
            return _ask_model(engine, said, now)
        except (ModelUnavailable, BudgetSpent) as error:
            return SummaryMade(offline_summary(said, now), str(error))
        finally:
            engine.ledger.store.close()


def _ask_model(engine: Engine, said: Sequence[ConversationMessage], now: datetime) -> SummaryMade:
    """The summary of the configured model, whose cost is booked; of code without one."""
    asker = engine.asker()
    # The store may be a source of the settings, under a name of its own.
    named = {source.root_name for source in engine.settings.sources if source.kind == _STORE}
    sources = frozenset(named or {_STORE})
    if (name := asker.way_of(sources)) == OFFLINE:
        return SummaryMade(offline_summary(said, now))
    made, run_id = list[SummaryMade](), engine.new_run_id(now)

    def work() -> dict[str, object]:
        try:
            made.append(model_summary(said, asker, name, now, sources))
        finally:
            engine.ledger.spending.note(run_id, asker.usages)
        return {"warning": made[0].refused, **asker.usage.model_dump()}

    carried_out(engine, RUN_NAME, run_id, work)
    return made[0]
