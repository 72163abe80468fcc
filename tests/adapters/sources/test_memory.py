"""A source holds one session at a time, however many its folder has, and of that one little more than what is said."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.conversations import ASKED, FORMATS

COPIES = 12
MARGIN = 16
"""MiB by which a folder of many sessions may take more than one of them: allocators, listings, pages of SQLite."""
LARGEST_SESSION = 80
"""MiB that the longest session of the samples may take, with the program: it is 5 to 10 MB in its file."""
_READER = """
import sys
from importlib import import_module
from pathlib import Path
from pipeline.adapters.sources.reading.files import SourcePlace
from schemas.settings import SourceSettings

kind, root = sys.argv[1], Path(sys.argv[2])
module = import_module(f"pipeline.adapters.sources.{kind}")
source = module.KIND.source(SourcePlace(SourceSettings(kind=kind, path=str(root)), root, "UTC"))
read = sum(len(source.read(file.path)) for file in source.files())
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print(read, int(peak) // 1024)
"""


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "form"), FORMATS)
def test_many_sessions_take_the_memory_of_one(tmp_path: Path, kind: str, form: str) -> None:
    """Twelve copies of a long session, each in a folder of its own, are read in the memory of the first."""
    folder = tmp_path / "sessions" / "copy-0"
    folder.mkdir(parents=True)
    FORMATS[kind, form](folder, ASKED)
    one = _peak(kind, folder.parent)
    for number in range(1, COPIES):
        shutil.copytree(folder, folder.with_name(f"copy-{number}"))
    many = _peak(kind, folder.parent)
    assert (1, COPIES) == (one[0], many[0])
    assert one[1] < LARGEST_SESSION
    assert many[1] < one[1] + MARGIN


def _peak(kind: str, root: Path) -> tuple[int, int]:
    """How many sessions a fresh process reads in a folder, and its largest resident size in MiB.

    The size comes from Linux: what `getrusage` tells of a child counts the process that started it, too.
    """
    words = (sys.executable, "-c", _READER, kind, str(root))
    ended = subprocess.run(words, check=True, capture_output=True, text=True)
    sessions, peak = map(int, ended.stdout.split())
    return sessions, peak
