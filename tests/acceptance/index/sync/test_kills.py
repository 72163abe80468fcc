"""`kill -9` at any moment of an update of a real index, then one undisturbed update: what a new index would be."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from pipeline.index.sync.update import update
from tests.support.marks import at_length
from tests.support.workspaces.index_bench import contents, indexing_on_disk, made_anew, without_vectors

KILLS_A_FOLDER = 5
FILES = 12
UPDATE = """
import sys
from pathlib import Path
from pipeline.index.sync.update import update
from tests.support.workspaces.index_bench import indexing_on_disk
indexing = indexing_on_disk(Path(sys.argv[1]))
print("ready", flush=True)
update(indexing)
"""
WORDS = ("lamp", "cellar", "costs", "twenty", "Anna", "reads", "aloud", "harbour", "koszt", "serwera", "grudzień")


def edit(root: Path, dice: Random) -> None:
    """Write, change, rename and remove some files."""
    folder = root / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(dice.randint(1, FILES)):
        file = folder / f"{dice.randrange(FILES)}.md"
        if file.exists() and dice.random() < 0.2:
            file.rename(folder / f"{dice.randrange(FILES)}.md")
        elif file.exists() and dice.random() < 0.2:
            file.unlink()
        else:
            file.write_text("".join(section(dice) for _ in range(dice.randint(1, 8))), encoding="utf-8")


def section(dice: Random) -> str:
    """A heading and some items."""
    items = "".join(f"- {' '.join(dice.choices(WORDS, k=12))}\n" for _ in range(dice.randint(1, 6)))
    return f"## {dice.choice(WORDS)}\n\n{items}\n"


def started(root: Path) -> subprocess.Popen[str]:
    """A process that is about to update the index."""
    process = subprocess.Popen([sys.executable, "-c", UPDATE, root], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How many seconds an undisturbed update takes here; only to aim by."""
    root = tmp_path_factory.mktemp("whole")
    edit(root, Random(0))  # noqa: S311 - the same dice every time
    with started(root) as process:
        began = monotonic()
        process.wait()
    return monotonic() - began


def kill_at_random(root: Path, dice: Random, whole: float) -> None:
    """Start an update and kill it at some moment."""
    with started(root) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(dice.uniform(0, whole))
        process.kill()


@pytest.mark.parametrize("seed", [0, *at_length(1, 2, 3)])
def test_ten_kills(seed: int, tmp_path: Path, whole: float) -> None:
    """Five on each of two indexes, with changes in between: nothing is lost, doubled or left over."""
    dice = Random(seed)  # noqa: S311 - the same dice every time
    for _ in range(KILLS_A_FOLDER):
        edit(tmp_path, dice)
        kill_at_random(tmp_path, dice, whole)
    indexing = indexing_on_disk(tmp_path)
    updated = update(indexing, wait=30)  # what a killed process had started may hold the lock for a moment
    assert (0, "") == (updated.waiting, updated.without_vectors)
    assert made_anew(indexing) == contents(indexing.store)
    assert {} == without_vectors(indexing)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_two_hundred_kills(seed: int, tmp_path: Path, whole: float) -> None:
    """Five on each of forty indexes."""
    test_ten_kills(seed, tmp_path, whole)
