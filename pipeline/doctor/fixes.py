"""The fixes of `memory doctor --fix`: they touch only files of ours that are derived, or do what the next run would do.

Each function does one thing and returns a sentence about it. No person's text is changed.
"""

from collections.abc import Sequence
from pathlib import Path

from pipeline.engine.context import Engine
from pipeline.engine.recovery import recover
from pipeline.errors import WriteFailed
from pipeline.index.context import Indexing
from pipeline.job import Job
from pipeline.ports.index import IndexStore
from pipeline.workspace.atomic import sweep
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.locks import Latch

PRIVATE, PRIVATE_FILE = 0o700, 0o600
WAIT_SECONDS = 5.0
"""How long to wait for the process that uses the index; most hold it for moments."""


def close_to_others(path: Path) -> str:
    """Let only ourselves into a folder of ours, or at the settings file."""
    mode = PRIVATE if path.is_dir() else PRIVATE_FILE
    try:
        path.chmod(mode)
        kept = path.stat().st_mode & 0o777 == mode
    except OSError as error:
        raise WriteFailed(str(path), error.strerror or str(error)) from error
    if not kept:
        why = "its disk keeps no rights of files"
        raise WriteFailed(str(path), why)
    return f"{path} is open to you alone now"


def remove_siblings(root: Path, folders: Sequence[str]) -> str:
    """Remove the temporary files that killed runs left beside the pages; those of living processes stay."""
    before = [file for folder in folders for file in siblings(root / folder)]
    for folder in folders:
        sweep(root / folder)
    gone = [file for file in before if not file.exists()]
    return f"removed {len(gone)} temporary file(s)"


def siblings(folder: Path) -> list[Path]:
    """The temporary files that runs, alive or killed, have left beside the pages of a folder."""
    return sorted(folder.glob(".*.md.*.tmp"))


def complete_writes(engine: Engine, job: Job) -> str:
    """Complete, or take out, what a crash left half written in a job's files, as its next run would."""
    run_id = engine.new_run_id(engine.clock.now())
    with engine.locks.hold((job.name, *job.locks), run_id, engine.clock.now() + job.timeout):
        mended = recover(engine.workspace, engine.ledger, TargetFiles(engine.workspace, job.writes).owns)
    return f"mended {', '.join(mended)}" if mended else "nothing stood half written; the intention is cleared"


def drop_index(indexing: Indexing, seconds: float = WAIT_SECONDS) -> str:
    """Remove an index that is damaged."""
    with indexing.latch.hold(seconds):
        indexing.store.drop()
        indexing.vectors.drop()
    return "removed the damaged index; `memory reindex`, or the next search, makes it anew"


def drop_words_index(latch: Latch, store: IndexStore, subject: str, maker: str, seconds: float = WAIT_SECONDS) -> str:
    """Remove a damaged index of words alone, of a `subject`; `maker` says what makes it anew.

    The vectors of the files stay, and so does what is kept of transcripts.
    """
    with latch.hold(seconds):
        store.drop()
    return f"removed the damaged index of {subject}; {maker} makes it anew"


def settle_index(indexing: Indexing, seconds: float = WAIT_SECONDS) -> str:
    """Remove what killed processes left of an index, and make its vectors compact."""
    with indexing.latch.hold(seconds):
        indexing.store.tidy()
        indexing.vectors.settle()
    return "removed what was left over"
