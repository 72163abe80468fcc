"""The page on backups can be followed: what is restored knows and trusts what it did before."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "back-up.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def in_shell(home: Path, script: str) -> str:
    """What a shell prints that has our command, and a home folder of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
    path = f"{Path(sys.executable).parent}:{kept['PATH']}"
    environment = kept | {"HOME": str(home), "PATH": path, "MEMORY_EMBEDDER__KIND": "none"}
    said = subprocess.run(["/bin/sh", "-ec", script], env=environment, capture_output=True, text=True, check=False)
    assert (script, 0) == (script, said.returncode), said.stderr
    return said.stdout


def known(home: Path, folder: str) -> tuple[list[tuple[str, str, float, str]], str]:
    """The entries with their trust and confidence, and what an agent knows."""
    listed = in_shell(home, f"cd ~/{folder} && memory show entries --json")
    entries = [json.loads(line) for line in listed.splitlines()]
    states = [(one["id"], one["trust"], one["confidence"], one["status"]) for one in entries]
    return states, in_shell(home, f"cd ~/{folder} && memory wake main")


def test_the_page_can_be_followed(tmp_path: Path, demo: Path) -> None:
    """Back up, once and regularly, restore into a new folder, and onto what is there: all is as it was."""
    shutil.copytree(demo, tmp_path / "memory")
    in_shell(tmp_path, "memory workspaces add ~/memory")
    page = (
        PAGE.read_text(encoding="utf-8")
        .replace("/media/disk", "~/disk")
        .replace("--into ~/memory", "--into ~/restored")
    )
    back_up, regularly, restore, merge = _BLOCK.findall(page)
    before = known(tmp_path, "memory")
    in_shell(tmp_path, back_up)
    in_shell(tmp_path, regularly)
    for asking in (restore, merge):
        in_shell(tmp_path, f"{asking.strip()} --yes")
    assert before == known(tmp_path, "restored")
    assert any("owner" == trust and confidence > 0.5 for _, trust, confidence, _ in before[0])
