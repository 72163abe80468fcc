"""The last step of forgetting an entry: out of the index, which is made anew without it."""

from pathlib import Path

from pipeline.app.index import open_index
from pipeline.errors import PipelineError
from pipeline.index.sync.update import erase_from_index
from pipeline.process.context import ProcessContext


def forget_in_index(root: Path, context: ProcessContext) -> tuple[str, PipelineError | None]:
    """Bring an index to forget what `pipeline.corrections.forget` took out of the files.

    `rebuilt`, or `none` when there is no index; `left`, with the reason, when it still has the words.
    """
    try:
        with open_index(root, context) as opened:
            return ("rebuilt" if erase_from_index(opened.indexing) else "none"), None
    except PipelineError as error:
        return "left", error
