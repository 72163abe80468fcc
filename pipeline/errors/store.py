"""The expected errors of the store, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError, UnknownName


class StoreUnavailable(PipelineError):
    """The store cannot be reached; nothing was lost, and nothing stored."""

    def __init__(self, where: str, reason: str) -> None:
        """`where` names the file or the server without its password; `reason` is the system's own word."""
        super().__init__(
            f"The store {where} cannot be reached: {reason}. Nothing was stored; try again once it is back."
        )


class StoreBusy(PipelineError):
    """Another process holds the store for too long."""

    exit_code = 75

    def __init__(self, where: str) -> None:
        """`where` names the file or the server."""
        super().__init__(f"Another process holds the store {where}. Nothing was stored; try again.")


class StoreRefused(PipelineError):
    """The database does not take a value, such as a text with a zero byte in PostgreSQL."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        """`reason` is the database's own word."""
        super().__init__(f"The store does not take this value: {reason}. Nothing was stored; change the value.")


class StoreFull(PipelineError):
    """There is no room for what was to be stored."""

    def __init__(self, where: str) -> None:
        """`where` names the file or the server."""
        super().__init__(
            f"There is no room left for the store {where}. Nothing was stored. "
            f"Make room there, or drop what is old with `memory store prune`."
        )


class StoreDamaged(PipelineError):
    """The file is no store, or was damaged."""

    def __init__(self, where: str, reason: str) -> None:
        """`reason` is the system's own word."""
        super().__init__(
            f"{where} cannot be read as a store: {reason}. Put it back from a backup, or move it away to begin anew."
        )


class StoreNewer(PipelineError):
    """A newer program has written the store."""

    exit_code = 2

    def __init__(self, where: str, version: str) -> None:
        """`version` is the version of the tables, which this program does not know."""
        super().__init__(
            f"The store {where} has version {version}, which is newer than this program. Nothing was changed; "
            f"update the program."
        )


class StoreDriverMissing(PipelineError):
    """The settings name a PostgreSQL server, and its client is not installed."""

    exit_code = 2

    def __init__(self) -> None:
        super().__init__(
            "store.url names a PostgreSQL server, and its client is not installed. "
            "Install it with `pip install 'agent-memory-pipeline[postgres]'`."
        )


STORE_UNUSABLE = (StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing)
"""The store as a whole is not to be had: no request can be mended so that it is."""


class UnknownDetail(UnknownName):
    """No detail has this key, or it has expired."""

    sort = "stored detail"
    listed = "It may have expired. `memory store list` lists what is kept; do not try this key again"


class PlaceholderNotKey(PipelineError):
    """A whole placeholder was given as a key."""

    exit_code = 2

    def __init__(self, key: str) -> None:
        """`key` is the one in the placeholder."""
        super().__init__(f"This is a placeholder, and not a key. Its key is {key!r}: ask with that alone.")


class LinesUnclear(PipelineError):
    """What was asked for names no lines."""

    exit_code = 2

    def __init__(self, lines: str) -> None:
        """`lines` is what was asked for."""
        super().__init__(f'{lines!r} names no lines; write them as lines="100-180", or one as lines="7".')


class LinesNotThere(PipelineError):
    """The text ends before the lines that were asked for."""

    exit_code = 2

    def __init__(self, wanted: str, total: int) -> None:
        """`total` is how many lines there are."""
        super().__init__(f"There are no lines {wanted}: the text has {total}. Ask for some from 1 to {total}.")


class PagesNotThere(PipelineError):
    """There are fewer pages than the one that was asked for."""

    exit_code = 2

    def __init__(self, wanted: int, total: int) -> None:
        """`total` is how many pages there are."""
        super().__init__(f"There is no page {wanted}: the last one is page {total}.")


class DetailGone(PipelineError):
    """A detail has expired: nothing brings it back but what made it."""

    exit_code = 2

    def __init__(self, key: str, command: str = "") -> None:
        """`command` made the text; empty where that is not known."""
        anew = f" Run `{command}` to make it anew." if command else ""
        super().__init__(f"The stored detail {key!r} has expired and is gone; do not try this key again.{anew}")


class ExportDamaged(PipelineError):
    """A file of an export is not what was exported."""

    def __init__(self, where: str) -> None:
        """`where` is the file."""
        super().__init__(f"{where} is not what was exported. What stands before it was imported; export it anew.")
