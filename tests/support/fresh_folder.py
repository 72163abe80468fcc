"""A folder for one example of a property test, which cannot have one of pytest's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """An empty folder; it goes afterwards."""
    with TemporaryDirectory() as name:
        yield Path(name)
