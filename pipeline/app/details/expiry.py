"""Details and conversations that have expired go by themselves."""

from pipeline.app.conversation_expiry import expire_conversations
from pipeline.app.detail_index import taken_out
from pipeline.app.details.citations import citations_of
from pipeline.app.details.upkeep import prune
from pipeline.engine.context import Engine
from pipeline.errors import PipelineError
from pipeline.events import Event
from pipeline.process.context import ProcessContext
from pipeline.store.opening import WorkspaceStore


def drop_expired(engine: Engine, store: WorkspaceStore, context: ProcessContext) -> None:
    """Let the conversations go that have expired, then the details that have and that no transcript cites any more.

    A store that cannot be used now keeps no job from its run: what has expired in it goes on another day.
    """
    try:
        expired = expire_conversations(engine, store)
        if expired.gone:
            taken_out(engine.workspace.root, context, expired.details)
            engine.emit(Event.CONVERSATIONS_EXPIRED, conversations=len(expired.gone), details=len(expired.details))
        pruned = prune(store, engine.clock.now(), citations_of(engine, store))
        if pruned.gone:
            taken_out(engine.workspace.root, context, pruned.gone)  # else the next update of the index does it
            engine.emit(Event.DETAILS_PRUNED, details=len(pruned.gone), bytes=pruned.size)
    except PipelineError as error:
        engine.emit(Event.DETAILS_KEPT, error=str(error))
