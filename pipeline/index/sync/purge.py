"""Taking words out of an index for good."""

from pipeline.index.context import Indexing
from pipeline.index.sync.update import rebuild

WAIT_SECONDS = 60.0
"""How long to wait for an update of another process to end."""


def erase_from_index(indexing: Indexing) -> bool:
    """Build the index anew from the files as they are; whether there was one.

    What is deleted from an index stays in its files until the engine clears up. So whoever has to be sure makes another
    one, which takes over the vectors of all other text, and the old one is removed.

    Raises:
        Held: another process is updating it, or will not let it go.
        IndexUnavailable: its server does not answer.
    """
    with indexing.store.reading() as reader:
        if reader is None:
            return False
    rebuild(indexing, "something was forgotten", wait=WAIT_SECONDS)
    return True
