"""The requests of back-fills, kept in the workspace until all is done, so that one can be resumed by its id."""

import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import UnknownBackfill, WriteFailed
from pipeline.workspace.layout import whole_name
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.run_options import Only
from schemas.run_request import BackfillRequest

FOLDER = "backfills"
_PROGRAM = "program.lock"
_LOOK_SECONDS = 1.0  # another command may be testing the lock
_ID_BYTES = 3


class OrdersFolder:
    """The folder of orders: a file each, which the owner alone may read."""

    def __init__(self, state_folder: Path) -> None:
        """`state_folder` is the one of the ledger."""
        self._folder = state_folder / FOLDER

    def find(self, backfill_id: str) -> BackfillRequest:
        """The orders of one; the beginning of its id is enough.

        Raises:
            NameRefused: there are none; several ids begin so.
        """
        known = sorted(self._order_ids())
        whole = whole_name(backfill_id, dict.fromkeys(known, ""), UnknownBackfill, known)
        try:
            return BackfillRequest.model_validate_json(read_regular(self._file(whole)))
        except (OSError, ValidationError) as error:
            raise UnknownBackfill(backfill_id, [other_id for other_id in known if other_id != whole]) from error

    def knows(self, backfill_id: str) -> bool:
        """Whether one of exactly this id is kept."""
        return self._file(backfill_id).exists()

    def keep(self, orders: BackfillRequest) -> None:
        """Keep them, in place of what was kept under the same id.

        Raises:
            WriteFailed: the system refuses.
        """
        file = self._file(orders.id)
        self._make()
        try:
            replace_private(file, orders.model_dump_json().encode())
        except OSError as error:
            raise WriteFailed(str(file), error.strerror or str(error)) from error

    def drop(self, backfill_id: str) -> None:
        """Forget what has been done to the end.

        Raises:
            WriteFailed: the system refuses.
        """
        file = self._file(backfill_id)
        try:
            file.unlink(missing_ok=True)
            self._latch(backfill_id).path.unlink(missing_ok=True)
        except OSError as error:
            raise WriteFailed(str(file), error.strerror or str(error)) from error

    def at_work(self, backfill_id: str) -> AbstractContextManager[None]:
        """Hold the lock of a back-fill, so that other processes see it at work.

        Raises:
            WorkspaceError: another process holds it; the system refuses.
        """
        self._make()
        return self._latch(backfill_id).hold(_LOOK_SECONDS)

    def asking_program(self, seconds: float) -> AbstractContextManager[None]:
        """Hold the lock of back-fills that ask a program, and wait for another one up to so many seconds.

        Raises:
            WorkspaceError: another process holds it; the system refuses.
        """
        self._make()
        return Latch(self._folder / _PROGRAM).hold(max(seconds, _LOOK_SECONDS))

    def stopped_requests(self) -> list[BackfillRequest]:
        """The requests that no process works on, the oldest first."""
        return [
            orders for name in sorted(self._order_ids()) if (orders := self._readable(name)) and not self._is_held(name)
        ]

    def waiting(self) -> BackfillRequest:
        """The oldest request that goes on by itself, and that no process works on.

        Raises:
            UnknownBackfill: there is none.
        """
        return self.find(next((request.id for request in self.stopped_requests() if request.waits), "that waits"))

    def resume_same(self, orders: BackfillRequest) -> BackfillRequest:
        """New orders under the id of stopped ones for the same work, if there are any: the same back-fill goes on."""
        same = self._same(orders)
        return orders.model_copy(update={"id": same[0].id}) if same else orders

    def replace_same(self, orders: BackfillRequest) -> None:
        """Remove stopped requests for the same work: the user has typed the same command again.

        Raises:
            WriteFailed: the system refuses.
        """
        for request in self._same(orders):
            if request.id != orders.id:
                self.drop(request.id)

    def _same(self, orders: BackfillRequest) -> list[BackfillRequest]:
        return [request for request in self.stopped_requests() if request.work == orders.work]

    def _readable(self, backfill_id: str) -> BackfillRequest | None:
        with suppress(UnknownBackfill):
            return self.find(backfill_id)
        return None

    def _is_held(self, backfill_id: str) -> bool:
        try:
            return self._latch(backfill_id).is_held
        except WriteFailed:  # without the right to try the lock its state is unknown
            return True

    def _make(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise WriteFailed(str(self._folder), error.strerror or str(error)) from error

    def _latch(self, backfill_id: str) -> Latch:
        return Latch(self._folder / f"{backfill_id}.lock")

    def _file(self, backfill_id: str) -> Path:
        return self._folder / f"{backfill_id}.json"

    def _order_ids(self) -> Iterator[str]:
        for file in self._folder.glob("*.json"):
            yield file.stem


def new_backfill_id(now: datetime) -> str:
    """An id for a new back-fill."""
    return f"{now:%Y%m%d}-{secrets.token_hex(_ID_BYTES)}"


def resume_words(orders: BackfillRequest, needed: int = 0) -> list[str]:
    """The words of the command that goes on. `needed` are the tokens that the next window is to cost, as far as known.

    With nothing left of its tokens it would stop at once: the command gives it as many again.
    """
    limit = max(orders.max_tokens or 0, needed)
    more = ["--max-tokens", str(limit)] if limit and (needed or not orders.tokens_left) else []
    return ["memory", "backfill", "--resume", orders.id, *more]


def first_words(orders: BackfillRequest) -> list[str]:
    """The words of the command that begins a back-fill."""
    words = ["memory", "backfill", *(["--all"] if orders.is_open else []), *orders.jobs]
    given = {
        "--from": orders.first,
        "--to": orders.last,
        "--only": "" if orders.only is Only.ALL else orders.only,
        "--parallel": orders.parallel,
        "--max-windows": orders.max_windows,
        "--max-tokens": orders.max_tokens,
    }
    return [*words, *(str(word) for name, value in given.items() if value for word in (name, value))]
