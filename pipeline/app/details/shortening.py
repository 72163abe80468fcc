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


def shortening_of(store: WorkspaceStore, context: ProcessContext, conversation: ConversationRecord) -> Shortening:
    """What stores a block before its placeholder exists; where it cannot be stored, the block stays as it is.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    redactor = open_redactor(load_settings(store.root, context.environment))
    place = Placement(agent_id=conversation.agent_id, thread_id=conversation.session_id, user_id=conversation.user_id)

    def placeholder(text: str) -> str:
        try:
            return keep(store, KeepRequest(text, placement=place), redactor, context.clock).text
        except PipelineError:
            return text

    return Shortening(store.threshold, placeholder)
