"""Large files and stores of OpenClaw: what is listed costs no reading, and what is no conversation no memory."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.builders.openclaw_store import OpenClawStoreFile
from tests.support.marks import at_length

MIB = 1024 * 1024
SIZES = [16 * MIB, *at_length(60 * MIB)]
PIECE = 48 * 1024  # bytes of one record
READER = """
import json, re, sys
from pathlib import Path
from pipeline.adapters.sources import openclaw
from pipeline.adapters.sources.kind import SourcePlace
from schemas.settings import SourceSettings

def opened(root):
    return openclaw.KIND.source(SourcePlace(SourceSettings(kind="openclaw", path=root), Path(root), "UTC"))

def read_bytes():
    return int(Path("/proc/self/io").read_text().split()[1])

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024

small, large = opened(sys.argv[1]), opened(sys.argv[2])
[small.read(file.path) for file in small.files()]
before, base = read_bytes(), peak()
files = list(large.files())
listed = read_bytes() - before
messages = [message.text for file in files for session in large.read(file.path) for message in session.messages]
print(json.dumps({"listed": listed, "grown": peak() - base, "said": messages.count("hello")}))
"""


def tools(size: int) -> OpenClawLines:
    """A session of which a person said little, and its tools much."""
    lines = OpenClawLines("s-one")
    lines.user("hello")
    for _ in range(size // PIECE):
        lines.result("exec", "x" * PIECE)
    return lines


def taken_back(size: int) -> OpenClawLines:
    """A session of which nearly all was taken back, many times."""
    lines = OpenClawLines("s-one")
    root = lines.user("hello", timestamp=1)
    for number in range(size // PIECE):
        content = [{"type": "text", "text": f"{number} " + "x" * PIECE}]
        message = {"role": "user", "content": content, "timestamp": 2 + number}
        lines.add({"type": "message", "parentId": root, "message": message})
    lines.add({"type": "leaf", "targetId": root})
    return lines


def measured(small: Path, large: Path) -> dict[str, int]:
    """What reading the folder `large` takes after `small`: bytes read to list it, growth of memory, words said."""
    done = subprocess.run(
        [sys.executable, "-c", READER, str(small), str(large)], capture_output=True, text=True, check=True
    )
    actual: dict[str, int] = json.loads(done.stdout)
    return actual


@pytest.mark.parametrize("session", [tools, taken_back])
@pytest.mark.parametrize("size", SIZES)
def test_a_large_file_takes_little_memory(tmp_path: Path, size: int, session: Callable[[int], OpenClawLines]) -> None:
    """Less than a third of its size, although a file with branches is read twice."""
    session(PIECE).write(tmp_path / "small/agents/main/sessions/s-one.jsonl")
    session(size).write(tmp_path / "large/agents/main/sessions/s-one.jsonl")
    actual = measured(tmp_path / "small", tmp_path / "large")
    assert actual["said"] == 1
    assert actual["grown"] < size // 3


@pytest.mark.parametrize("session", [tools, taken_back])
@pytest.mark.parametrize("size", SIZES)
def test_a_large_store_takes_little_memory_and_is_listed_without_being_read(
    tmp_path: Path, size: int, session: Callable[[int], OpenClawLines]
) -> None:
    """The listing reads an index, and no text."""
    for name, length in (("small", PIECE), ("large", size)):
        store = OpenClawStoreFile(tmp_path / name / "agents/main")
        with closing(store.agent):
            store.put(session(length))
    actual = measured(tmp_path / "small", tmp_path / "large")
    assert actual["said"] == 1
    assert actual["grown"] < size // 3
    assert actual["listed"] < size // 20
