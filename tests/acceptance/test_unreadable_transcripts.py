"""Transcripts that cannot be read: what an operator is told, by whom, until they can be."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.ledger.store import to_text
from tests.support.processes.command_line import Said
from tests.support.processes.preparation import ordinary_rights
from tests.support.workspaces.four_days import House

FILE = "agents/main/sessions/keys-1.jsonl"


def closed(path: Path) -> Path:
    """The path, which nobody may read any more; that this hinders us is checked."""
    path.chmod(0)
    ask = "import os, sys; sys.exit(os.access(sys.argv[1], os.R_OK))"
    allowed = subprocess.run([*ordinary_rights(), sys.executable, "-c", ask, str(path)], check=False).returncode
    assert not allowed, "a kernel on which this cannot be shown"
    return path


def told(house: House, *words: str) -> Said:
    """What a command says that has no more rights than the modes of files give."""
    return house.memory.memory(*words, before=ordinary_rights())


def source(house: House) -> dict[str, object] | None:
    """What `memory status --json` says of unreadable transcripts."""
    [found] = [each for each in told(house, "status", "--json").records if "source" in each]
    unreadable: dict[str, object] | None = found["unreadable"]
    return unreadable


def doctor(house: House) -> tuple[int, str, str]:
    """How `memory doctor` ends, and how grave and what it says of unreadable transcripts."""
    said = told(house, "doctor", "--json")
    [check] = [each for each in said.records if "cannot be read" in each["told"]]
    assert "source openclaw" == check["check"]
    return said.code, check["health"], f"{check['told']} {check['advice']}"


@pytest.fixture
def root(house: House) -> Path:
    """The folder of its transcripts."""
    return house.memory.root / "openclaw"


def test_a_file(house: House, root: Path) -> None:
    """Told by `status` and `doctor` with the command that mends it; the run goes well, and nothing is lost."""
    file = closed(root / FILE)
    ended = told(house, "run")
    assert (0, True) == (ended.code, f"Cannot read {FILE}: Permission denied" in ended.told), ended.told
    seen = told(house, "status").out
    assert f"warning  source openclaw: {FILE} cannot be read since 20" in seen
    assert f": Permission denied\n         `chmod u+r {file}`" in seen
    first = source(house)
    assert first
    assert (1, False, FILE, "Permission denied") == tuple(first[key] for key in ("files", "whole", "path", "reason"))
    code, health, sentence = doctor(house)
    assert (0, "warn", True) == (code, health, f"`chmod u+r {file}`" in sentence)
    file.chmod(0o600)
    assert None is source(house)
    assert f"memory/{house.days[1]}.md" in told(house, "run").told


def test_a_file_for_more_than_a_day(house: House, root: Path) -> None:
    """It is a failure then, as it is for /health/ready."""
    closed(root / FILE)
    told(house, "run")
    ledger = open_ledger(house.memory.root / ".memory" / "state.db")
    [known] = ledger.unreadable.of("openclaw").values()
    ledger.store.write("UPDATE unreadable SET since = ?", (to_text(known.since.replace(year=known.since.year - 1)),))
    ledger.store.close()
    assert (1, "fail") == doctor(house)[:2]


def test_the_folder(house: House, root: Path) -> None:
    """The source as a whole, closed or not mounted: a failure at once, and what it held stays known."""
    assert 0 == told(house, "run").code
    mode = os.stat(root).st_mode  # noqa: PTH116 - beside the other modes
    for how, why in (("closed", "Permission denied"), ("gone", "No such file or directory")):
        away = root.with_name("away")
        closed(root) if how == "closed" else root.rename(away)
        found = source(house)
        assert found
        assert (0, True, "", why) == tuple(found[key] for key in ("files", "whole", "path", "reason"))
        code, health, sentence = doctor(house)
        assert (1, "fail", True) == (code, health, f": {why} " in sentence), sentence
        root.chmod(mode) if how == "closed" else away.rename(root)
        assert None is source(house)
    assert "due           nothing" in told(house, "status").out


def test_a_folder_that_may_be_listed_but_not_entered(house: House, root: Path) -> None:
    """Names can be seen and no file can be opened: not an empty source."""
    root.chmod(0o444)
    found = source(house)
    root.chmod(0o755)
    assert found
    assert (True, "Permission denied") == (found["whole"], found["reason"])


def test_forgetting_leaves_nothing_in_it(house: House, root: Path) -> None:
    """Only paths and reasons stand there: an entry that is forgotten is nowhere in the ledger's file."""
    assert 0 == told(house, "run").code
    entry = next(each for each in house.memory.entries() if "kayak" in each["title"])
    with (root / FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "message", "message": {"role": "user", "content": "the kayak key"}}) + "\n")
    closed(root / FILE)
    assert source(house)
    ended = house.memory.memory("forget", entry["id"], "--yes")
    assert 0 == ended.code, ended.told
    bytes_left = b"".join(file.read_bytes() for file in (house.memory.root / ".memory").glob("state.db*"))
    assert (False, True) == (b"kayak key" in bytes_left, FILE.encode() in bytes_left)
