"""The service's state file, for readers from outside and for the next life of the service."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import WriteFailed
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.service_state import ServiceState

RENEWED = timedelta(seconds=60)
"""The age from which `alive` in the file is renewed, if nothing else changes."""


class StateFile:
    """The state file of one workspace, `ServiceFolder.state`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: ServiceState | None = None

    def read(self) -> ServiceState | None:
        """The state in the file; `None` if it is missing or cannot be read."""
        with suppress(OSError, ValidationError):
            return ServiceState.model_validate_json(read_regular(self._path))
        return None

    def renew(self, state: ServiceState) -> None:
        """Write a state if it differs from the last state, or if `alive` is old."""
        old = self._written
        if old and abs(state.alive - old.alive) < RENEWED and old == state.model_copy(update={"alive": old.alive}):
            return
        self.write(state)

    def write(self, state: ServiceState) -> None:
        """Replace the file at once; only the owner may read it."""
        try:
            # After a power cut the older file, or none, costs a try of what was parked, no more.
            replace_private(self._path, state.model_dump_json(indent=2).encode())
        except OSError as error:
            raise WriteFailed(str(self._path), error.strerror or str(error)) from error
        self._written = state
