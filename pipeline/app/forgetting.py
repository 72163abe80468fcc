"""The last step of forgetting: out of the index, which is made anew without it."""

from pathlib import Path

from pipeline.app.index import open_index
from pipeline.errors import PipelineError
from pipeline.index.said.update import erase_said
from pipeline.index.sync.update import drop_index, erase_from_index
from pipeline.process.context import ProcessContext


def forget_in_index(root: Path, context: ProcessContext) -> tuple[str, PipelineError | None]:
    """Bring an index to forget what `pipeline.corrections.forget` took out of the files and of the store.

    That of details is removed, for its store may be out of reach; the next update makes it anew.
    `rebuilt`, or `none` when there is no index; `left`, with the reason, when it still has the words.
    """
    try:
        with open_index(root, context) as opened:
            drop_index(opened.details.indexing)
            said = erase_said(opened.said.indexing)
            return ("rebuilt" if erase_from_index(opened.indexing) or said else "none"), None
    except PipelineError as error:
        return "left", error
