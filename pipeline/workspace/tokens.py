"""The tokens by which persons and agents call over HTTP, and codes with which a person signs in: kept as hashes."""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from pipeline.errors import WriteFailed
from pipeline.errors.service import TokenNameTaken, TokensDamaged, UnknownToken
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks, Waiting
from pipeline.workspace.regular_files import replace_private
from schemas.base import Value
from schemas.caller import Caller, CallerKind, KeptToken

FILE = ".memory/tokens.json"
LOCK = "tokens"
LOCK_SECONDS = 10.0
_PREFIX = "mem_"
_BYTES = 32
_FORM = re.compile(rf"{_PREFIX}[A-Za-z0-9_-]{{43}}")
_KEPT: TypeAdapter[tuple[KeptToken, ...]] = TypeAdapter(tuple[KeptToken, ...])


def new_token() -> str:
    """A token that nobody has."""
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def is_token_like(text: str) -> bool:
    """Whether a text has the form of a token, whether anybody has it or not."""
    return _FORM.fullmatch(text) is not None


def hash_token(token: str) -> str:
    """The hash of a token, or of a code, in hex digits: all that is kept of it."""
    # The word is random and long: no salt, and no slow hash, makes it harder to guess.
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class TokenFile:
    """The tokens of a workspace."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self._path = root / FILE
        self._locks = Locks(Workspace(root).lock_folder)

    def read_tokens(self) -> tuple[KeptToken, ...]:
        """All tokens, in the order in which they were added.

        Raises:
            TokensDamaged: the file cannot be read.
        """
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise TokensDamaged(str(self._path), error.strerror or str(error)) from error
        try:
            return _KEPT.validate_json(data)
        except ValidationError as error:
            raise TokensDamaged(str(self._path), "it is no list of tokens") from error

    def add(self, name: str, kind: CallerKind, agent: str, now: datetime, *, lasting: timedelta | None = None) -> str:
        """Make a token, for the time `lasting` or for good. It is returned this once. Expired tokens are removed.

        Raises:
            TokenNameTaken: there is one of this name.
            TokensDamaged: the file cannot be read.
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        with self._locks.hold([LOCK], LOCK, now, Waiting(LOCK_SECONDS)):
            kept = [token for token in self.read_tokens() if not token.has_expired(now)]
            if any(token.name == name for token in kept):
                raise TokenNameTaken(name)
            token, expires = new_token(), now + lasting if lasting else None
            new = KeptToken(name=name, kind=kind, agent=agent, sha256=hash_token(token), added=now, expires=expires)
            self._write([*kept, new])
        return token

    def revoke(self, name: str, now: datetime) -> None:
        """Revoke a token.

        Raises:
            UnknownToken: there is none of this name.
            TokensDamaged: the file cannot be read.
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        with self._locks.hold([LOCK], LOCK, now, Waiting(LOCK_SECONDS)):
            kept = self.read_tokens()
            left = [token for token in kept if token.name != name]
            if len(left) == len(kept):
                raise UnknownToken(name, [token.name for token in kept])
            self._write(left)

    def caller(self, token: str, now: datetime) -> Caller | None:
        """The caller with this token; `None` if it is not valid now.

        Raises:
            TokensDamaged: the file cannot be read.
        """
        given = hash_token(token)
        # All of them are compared, so that the time says nothing.
        known = [kept for kept in self.read_tokens() if hmac.compare_digest(kept.sha256, given)]
        return known[0].caller if known and not known[0].has_expired(now) else None

    def _write(self, tokens: Sequence[KeptToken]) -> None:
        lines = [token.model_dump(mode="json") for token in tokens]
        try:
            replace_private(self._path, json.dumps(lines, indent=1).encode(), lasting=True)
        except OSError as error:
            raise WriteFailed(str(self._path), error.strerror or str(error)) from error


CODE_FILE = ".memory/sign-in.json"
LASTING = timedelta(seconds=60)
"""The time for which a code can be used."""
_CODE_LOCK = "sign-in"
_CODE_BYTES = 24


class _KeptCode(Value):
    sha256: str
    expires: AwareDatetime


_KEPT_CODES: TypeAdapter[tuple[_KeptCode, ...]] = TypeAdapter(tuple[_KeptCode, ...])


class SignInCodes:
    """The unused codes of a workspace."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self._path = root / CODE_FILE
        self._locks = Locks(Workspace(root).lock_folder)

    def make(self, now: datetime) -> str:
        """A new code.

        Raises:
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        code = secrets.token_urlsafe(_CODE_BYTES)
        with self._locks.hold([_CODE_LOCK], _CODE_LOCK, now, Waiting(LOCK_SECONDS)):
            self._write([*self._read(now), _KeptCode(sha256=hash_token(code), expires=now + LASTING)])
        return code

    def use(self, code: str, now: datetime) -> bool:
        """Use a code. Returns whether it was an unused code of the last minute.

        Raises:
            WorkspaceError: another process changes them for too long; the system refuses.
        """
        given = hash_token(code)
        with self._locks.hold([_CODE_LOCK], _CODE_LOCK, now, Waiting(LOCK_SECONDS)):
            kept = self._read(now)
            left = [token for token in kept if not hmac.compare_digest(token.sha256, given)]
            if len(left) < len(kept):
                self._write(left)
        return len(left) < len(kept)

    def _read(self, now: datetime) -> list[_KeptCode]:
        """The codes that have not expired; empty if the file cannot be read, because a new code is made in a moment."""
        try:
            kept = _KEPT_CODES.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return []
        return [token for token in kept if token.expires > now]

    def _write(self, codes: Sequence[_KeptCode]) -> None:
        try:
            replace_private(self._path, json.dumps([code.model_dump(mode="json") for code in codes]).encode())
        except OSError as error:
            raise WriteFailed(CODE_FILE, error.strerror or str(error)) from error
