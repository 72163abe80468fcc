"""The manual page is one that man can show."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.surfaces.cli.tree import ALIASES, COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "man" / "memory.1"
CHECKS = {"mandoc": ("-T", "lint", "-W", "error"), "man": ("--warnings", "--local-file")}
"""The programs that show the page, with the options by which they name what is wrong."""


def test_every_command_stands_on_the_page() -> None:
    """Each once, in the sections of the help; each old name too."""
    page = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    shown = re.findall(r"^\.SS memory ([a-z -]+?)(?= [A-Z\[(]|$)", page, re.MULTILINE)
    assert {*COMMANDS} == {*shown}
    assert len(COMMANDS) == len(shown)
    assert {*ALIASES} <= {*re.findall(r"^\.B memory ([a-z -]+)$", page, re.MULTILINE)}


@pytest.mark.parametrize("program", CHECKS)
def test_the_page_has_no_fault(program: str) -> None:
    """No macro is unknown, and no line is wrong."""
    if not shutil.which(program):
        pytest.skip(f"there is no {program} here")
    wide = os.environ | {"MANWIDTH": "200"}  # the longest name is one word
    shown = subprocess.run([program, *CHECKS[program], PAGE], capture_output=True, text=True, check=True, env=wide)
    assert "" == shown.stderr
