"""From an exception to a sentence on stderr and an exit code: the same for the command and for its worker process."""

import platform
import traceback
from collections.abc import Callable

import click

from pipeline.errors import PipelineError
from pipeline.surfaces.cli.terminal import streams as output

FAILED = 1
BUG = 70
INTERRUPTED = 130
PACKAGE = "agent-memory-pipeline"


def guarded(call: Callable[[], int | None], *, into_log: bool = False) -> int:
    """The exit code of a call, whatever happens in it; what a person should know goes to stderr.

    What is printed is not the work: that it could not be printed is told after it, and is a failure when all else went
    well. It is none when it was printed `into_log`, nor when nobody was left to read it.
    """
    code = _ended(call)
    without_print = unprinted(output.lost())  # told in any case
    return code or (0 if into_log else without_print)


def _ended(call: Callable[[], int | None]) -> int:
    try:
        return call() or 0
    except PipelineError as error:
        print_message(str(error))
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as error:
        return INTERRUPTED if isinstance(error.__cause__, KeyboardInterrupt) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - the outermost place: what arrives here is a bug, and is told as one
        _print_bug()
        return BUG


def unprinted(lost: OSError | None) -> int:
    """The exit code of what was `lost` on stdout, which is told; 0 when nothing was, or nobody was left to read it."""
    if lost is None or output.reader_left(lost):
        return 0
    print_message(f"stdout cannot be written: {lost.strerror}. What was to be printed there is lost.")
    return FAILED


def print_message(sentence: str) -> None:
    """A sentence for a person, on stderr."""
    click.echo(f"memory: {sentence}", err=True)


def version() -> str:
    """The version of the product that is installed."""
    from importlib import metadata  # noqa: PLC0415 - only needed when somebody asks, and slow to import

    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"


def _print_bug() -> None:
    print_message("something happened that should not; this is a bug. Please report it with all that follows.")
    click.echo(traceback.format_exc().rstrip(), err=True)
    click.echo(f"memory {version()}, Python {platform.python_version()}, {platform.platform()}", err=True)
