"""From an exception to a sentence on stderr and an exit code: the same for the command and for its worker process."""

from collections.abc import Callable

import click

from pipeline.errors import PipelineError
from pipeline.surfaces.cli.terminal import streams as output

FAILED = 1
BUG = 70
INTERRUPTED = 130
PACKAGE = "agent-memory-pipeline"


def run_guarded(call: Callable[[], int | None], *, into_log: bool = False) -> int:
    """Run a call and give its exit code, whatever happens in it; messages for a person go to stderr.

    Printing is not the work: lost output is reported after it, and is a failure when the work went well. It is none
    when it was printed `into_log`, nor when the reader has gone.
    """
    try:
        code = call() or 0
    except PipelineError as error:
        print_message(str(error))
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort as error:
        code = INTERRUPTED if isinstance(error.__cause__, KeyboardInterrupt) else FAILED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception:  # noqa: BLE001 - the outermost place: any other exception is a bug, and is reported as one
        import platform
        import traceback

        print_message("something happened that should not; this is a bug. Please report it with all that follows.")
        click.echo(traceback.format_exc().rstrip(), err=True)
        click.echo(f"memory {version()}, Python {platform.python_version()}, {platform.platform()}", err=True)
        code = BUG
    without_print = report_lost_output(output.lost())  # reported in any case
    return code or (0 if into_log else without_print)


def report_lost_output(lost: OSError | None) -> int:
    """Report output that was `lost` on stdout; the exit code, 0 when nothing was lost or the reader has gone."""
    if lost is None or output.reader_left(lost):
        return 0
    print_message(f"stdout cannot be written: {lost.strerror}. What was to be printed there is lost.")
    return FAILED


def print_message(sentence: str) -> None:
    """Print a sentence for a person on stderr."""
    click.echo(f"memory: {sentence}", err=True)


def version() -> str:
    """The version of the product that is installed."""
    from importlib import metadata

    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"
