"""A reader that goes away is no error."""

import os
from subprocess import PIPE, Popen

from tests.support.processes.command_line import CommandLine, bare_environment


def test_a_reader_that_goes_away_is_no_error(memory: CommandLine) -> None:
    """`memory show jobs | true` says nothing on stderr."""
    reader, writer = os.pipe()
    os.close(reader)
    with Popen(
        memory.words("show", "jobs"), env=bare_environment(memory.home), stdout=writer, stderr=PIPE, text=True
    ) as process:
        os.close(writer)
        output = process.communicate(timeout=60)[1]
    assert output == ""
