"""One-time codes with which a person signs in at the page: random words for a minute, kept as hashes."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from pipeline.errors import WriteFailed
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks, Waiting
from pipeline.workspace.regular_files import replace_private
from schemas.base import Value

FILE = ".memory/sign-in.json"
LASTING = timedelta(seconds=60)
_LOCK = "sign-in"
_LOCK_SECONDS = 10.0
_BYTES = 24


class _KeptCode(Value):
    sha256: str
    expires: AwareDatetime


_KEPT: TypeAdapter[tuple[_KeptCode, ...]] = TypeAdapter(tuple[_KeptCode, ...])


class SignInCodes:
    """The unused codes of a workspace."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self._path = root / FILE
        self._locks = Locks(Workspace(root).lock_folder)

    def make(self, now: datetime) -> str:
        """A new code.

        Raises:
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        code = secrets.token_urlsafe(_BYTES)
        with self._locks.hold([_LOCK], _LOCK, now, Waiting(_LOCK_SECONDS)):
            self._write([*self._read(now), _KeptCode(sha256=_hash(code), expires=now + LASTING)])
        return code

    def use(self, code: str, now: datetime) -> bool:
        """Use a code. Returns whether it was an unused code of the last minute.

        Raises:
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        given = _hash(code)
        with self._locks.hold([_LOCK], _LOCK, now, Waiting(_LOCK_SECONDS)):
            kept = self._read(now)
            left = [one for one in kept if not hmac.compare_digest(one.sha256, given)]
            if len(left) < len(kept):
                self._write(left)
        return len(left) < len(kept)

    def _read(self, now: datetime) -> list[_KeptCode]:
        """The codes that have not expired; empty if the file cannot be read, because a new code is made in a moment."""
        try:
            kept = _KEPT.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return []
        return [one for one in kept if one.expires > now]

    def _write(self, codes: Sequence[_KeptCode]) -> None:
        try:
            replace_private(self._path, json.dumps([one.model_dump(mode="json") for one in codes]).encode())
        except OSError as error:
            raise WriteFailed(FILE, error.strerror or str(error)) from error


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()
