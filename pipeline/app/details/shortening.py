"""Large blocks of a conversation as details of its thread."""

from pipeline.app.details.keep import KeepRequest, keep
from pipeline.app.redaction import open_redactor
from pipeline.context.sections import Shortening
from pipeline.errors import PipelineError
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationRecord
from schemas.detail import Placement


def shortening_of(
    store: WorkspaceStore, context: ProcessContext, conversation: ConversationRecord, *, dry_run: bool = False
) -> Shortening:
    """What stores a block before its placeholder exists; where it cannot be stored, the block stays as it is.

    A dry run stores nothing, and knows the placeholders that it gave.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    redactor = open_redactor(load_settings(store.root, context.environment))
    place = Placement(
        agent_id=conversation.agent_id,
        thread_id=conversation.session_id,
        user_id=conversation.user_id,
        by_person=conversation.by_person,
    )
    given = set[str]()

    def placeholder(text: str) -> str:
        try:
            kept = keep(store, KeepRequest(text, placement=place), redactor, context.clock, dry_run=dry_run)
        except PipelineError:
            return text
        given.update([kept.detail.key] if kept.detail else [])
        return kept.text

    return Shortening(store.threshold, placeholder, given.__contains__)
