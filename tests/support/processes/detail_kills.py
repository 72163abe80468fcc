"""`kill -9` of a process that keeps a detail: while it reads, or before a statement to the store."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import event

from pipeline.store.opening import WorkspaceStore
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, detail_of

TEXT = LOG.encode() * 60
_SECONDS = 60


def killed_while_keeping(root: Path, settings: StoreSettings, block: int, statement: int) -> bool:
    """Let a process keep `TEXT`, and kill it before a block or a statement, from 0; whether it came so far."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    process = processes.Process(target=_keep, args=(root, settings, block, statement))
    process.start()
    process.join(_SECONDS)
    return process.exitcode == -signal.SIGKILL


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _blocks(step: int) -> Iterator[bytes]:
    """The text in blocks; before one of them it is over."""
    for place in range(0, len(TEXT), 200_000):
        if place // 200_000 == step:
            _kill()
        yield TEXT[place : place + 200_000]


def _keep(root: Path, settings: StoreSettings, block: int, statement: int) -> None:
    store, left = WorkspaceStore(root, settings), [statement]

    def count(*_: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            _kill()

    event.listen(store.database._engine, "before_cursor_execute", count)
    detail_of(store, _blocks(block))
    os._exit(0)
