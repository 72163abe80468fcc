"""Details and conversations that go: expired ones by themselves, and a detail that somebody erases."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pipeline.app.conversation_deletion import expire_conversations
from pipeline.app.detail_index import taken_out
from pipeline.app.details.upkeep import prune
from pipeline.app.engine import folder_of
from pipeline.engine.context import Engine
from pipeline.errors import PipelineError
from pipeline.events import Event
from pipeline.ledger.transcripts import Files
from pipeline.process.context import ProcessContext
from pipeline.store.opening import FOLDER, WorkspaceStore
from schemas.detail import Detail
from schemas.reports.details import PrunedDetails

_BLOCK = 4_194_304


@dataclass(frozen=True)
class DetailCitations:
    """The transcripts of a workspace: those that the ledger knows, their folders, and what the store has."""

    files: Files
    folders: Sequence[Path]
    store: WorkspaceStore

    def of(self, details: Collection[Detail]) -> frozenset[str]:
        """The keys of the details that are cited; when in doubt, one is."""
        threads = {detail.placement.thread_id for detail in details} - {""}
        there = {thread for thread in threads if self.files.of_session(thread)}
        if details and self.store.exists:
            there |= self.store.conversations.sessions_among(threads)
        cited = {detail.key for detail in details if detail.placement.thread_id in there}
        wanted = {detail.key.encode() for detail in details} - {key.encode() for key in cited}
        # Messages and files may cite more; compressed files tell by their session alone.
        named = _in_blocks(self._conversation_blocks(), wanted) if wanted and self.store.exists else set[bytes]()
        try:
            for path in self._paths() if wanted - named else ():
                with path.open("rb") as file:
                    named |= _in_blocks(iter(partial(file.read, _BLOCK), b""), wanted - named)
                if named == wanted:
                    break
        except OSError:  # what cannot be read may cite all
            named = wanted
        return frozenset(cited | {key.decode() for key in named})

    def _conversation_blocks(self) -> Iterator[bytes]:
        """The texts of conversations, in blocks."""
        block, size = list[bytes](), 0
        for text in self.store.conversations.texts():
            block.append(text.encode(errors="surrogatepass"))
            size += len(block[-1])
            if size >= _BLOCK:
                yield b"\n".join([*block, b""])
                block, size = [], 0
        yield b"\n".join(block)

    def _paths(self) -> Iterator[Path]:
        """The files of the sources; a source that is not there has none.

        Raises:
            OSError: a folder cannot be listed.
        """
        own = self.store.root.resolve() / FOLDER  # it has each key
        for source in dict.fromkeys(self.folders):
            if source.is_file():
                yield source
            for folder, _, names in os.walk(source, onerror=_refuse_unlisted):
                paths = (Path(folder, name) for name in names)
                yield from (path for path in paths if own not in path.parents and path.is_file())


def citations_of(engine: Engine, store: WorkspaceStore) -> DetailCitations:
    """The transcripts that the settings name. Look at them first (`pipeline.app.engine.look`)."""
    folders = [folder_of(engine.workspace.root, source) for source in engine.settings.transcript_sources]
    return DetailCitations(engine.ledger.files, folders, store)


def _refuse_unlisted(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _in_blocks(blocks: Iterator[bytes], keys: set[bytes]) -> set[bytes]:
    named, tail, overlap = set[bytes](), b"", max(map(len, keys), default=1)
    for block in blocks:
        text = tail + block
        named |= {key for key in keys - named if key in text}
        tail = text[-overlap:]
    return named


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


def erase_detail(store: WorkspaceStore, context: ProcessContext, detail: Detail) -> PrunedDetails:
    """Erase a detail; a notice says when the index has it still.

    Raises:
        StoreError: nothing was erased.
    """
    store.details.erase([detail.key])
    store.database.compact()
    notice = taken_out(store.root, context, [detail.key])
    return PrunedDetails((detail.key,), detail.size, (), notice)
