"""Output that cannot be written, in this process; tests/acceptance has the command whose streams are full or closed."""

import io
import os

from pipeline.surfaces.cli.terminal.streams import Outlet, colour
from tests.support.tables import table

FULL = "/dev/full"


PAGE = 4096  # bytes; so much goes into a pipe as a whole, or not at all


def test_what_cannot_be_written_is_dropped_and_remembered() -> None:
    """A write to a full disk counts as done; why it was lost is known."""
    descriptor = os.open(FULL, os.O_WRONLY)
    outlet = Outlet(descriptor)
    with io.TextIOWrapper(io.BufferedWriter(outlet)) as stream:
        before = outlet.lost
        stream.write("x" * 100_000)
    os.close(descriptor)
    assert before is None
    assert outlet.lost is not None
    assert outlet.lost.strerror == "No space left on device"


def test_a_reader_that_is_slow_gets_all() -> None:
    """A pipe that was told not to wait is waited for all the same."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    heard = 0

    class Watched(Outlet):
        """Is read once it asks when it may go on."""

        def fileno(self) -> int:
            nonlocal heard
            heard += len(os.read(reader, 1_000_000))
            return super().fileno()

    outlet = Watched(writer)
    while not heard:
        assert PAGE == outlet.write(bytes(PAGE))
    assert outlet.lost is None
    os.close(reader)
    os.close(writer)


@table(
    ("variables", "expected"),
    [
        ({}, None),
        ({"NO_COLOR": ""}, None),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "x"}, None),
    ],
)
def test_who_wants_colours(variables: dict[str, str], *, expected: bool | None) -> None:
    """`NO_COLOR` with any value but an empty one, and a dumb terminal, mean none."""
    assert expected is colour(variables)
