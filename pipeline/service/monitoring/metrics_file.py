"""Metrics as a file, for runs by timers: the textfile collector of node_exporter reads it.

The collector reads a whole file, as another user, and only when its name ends in `.prom`:
https://github.com/prometheus/node_exporter#textfile-collector.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.errors import PipelineError, WriteFailed
from pipeline.events import Event
from pipeline.index.context import JUST_LOOK, Updated
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from pipeline.service.monitoring.snapshot import Snapshot, reasons_against_readiness, snapshot_of
from pipeline.settings.load import load_settings
from pipeline.workspace.regular_files import open_regular

_FOR_ALL_TO_READ = 0o644


@contextmanager
def writing_metrics(root: Path, context: ProcessContext) -> Iterator[None]:
    """Write the file of metrics at the end of the work inside, even if it failed; nothing without such a setting."""
    try:
        yield
    finally:
        write_metrics(root, context)


def write_metrics(root: Path, context: ProcessContext, index: Updated | None = None) -> None:
    """Write the file of metrics that the settings name. A failure is announced, and has no other effect.

    `index` is the result of an update; without it the index is compared with its files.
    """
    name = load_settings(root, context.environment).service.metrics_file
    if not name:
        return
    from pipeline.service.monitoring.metrics import render_metrics_file  # noqa: PLC0415 - 14 MB, only for metrics

    try:
        snapshot = _take_snapshot(root, context, index)
        ready = snapshot is not None and not reasons_against_readiness(snapshot)
        _replace_file(root / Path(name).expanduser(), render_metrics_file(snapshot, ready=ready))
    except PipelineError as error:
        context.emit(Event.METRICS_FAILED, error=str(error))


def _take_snapshot(root: Path, context: ProcessContext, index: Updated | None) -> Snapshot | None:
    """The state now; `None` when the ledger cannot be used."""
    quiet = ProcessContext(context.environment, context.clock)
    try:
        return snapshot_of(root, quiet, None, index or _index_state(root, quiet))
    except PipelineError:
        return None


def _index_state(root: Path, context: ProcessContext) -> Updated | None:
    """The state of the index; `None` if it cannot be used, or another process uses it."""
    try:
        with open_index(root, context) as opened:
            return update(opened.indexing, JUST_LOOK)
    except PipelineError:
        return None


def _replace_file(file: Path, data: bytes) -> None:
    """Replace the file at once, with the right to read it for all users."""
    sibling = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        descriptor = open_regular(sibling, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FOR_ALL_TO_READ)
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, _FOR_ALL_TO_READ)  # whatever the umask of a timer is
            stream.write(data)
        sibling.replace(file)
    except OSError as error:
        with suppress(OSError):  # it may not be there, nor its folder
            sibling.unlink()
        raise WriteFailed(str(file), error.strerror or str(error)) from error
