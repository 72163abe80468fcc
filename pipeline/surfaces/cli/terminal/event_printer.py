"""The events of a command: log lines for programs, or sentences for a person."""

from collections.abc import Callable, Mapping

import click

from pipeline.events import MEANINGS, Emit, Event
from pipeline.process.logging import LEVEL_OF, LEVELS, stderr_emitter
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import printable

_PRINTED_BY_THE_COMMAND = frozenset({Event.INDEX_UNREADABLE, Event.RUN_WARNED})
"""Warnings that a person reads in what the command prints."""

_SENTENCES: Mapping[Event, Callable[[Mapping[str, object]], str]] = {
    Event.MENDED: lambda fields: f"what a crash had left half written in {fields['path']} was completed or removed.",
    Event.LEDGER_REBUILT: lambda _: (
        "the ledger was missing and has been made again from the Markdown files, as far as they tell; "
        "`memory status` shows the time that is not known."
    ),
    Event.SOURCE_UNREADABLE: lambda fields: f"{fields['error']} Its time is run again once it can be read.",
    Event.PING_FAILED: lambda fields: f"a ping for {fields['job']} could not be sent: {fields['reason']}.",
    Event.METRICS_FAILED: lambda fields: f"the run is not affected, but its metrics are not shown: {fields['error']}",
}


def emitter(level: str) -> Emit:
    """The emitter of the current command: events of `level` and above, on stderr.

    With --json it writes log lines. Without it a person follows the printed output, so only warnings and errors are
    written: as sentences, whether stderr is a terminal, a file or a pipe.
    """
    context = click.get_current_context(silent=True)
    if context is None or context.params.get("as_json", True):
        return stderr_emitter(level)
    least = max(LEVELS.index(level), LEVELS.index("warning"))

    def emit(event: Event, **fields: object) -> None:
        if LEVELS.index(LEVEL_OF[event]) >= least and event not in _PRINTED_BY_THE_COMMAND:
            print_message(printable(sentence(event, fields)))

    return emit


def sentence(event: Event, fields: Mapping[str, object]) -> str:
    """An event as a sentence; one without a sentence of its own is written as its meaning and its fields."""
    if event in _SENTENCES:
        return f"warning: {_SENTENCES[event](fields)}"
    more = "; ".join(f"{name}: {value}" for name, value in fields.items())
    return f"warning: {MEANINGS[event]}{f' ({more})' if more else ''}."
