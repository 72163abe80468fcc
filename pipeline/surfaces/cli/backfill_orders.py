"""The orders of a back-fill, kept in the workspace until it has done all, so that it can be resumed by its id."""

import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from pipeline.backfill import Only
from pipeline.errors import UnknownBackfill, WriteFailed
from schemas.base import Value

FOLDER = "backfills"
_ID = re.compile(r"[0-9a-z-]+")


class Orders(Value):
    """What a back-fill was told. `tokens_left` of the `max_tokens` it may use; `None` is no limit."""

    id: str
    jobs: tuple[str, ...]
    first: date
    last: date
    only: Only = Only.ALL
    parallel: int | None = None
    max_tokens: int | None = None
    tokens_left: int | None = None


class OrdersFolder:
    """Where the orders lie: a file each, for the owner's eyes only."""

    def __init__(self, state_folder: Path) -> None:
        """`state_folder` is the one of the ledger."""
        self._folder = state_folder / FOLDER

    def find(self, backfill_id: str) -> Orders:
        """The orders of one.

        Raises:
            UnknownBackfill: there are none.
        """
        try:
            told = self._file(backfill_id).read_bytes() if _ID.fullmatch(backfill_id) else b""
            return Orders.model_validate_json(told)
        except (OSError, ValidationError) as error:
            raise UnknownBackfill(backfill_id, sorted(self._known())) from error

    def keep(self, orders: Orders) -> None:
        """Keep them, in place of what was kept under the same id.

        Raises:
            WriteFailed: the system refuses.
        """
        file = self._file(orders.id)
        beside = file.with_suffix(".tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside.unlink(missing_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(orders.model_dump_json())
            beside.replace(file)
        except OSError as error:
            raise WriteFailed(str(file), error.strerror or str(error)) from error

    def drop(self, backfill_id: str) -> None:
        """Forget what has been done to the end."""
        self._file(backfill_id).unlink(missing_ok=True)

    def _file(self, backfill_id: str) -> Path:
        return self._folder / f"{backfill_id}.json"

    def _known(self) -> Iterator[str]:
        for file in self._folder.glob("*.json"):
            yield file.stem
