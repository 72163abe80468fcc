"""From an exception to a sentence on stderr and an exit code: the same for the command and for its worker process."""

import io
import os
import platform
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

import click

from pipeline.errors import PipelineError

BUG = 70
INTERRUPTED = 130
PIPE_CLOSED = 141
PACKAGE = "agent-memory-pipeline"


def guarded(call: Callable[[], int | None]) -> int:
    """The exit code of a call, whatever happens in it; what a person should know goes to stderr."""
    try:
        code = call() or 0
        sys.stdout.flush()
    except PipelineError as error:
        tell(str(error))
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort as error:
        code = INTERRUPTED if isinstance(error.__cause__, KeyboardInterrupt) else 1
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        _close_output()
        code = PIPE_CLOSED
    except Exception:  # noqa: BLE001 - the outermost place: what arrives here is a bug, and is told as one
        _tell_bug()
        code = BUG
    return code


def make_printable(stream: object) -> None:
    """Let everything that people say be printed, whatever letters the terminal knows and half pairs a file holds.

    A program that reads us gets UTF-8 in every locale. The escapes of what cannot be encoded are valid in JSON.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def tell(sentence: str) -> None:
    """A sentence for a person, on stderr."""
    click.echo(f"memory: {sentence}", err=True)


def version() -> str:
    """The version of the product that is installed."""
    from importlib import metadata  # noqa: PLC0415 - only needed when somebody asks, and slow to import

    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"


def _tell_bug() -> None:
    tell("something happened that should not; this is a bug. Please report it with all that follows.")
    click.echo(traceback.format_exc().rstrip(), err=True)
    click.echo(f"memory {version()}, Python {platform.python_version()}, {platform.platform()}", err=True)


def _close_output() -> None:
    """Whoever read our output has gone; what is still buffered must not fail again when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
