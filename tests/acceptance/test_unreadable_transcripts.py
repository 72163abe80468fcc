"""Transcripts that cannot be read: what an operator is told, by whom, until they can be."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.ledger.store import to_text
from tests.support.processes.command_line import Said
from tests.support.processes.preparation import ordinary_rights
from tests.support.workspaces.four_days import FourDays

FILE = "agents/main/sessions/keys-1.jsonl"


def closed(path: Path) -> Path:
    """The path, which nobody may read any more; that this hinders us is checked."""
    path.chmod(0)
    ask = "import os, sys; sys.exit(os.access(sys.argv[1], os.R_OK))"
    allowed = subprocess.run([*ordinary_rights(), sys.executable, "-c", ask, str(path)], check=False).returncode
    assert not allowed, "a kernel on which this cannot be shown"
    return path


def without_rights(four_days: FourDays, *words: str) -> Said:
    """What a command says that has no more rights than the modes of files give."""
    return four_days.memory.memory(*words, before=ordinary_rights())


def source(four_days: FourDays) -> dict[str, object] | None:
    """What `memory status --json` says of unreadable transcripts."""
    [record] = [fields for fields in without_rights(four_days, "status", "--json").records if "source" in fields]
    unreadable: dict[str, object] | None = record["unreadable"]
    return unreadable


def doctor(four_days: FourDays) -> tuple[int, str, str]:
    """How `memory doctor` ends, and how grave and what it says of unreadable transcripts."""
    said = without_rights(four_days, "doctor", "--json")
    [check] = [record for record in said.records if "cannot be read" in record["told"]]
    assert "source openclaw" == check["check"]
    return said.code, check["health"], f"{check['told']} {check['advice']}"


@pytest.fixture
def root(four_days: FourDays) -> Path:
    """The folder of its transcripts."""
    return four_days.memory.root / "openclaw"


def test_a_file(four_days: FourDays, root: Path) -> None:
    """Told by `status` and `doctor` with the command that mends it; the run goes well, and nothing is lost."""
    file = closed(root / FILE)
    ended = without_rights(four_days, "run")
    assert (0, True) == (ended.code, f"Cannot read {FILE}: Permission denied" in ended.shown), ended.shown
    seen = without_rights(four_days, "status").out
    assert f"warning  source openclaw: {FILE} cannot be read since 20" in seen
    assert f": Permission denied\n         `chmod u+r {file}`" in seen
    first = source(four_days)
    assert first
    assert (1, False, FILE, "Permission denied") == tuple(first[key] for key in ("files", "whole", "path", "reason"))
    code, health, sentence = doctor(four_days)
    assert (0, "warn", True) == (code, health, f"`chmod u+r {file}`" in sentence)
    file.chmod(0o600)
    assert None is source(four_days)
    assert f"memory/{four_days.days[1]}.md" in without_rights(four_days, "run").shown


def test_a_file_for_more_than_a_day(four_days: FourDays, root: Path) -> None:
    """It is a failure then, as it is for /health/ready."""
    closed(root / FILE)
    without_rights(four_days, "run")
    ledger = open_ledger(four_days.memory.root / ".memory" / "state.db")
    [known] = ledger.unreadable.of("openclaw").values()
    ledger.store.write("UPDATE unreadable SET since = ?", (to_text(known.since - timedelta(days=365)),))
    ledger.store.close()
    assert (1, "fail") == doctor(four_days)[:2]


def test_the_folder(four_days: FourDays, root: Path) -> None:
    """The source as a whole, closed or not mounted: a failure at once, and what it held stays known."""
    assert 0 == without_rights(four_days, "run").code
    mode = os.stat(root).st_mode  # noqa: PTH116 - beside the other modes
    for how, why in (("closed", "Permission denied"), ("gone", "No such file or directory")):
        away = root.with_name("away")
        closed(root) if how == "closed" else root.rename(away)
        unreadable = source(four_days)
        assert unreadable
        assert (0, True, "", why) == tuple(unreadable[key] for key in ("files", "whole", "path", "reason"))
        code, health, sentence = doctor(four_days)
        assert (1, "fail", True) == (code, health, f": {why} " in sentence), sentence
        root.chmod(mode) if how == "closed" else away.rename(root)
        assert None is source(four_days)
    assert " windows, the oldest of " not in without_rights(four_days, "status").out


def test_a_folder_that_may_be_listed_but_not_entered(four_days: FourDays, root: Path) -> None:
    """Names can be seen and no file can be opened: not an empty source."""
    root.chmod(0o444)
    unreadable = source(four_days)
    root.chmod(0o755)
    assert unreadable
    assert (True, "Permission denied") == (unreadable["whole"], unreadable["reason"])


def test_forgetting_leaves_nothing_in_it(four_days: FourDays, root: Path) -> None:
    """Only paths and reasons stand there: an entry that is forgotten is nowhere in the ledger's file."""
    assert 0 == without_rights(four_days, "run").code
    entry = next(record for record in four_days.memory.entries() if "kayak" in record["title"])
    with (root / FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "message", "message": {"role": "user", "content": "the kayak key"}}) + "\n")
    closed(root / FILE)
    assert source(four_days)
    ended = four_days.memory.memory("forget", entry["id"], "--yes")
    assert 0 == ended.code, ended.shown
    bytes_left = b"".join(file.read_bytes() for file in (four_days.memory.root / ".memory").glob("state.db*"))
    assert (False, True) == (b"kayak key" in bytes_left, FILE.encode() in bytes_left)
