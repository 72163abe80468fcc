"""A use case called by a program that has no command line."""

import subprocess
import sys

from tests.support.tables import table


@table("module", ["pipeline.app.runs", "pipeline.app.status", "pipeline.doctor.checks"])
def test_a_use_case_needs_no_command_line(module: str) -> None:
    """Neither the parser of the command line nor any of its modules is imported, also not by way of others."""
    code = f"import sys, {module}; print([name for name in sys.modules if name == 'click' or 'surfaces' in name])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
