"""The texts of a new index until their vectors are made, so that no file is cut a second time for them."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

MOST = 1_000
"""The most texts in memory; of more, all are in a file without a name, of which nothing is left with the process."""


class KeptTexts:
    """Texts by the keys of their vectors, each once, with the path of the file in which it came first."""

    def __init__(self, folder: Path) -> None:
        """`folder` is on the disk that has room for them."""
        self._folder = folder
        self._seen = set[int]()
        self._files = list[tuple[str, dict[str, str]]]()
        self._disk: int | None = None
        self._places = list[tuple[str, int, int]]()

    def __len__(self) -> int:
        """How many texts."""
        return len(self._seen)

    def add(self, path: str, texts: Mapping[str, str]) -> None:
        """Keep the texts of a file that are new.

        Raises:
            OSError: the disk refuses.
        """
        numbers = {int(key, 16): key for key in texts}
        fresh = {key: texts[key] for number, key in numbers.items() if number not in self._seen}
        self._seen.update(numbers)
        if fresh:
            self._files.append((path, fresh))
        if self._disk is not None or len(self._seen) > MOST:
            self._write()

    def read(self, turn: Callable[[str], tuple[int, int]]) -> Iterator[dict[str, str]]:
        """The texts, at least `MOST` at a time, file by file in the order of the `turn` of the path.

        Raises:
            OSError: the disk refuses.
        """
        held, places = dict(self._files), {path: (begin, size) for path, begin, size in self._places}
        texts = dict[str, str]()
        for path in sorted([*held, *places], key=turn):
            texts |= held[path] if path in held else self._read(*places[path])
            if len(texts) >= MOST:
                yield texts
                texts = {}
        yield texts

    def close(self) -> None:
        """Let them go."""
        if self._disk is not None:
            os.close(self._disk)
            self._disk = None

    def _write(self) -> None:
        if self._disk is None:
            name = self._folder / f"texts-{os.getpid()}"
            self._disk = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            name.unlink()
        for path, texts in self._files:
            data = json.dumps(texts).encode()
            begin = os.lseek(self._disk, 0, os.SEEK_CUR)
            while data:
                data = data[os.write(self._disk, data) :]
            self._places.append((path, begin, os.lseek(self._disk, 0, os.SEEK_CUR) - begin))
        self._files.clear()

    def _read(self, begin: int, size: int) -> dict[str, str]:
        if self._disk is None:
            return {}
        texts: dict[str, str] = json.loads(os.pread(self._disk, size, begin))
        return texts
