"""The owner's key, which signs back-ups: in the home folder, and as twelve words for another machine.

Beside it stands the newest generation that this home has seen of each back-up, because a folder alone cannot show that
its newest states were taken away.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mnemonic import Mnemonic
from pydantic import Field, ValidationError

from pipeline.errors import WriteFailed
from pipeline.errors.backup import KeyDamaged, NoKeyPlace
from pipeline.settings.locate import configuration_folder
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.base import Value

_FILE = "backup-key.json"
_BYTES = 16  # twelve words
_WAIT_SECONDS = 5.0
_ID_LENGTH = 16


@dataclass(frozen=True)
class OwnerKey:
    """A key for signatures, HMAC-SHA256."""

    secret: bytes

    @cached_property
    def name(self) -> str:
        """A digest that names the key and does not give it away."""
        return hmac.new(self.secret, b"the name of this key", hashlib.sha256).hexdigest()[:_ID_LENGTH]

    @property
    def words(self) -> str:
        """The twelve English words of BIP 39 that stand for the key."""
        return str(Mnemonic("english").to_mnemonic(self.secret))

    def sign(self, data: bytes) -> str:
        """The signature of a text."""
        return hmac.new(self.secret, data, hashlib.sha256).hexdigest()

    def has_signed(self, data: bytes, signature: str) -> bool:
        """Whether the signature of a text is of this key."""
        return hmac.compare_digest(self.sign(data).encode(), signature.encode(errors="replace"))


def key_of_words(words: str) -> OwnerKey:
    """The key that words stand for, in any case and with any space between them.

    Raises:
        ValueError: they are no such words; the text says why, and repeats none of them.
    """
    language = Mnemonic("english")
    given = words.lower().split()
    if unknown := [place for place, word in enumerate(given, 1) if word not in language.wordlist]:
        message = f"word {unknown[0]} is not in the list"
        raise ValueError(message)
    if len(given) != _BYTES * 3 // 4 or not language.check(" ".join(given)):
        message = f"there are {len(given)}" if len(given) != _BYTES * 3 // 4 else "a word or the order is wrong"
        raise ValueError(message)
    return OwnerKey(bytes(language.to_entropy(given)))


class _KeyRecord(Value):
    """The file of the key: the key in hex, and by chain the number of the newest generation that was seen."""

    key: str = Field(default="", pattern=f"^([0-9a-f]{{{2 * _BYTES}}})?$")
    seen: dict[str, int] = Field(default_factory=dict)


@dataclass(frozen=True)
class KeyFile:
    """The file of the owner's key, which only the owner can read."""

    path: Path

    def read(self) -> OwnerKey | None:
        """The key; `None` where there is none.

        Raises:
            KeyDamaged: the file cannot be used.
        """
        key = self._read().key
        return OwnerKey(bytes.fromhex(key)) if key else None

    def make(self) -> tuple[OwnerKey, bool]:
        """The key, and whether it was made now.

        Raises:
            KeyDamaged: the file cannot be used.
            WriteFailed: the system refuses.
        """
        if key := self.read():
            return key, False
        made = OwnerKey(secrets.token_bytes(_BYTES))
        # Where another process has kept its own meanwhile, that is the key: nobody would have ours.
        return (made, True) if self.keep(made) else self.make()

    def keep(self, key: OwnerKey) -> bool:
        """Keep a key where there is none; whether it was kept."""
        with self._lock().hold(_WAIT_SECONDS):
            record = self._read()
            if record.key:
                return False
            self._write(record.model_copy(update={"key": key.secret.hex()}))
            return True

    def read_seen_generation(self, chain: str) -> int:
        """The newest generation that was seen of a back-up; 0 without one."""
        return self._read().seen.get(chain, 0)

    def note_seen(self, chain: str, number: int) -> None:
        """Note the newest generation of a back-up, also where it is older than that seen before.

        Raises:
            WriteFailed: the system refuses.
        """
        with self._lock().hold(_WAIT_SECONDS):
            record = self._read()
            self._write(record.model_copy(update={"seen": {**record.seen, chain: number}}))

    def _lock(self) -> Latch:
        return Latch(self.path.with_suffix(".lock"))

    def _read(self) -> _KeyRecord:
        try:
            return _KeyRecord.model_validate_json(read_regular(self.path))
        except FileNotFoundError:
            return _KeyRecord()
        except OSError as error:
            raise KeyDamaged(str(self.path), error.strerror or str(error)) from error
        except ValidationError as error:
            raise KeyDamaged(str(self.path), "it is no such file") from error

    def _write(self, record: _KeyRecord) -> None:
        try:
            replace_private(self.path, record.model_dump_json().encode(), lasting=True)
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or str(error)) from error


def key_file(environment: Mapping[str, str]) -> KeyFile:
    """The file of the key, in the person's configuration.

    Raises:
        NoKeyPlace: nothing says where that is.
    """
    folder = configuration_folder(environment)
    if folder is None:
        raise NoKeyPlace
    return KeyFile(folder / _FILE)
