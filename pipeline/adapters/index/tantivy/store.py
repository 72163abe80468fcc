"""The words of the index in a folder: Tantivy, an engine within this process."""

import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING
from weakref import ref

from pipeline.adapters.index.folders import replace_live, write_errors
from pipeline.clock import stopwatch
from pipeline.errors import IndexUnavailable
from pipeline.ports.index import Indexer, IndexLayout, RankedSearcher
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import make_folder, read_regular, write_regular

if TYPE_CHECKING:
    from pipeline.adapters.index.tantivy.index import TantivySearcher

_NAME = "tantivy-0.27.0-1"  # the last number is of how we use it
_LIVE = "live"
_WORDS = "words-"
_NAMED = re.compile(f"{_WORDS}[0-9a-f]{{8}}")


class TantivyStore:
    """An index in `folder`: the file `live` names the folder beside it in which the index in use is.

    A change is one commit in that folder. A new index has a folder of its own, so that it need not understand the old
    one, and with the old folder all that stood in it is gone. Readers hold no lock: what they have open stays there for
    them when it is removed. After a use the index stays open for a moment: to open it takes as long as to search.

    What a change takes out is in no answer, but in the files, and in how rare a term is, until the engine joins the
    part of the index in which it stands with others. Of a large part that may take long; a build leaves nothing of it.
    """

    def __init__(self, folder: Path, layout: IndexLayout, *, patience: float = 30.0, linger: float = 0.0) -> None:
        """Nothing is opened yet.

        Args:
            folder: its place; it may be missing.
            layout: of what it builds, and of what it writes.
            patience: how many seconds to wait for another writer.
            linger: for how many seconds the index stays open after a use; what was removed since takes room as long.
        """
        self._folder, self._layout, self._patience, self._linger = folder, layout, patience, linger
        self._counts: dict[bytes, dict[str, int]] = {}  # to count points takes as long as to search
        # Who still reads the index opens it again for nothing. Nobody keeps files on the disk that were removed.
        self._last: ref[TantivySearcher] | None = None
        self._kept: TantivySearcher | None = None
        self._keeping, self._until = Lock(), 0.0

    @property
    def name(self) -> str:
        """The engine, its version, and that of how it is used."""
        return _NAME

    @contextmanager
    def reading(self) -> Iterator[RankedSearcher | None]:
        """The index as it is now, `None` when there is none yet."""
        read = self._snapshot()
        yield read
        if read and self._linger:  # it is kept open until it was not used for a while
            with self._keeping:
                self._until = stopwatch() + self._linger
                if self._kept is None:
                    self._look_again(self._linger)
                self._kept = read

    def version(self) -> bytes:
        """The version of the live index."""
        from pipeline.adapters.index.tantivy.opening import version_of  # noqa: PLC0415 - it leads to the engine

        with suppress(IndexUnavailable):
            if live := self._live():
                return version_of(self._folder / live)
        return b""

    @contextmanager
    def writing(self) -> Iterator[Indexer]:
        """The index, for one commit."""
        from pipeline.adapters.index.tantivy.opening import change_index  # noqa: PLC0415 - it leads to the engine

        with self._turn():
            live = self._live()
            if live is None:
                why = "there is none yet"
                raise IndexUnavailable(why)
            self._tidy()
            with change_index(self._folder / live, self._layout) as indexer:
                yield indexer

    @contextmanager
    def building(self) -> Iterator[Indexer]:
        """A new index beside the one there is, which takes its place when the block ends well."""
        from pipeline.adapters.index.tantivy.opening import create_index  # noqa: PLC0415 - it leads to the engine

        with self._turn():
            self._tidy()
            name = f"{_WORDS}{uuid.uuid4().hex[:8]}"
            try:
                with write_errors(self._folder):
                    make_folder(self._folder / name)
                    write_regular(self._folder / ".gitignore", b"*\n")
                with create_index(self._folder / name, self._layout) as indexer:
                    yield indexer
                replace_live(self._folder / _LIVE, name)
            finally:
                self._tidy()

    def tidy(self) -> None:
        """Remove what killed builds left."""
        if self._folder.exists():
            with self._turn():
                self._tidy()

    def drop(self) -> None:
        """Remove the index, if there is one."""
        if self._folder.exists():
            with self._turn():
                with write_errors(self._folder):
                    (self._folder / _LIVE).unlink(missing_ok=True)
                self._tidy()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with Latch(self._folder / "index.lock").hold(self._patience):
            yield

    def _snapshot(self) -> "TantivySearcher | None":
        """The index that is live now, whatever takes its place meanwhile."""
        while live := self._live():
            from pipeline.adapters.index.tantivy.opening import snapshot  # noqa: PLC0415 - it leads to the engine

            try:
                last = self._last() if self._last else None
                read = snapshot(self._folder / live, self._counts, last)
            except IndexUnavailable:
                if live == self._live():
                    raise
            else:
                self._last = ref(read)
                return read
        return None

    def _let_go(self) -> None:
        with self._keeping:
            if (left := self._until - stopwatch()) > 0:
                self._look_again(left)
            else:
                self._kept = None

    def _look_again(self, seconds: float) -> None:
        timer = Timer(seconds, self._let_go)
        timer.daemon = True
        timer.start()

    def _live(self) -> str | None:
        """The name of the live folder, `None` when there is none."""
        try:
            name = read_regular(self._folder / _LIVE).decode()
        except FileNotFoundError:
            return None
        except PermissionError as error:
            why, advice = f"{_LIVE} cannot be read ({error.strerror})", "Give the right to read it."
            raise IndexUnavailable(why, advice) from error
        except (OSError, ValueError):
            name = ""
        if not _NAMED.fullmatch(name):
            why = f"{_LIVE} is damaged"
            raise IndexUnavailable(why)
        return name

    def _tidy(self) -> None:
        """Remove the unused folders: the last one, and those of killed builds."""
        live = None
        with suppress(IndexUnavailable):  # none can be used then
            live = self._live()
        for path in self._folder.glob(f"{_WORDS}*"):
            if path.name != live:
                shutil.rmtree(path, ignore_errors=True)
