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


class UnknownDetail(UnknownName):
    """No detail has this key, or it has expired."""

    sort = "stored detail"
    listed = "It may have expired. `memory store list` lists what is kept; do not try this key again"
