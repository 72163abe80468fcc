"""The metrics as a file, for who runs the jobs by timers: node_exporter's textfile collector reads it.

https://github.com/prometheus/node_exporter#textfile-collector tells how the file is read: whole, by another user, and
only when its name ends in `.prom`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.errors import PipelineError, WriteFailed
from pipeline.events import Event
from pipeline.index.context import JUST_LOOK, Updated
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.snapshot import Snapshot, not_ready, snapshot_of
from pipeline.settings.load import load_settings
from pipeline.workspace.regular_files import open_regular

_FOR_ALL_TO_READ = 0o644


@contextmanager
def metrics_afterwards(root: Path, context: ProcessContext) -> Iterator[None]:
    """Write the file when the work inside is over, however it ended; where the settings name none, do nothing."""
    try:
        yield
    finally:
        note_metrics(root, context)


def note_metrics(root: Path, context: ProcessContext, index: Updated | None = None) -> None:
    """Write the file that the settings name; what hinders it is announced, and hinders nothing else.

    `index` is what an update found; without it the index is looked at.
    """
    name = load_settings(root, context.environment).service.metrics_file
    if not name:
        return
    from pipeline.service.monitoring.metrics import without_process  # noqa: PLC0415 - 14 MB, only for metrics

    try:
        snapshot = _snapshot(root, context, index)
        ready = snapshot is not None and not not_ready(snapshot)
        _write_whole(root / Path(name).expanduser(), without_process(snapshot, ready=ready))
    except PipelineError as error:
        context.emit(Event.METRICS_FAILED, error=str(error))


def _snapshot(root: Path, context: ProcessContext, index: Updated | None) -> Snapshot | None:
    """The state now; `None` when the ledger cannot be used."""
    quiet = ProcessContext(context.environment, context.clock)
    try:
        return snapshot_of(root, quiet, None, index or _looked(root, quiet))
    except PipelineError:
        return None


def _looked(root: Path, context: ProcessContext) -> Updated | None:
    """How the index stands; `None` when it cannot be used, or another process is at it."""
    try:
        with open_index(root, context) as opened:
            return update(opened.indexing, JUST_LOOK)
    except PipelineError:
        return None


def _write_whole(file: Path, data: bytes) -> None:
    """Put the file in place of the old one, whole or not at all, so that any user may read it."""
    sibling = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        descriptor = open_regular(sibling, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FOR_ALL_TO_READ)
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, _FOR_ALL_TO_READ)  # whatever the umask of a timer is
            stream.write(data)
        sibling.replace(file)
    except OSError as error:
        sibling.unlink(missing_ok=True)
        raise WriteFailed(str(file), error.strerror or str(error)) from error
