"""What `--json` prints is an interface: every object has exactly the fields that docs/reference/json.md lists."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from tests.support.golden import commands
from tests.support.processes.command_line import CommandLine, Said
from tests.support.tables import table

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "json.md"
DAYS = ("--from", "2026-02-03", "--to", "2026-02-03")


def documented() -> dict[str, dict[str, tuple[str, ...]]]:
    """By command, and by the name of the object: the fields in their order."""
    sections = re.split(r"^## (?:memory )?", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        section.partition("\n")[0]: {
            name: tuple(re.findall(r"`(\w+)`", listed))
            for name, listed in re.findall(r"^\*\*(\w+)\*\* .*\n\n(.+)$", section, re.MULTILINE)
        }
        for section in sections
    }


def test_every_command_with_json_is_documented() -> None:
    """And no other."""
    names = {name for name, command in commands() if any(option.name == "as_json" for option in command.params)}
    assert names == set(documented()) - {"Objects inside others"}


WITHOUT_JSON = {
    "demo": "a tour for people",
    "open": "opens a browser",
    "serve": "goes on until it is stopped; its log is JSON",
    "agents mcp": "speaks MCP",
    "fleet worker": "goes on until it is stopped; its log is JSON",
    "fleet serve": "goes on until it is stopped; its log is JSON",
    "store exec": "prints what the command prints",
    "config sample": "prints a file",
    "config completion": "prints a script",
}
"""The commands that have no `--json`, each with why."""


def test_every_command_has_json_or_a_reason() -> None:
    """A command that prints facts prints them for programs too."""
    without = {name for name, command in commands() if all(option.name != "as_json" for option in command.params)}
    assert set(WITHOUT_JSON) == without


def unknown(said: Said, command: str) -> list[tuple[str, ...]]:
    """The objects that were printed with other fields than those of the page; there has to be one at least."""
    assert said.records, said.shown
    known = set(documented()[command].values())
    return [fields for fields in map(tuple, said.records) if fields not in known]


def test_what_reads_prints_what_the_page_lists(judged: Path, call: Callable[..., Said]) -> None:
    """Each command on a workspace in which all pages have been written."""
    entry = call("show", "entries", "--json", "--workspace", judged).records[0]["id"]
    run = call("show", "runs", "--json", "--workspace", judged).records[0]["run_id"]
    for command, words in {
        "show jobs": (),
        "status": (),
        "show runs": (),
        "show run": (run,),
        "show cost": (),
        "show entries": (),
        "show story": (entry,),
        "suggestions review": (),
        "show transcripts": (),
        "show transcript": ("s-one",),
        "config show": (),
        "config check": (),
        "doctor": (),
        "doctor reindex": (),
        "doctor search": (),
        "search": ("downgrade",),
        "show lines": ("MEMORY.md",),
    }.items():
        said = call(*command.split(), *words, "--json", "--workspace", judged)
        assert [] == unknown(said, command), command
    [refused] = call("search", "--stdin", "--json", "--workspace", judged, answer="no question\n").records
    assert tuple(refused) == documented()["search"]["NoAnswer"]
    grid = call("status", "--grid", "--json", "--workspace", judged)
    assert {tuple(record) for record in grid.records} == {documented()["status"]["GridReport"]}


def test_what_corrects_prints_what_the_page_lists(judged: Path, call: Callable[..., Said]) -> None:
    """Moving a person's text, taking a run back, forgetting, and asking for what was forgotten."""
    page = judged / "MEMORY.md"
    page.write_text(f"{page.read_text()}\n## Mine\n\nThe cat is called Miso.\n")
    entry = call("show", "entries", "--json", "--workspace", judged).records[0]["id"]
    for name, words in {"OwnBlocks": (), "MovePlanned": ("1",), "MoveDone": ("1", "--yes")}.items():
        [moved] = call("doctor", "adopt", *words, "--json", "--workspace", judged).records
        assert tuple(moved) == documented()["doctor adopt"][name]
    for command, words in {"undo": (moved["run_id"],), "forget": (entry, "--yes")}.items():
        said = call(command, *words, "--json", "--workspace", judged)
        assert [] == unknown(said, command), command


def test_what_runs_prints_what_the_page_lists(workspace: Path, memory: CommandLine) -> None:
    """A line for each run; a dry run has the difference as well."""
    for words in (("backfill", "micro_sync", *DAYS), ("run", "--at", "2026-02-02T12:00")):
        said = memory(*words, "--json", "--workspace", workspace)
        assert {tuple(record) for record in said.records} == {documented()[words[0]]["Outcome"]}
    dry = memory("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02", "--dry-run", "--json",
                 "--workspace", workspace)  # fmt: skip
    assert {tuple(record) for record in dry.records} == set(documented()["backfill"].values())


@table("name", ["TimeSpan", "EntryPlace", "OwnBlock", "Message", "FileChange"])
def test_inner_objects_are_documented(name: str) -> None:
    """What an object holds is on the page too."""
    assert any(name in objects for objects in documented().values())


def test_moments_have_their_offset(filled: Path, call: Callable[..., Said]) -> None:
    """In one form, whatever value they are of."""
    [run] = call("show", "runs", "--limit", "1", "--json", "--workspace", filled).records
    assert re.fullmatch(r"[-0-9]+T[:0-9]+\+00:00", run["window"]["start"]), json.dumps(run)
