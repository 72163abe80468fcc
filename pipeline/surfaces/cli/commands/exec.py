"""`memory exec`. What stores is imported when there is much to store: so a command with little output is soon done."""

import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from pipeline.errors import PipelineError
from pipeline.process.foreign import MISSING, NOT_RUN, OUT, Recording, become, pass_on, run_recorded
from pipeline.service.socket.client_or_local import ServiceClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.streams import lost, reader_left
from schemas.exit_codes import SIGNALLED

_MARK = "[MemoryRef: "
_STOPPED = {SIGNALLED + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)}
_MOST = 262_144  # bytes that the service is asked to keep
_SURELY_SMALL = 50  # bytes: the least that `store.threshold` may be in tokens, and a token has a byte at least


@click.command("exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[--] COMMAND [ARG]...")
@click.option("--description", default="", metavar="TEXT", help="What it is about, for the placeholder.")
@options.workspace
def command(words: tuple[str, ...], workspace: str | None, description: str) -> int:
    """Run COMMAND, and print a large output as a placeholder.

    It runs as it would without this: with the same input, folder and environment, and its exit code is ours. Signals
    are passed on. A small output is printed as it is. One of more than store.threshold tokens is stored, with secrets
    masked, and what is printed says what one needs to know of it: `memory store show KEY` has the rest.

    An output of more than 256 MiB, or of half of what the disk has left, is not stored, but printed as it comes. When
    COMMAND was told to stop, one of more than 4 MiB is neither. Where nobody reads what is printed, nobody reads
    COMMAND either, and on Linux it is killed when this is.

    On a terminal all of it passes through as it comes, and nothing is stored. When it cannot be stored, the output
    itself is printed, and a sentence on stderr says why.
    """
    try:
        if os.isatty(OUT):
            become(words)
        recording = Recording(_write)
        code = run_recorded(words, recording)
    except OSError as error:
        print_message(f"{words[0]} cannot be run: {error.strerror or error}.")
        return MISSING if isinstance(error, FileNotFoundError) else NOT_RUN
    try:
        _print(words, code, recording, (workspace, description))
    finally:
        recording.close()
    return code


def _write(stream: int, data: bytes) -> None:
    """Write to our own stream.

    Raises:
        BrokenPipeError: nobody reads our stdout, which drops what it cannot write.
    """
    pass_on(stream, data)
    if stream == OUT and (error := lost()) and reader_left(error):
        raise error


def _print(words: Sequence[str], code: int, recording: Recording, how: tuple[str | None, str]) -> None:
    if recording.trouble:  # all was printed as it came
        why = recording.trouble.strerror
        print_message(f"there was no room to record the output, so it was printed as it came: {why}.")
        return
    if recording.is_large and code in _STOPPED:
        print_message(f"it was told to stop, so its output of {recording.size:,} bytes was not kept.")
        return
    shown, trouble = "", ""
    try:
        if recording.size > _SURELY_SMALL:
            shown = _placeholder(words, code, recording, how)
    except PipelineError as error:
        trouble = f"{error} The output itself was printed."
    finally:  # whatever happened: what the command said is not lost
        with suppress(BrokenPipeError):
            click.echo(shown) if shown else recording.give_out()
    sys.stdout.flush()
    if trouble:
        print_message(trouble)


def _placeholder(words: Sequence[str], code: int, recording: Recording, how: tuple[str | None, str]) -> str:
    """The placeholder of the output; empty for a small output."""
    workspace, description = how
    root = root_of(workspace)
    made: dict[str, Any] = {"description": description, "command": shlex.join(words), "exit_code": code}
    kept = _by_service(root, recording, made)
    if kept is None:
        from pipeline.app.details.keep import KeepRequest, is_of_store
        from pipeline.app.details.opened import opened_details
        from pipeline.process.context import ProcessContext

        with opened_details(root, ProcessContext(environment())) as details:
            if is_of_store(details.store, next(recording.blocks()).decode(errors="replace")):
                return ""
            kept = details.keep(KeepRequest(recording.blocks(), **made)).placeholder
    key = kept.partition(_MARK)[2].partition(" ")[0]
    return f"{kept}\nIn a shell: memory store show {key} --lines 1-80" if kept else ""


def _by_service(root: Path, recording: Recording, made: Mapping[str, Any]) -> str | None:
    """The placeholder by the service, which is loaded; `None` without it, and for output that it does not take."""
    if recording.size > _MOST:
        return None
    try:
        text = b"".join(recording.blocks()).decode()
    except UnicodeDecodeError:  # JSON has no bytes
        return None
    answer: str | None = ServiceClient(root, environment()).answer("keep", {**made, "content": text})
    return answer
