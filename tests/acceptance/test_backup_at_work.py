"""Back-ups while jobs run: each is a state from which the work goes on to the same end."""

import shutil
from datetime import date
from pathlib import Path

from tests.support.processes.command_line import end_of
from tests.support.processes.commands import RealWorkspace, unlike
from tests.support.workspaces.four_days import FourDays, build_four_days

FEW = 3
"""The generations that are tried: of the beginning, the middle and the end."""


def test_the_work_goes_on_from_any_moment(tmp_path: Path, first_day: date, undisturbed: dict[str, bytes]) -> None:
    """The run is not hindered; a restored workspace has at its end what an undisturbed run wrote, byte for byte."""
    four_days, saved = build_four_days(tmp_path / "w", first_day), str(tmp_path / "saved")
    run = four_days.memory.start(*four_days.backfill)
    while run.poll() is None:
        said = four_days.memory.memory("backup", saved, "--keep", "100")
        assert said.code == 0, said.shown
    assert end_of(run).code == 0
    assert four_days.memory.memory("backup", saved, "--keep", "100").code == 0
    assert unlike(undisturbed, four_days.memory.pages()) == []
    generations = [one["generation"] for one in four_days.memory.memory("backup", saved, "--list", "--json").records]
    for number in generations[:: max(len(generations) // FEW, 1)]:
        target = tmp_path / f"new-{number}"
        words = ("restore", saved, "--generation", str(number), "--into", str(target), "--yes")
        said = four_days.memory.memory(*words, MEMORY_WORKSPACE="")
        assert said.code == 0, said.shown
        shutil.copytree(four_days.memory.root / "openclaw", target / "openclaw")
        restored = FourDays(RealWorkspace(target), first_day)
        ended = restored.memory.memory(*restored.backfill)
        assert ended.code == 0, ended.shown
        assert unlike(undisturbed, restored.memory.pages()) == []
        assert {entry["verified"] for entry in restored.memory.entries()} == {True}
