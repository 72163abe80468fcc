"""One filter of entries: the command line, the API and the page let the same through, day by day."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlencode

import pytest

from tests.support.processes.called_command import CalledCommand
from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.served_demo import ServedWorkspace, served

FAR_WEST = "America/Los_Angeles"
"""The zone in which entries that were written in the morning of Warsaw are of the day before."""
FILTERS = (
    *({}, {"kind": "rule"}, {"status": "active"}, {"trust": "owner"}, {"trust": "quoted"}, {"words": "PHOTOS"}),
    *({"since": f"2026-03-0{day}", "until": f"2026-03-0{day}"} for day in range(1, 6)),
    *(
        {"project": "nowhere"},
        {"project": "/nowhere/at/all"},
        {"kind": "decision", "since": "2026-03-03", "words": "a"},
    ),
)


@pytest.fixture(scope="module")
def far(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWorkspace]:
    """The demo, served far from where it was written."""
    root = tmp_path_factory.mktemp("far") / "work"
    shutil.copytree(demo, root)
    file = root / "memory.toml"
    file.write_text(re.sub(r'timezone = ".*"', f'timezone = "{FAR_WEST}"', file.read_text()))
    with served(root) as workspace:
        yield workspace


@pytest.mark.parametrize("fields", FILTERS, ids=urlencode)
def test_every_surface_lists_the_same(far: ServedWorkspace, fields: dict[str, str]) -> None:
    """Those of the days of the workspace's time zone; the page the newest first."""
    options = [word for name, value in fields.items() for word in (f"--{name}", value)]
    said = CalledCommand(far.root)("show", "entries", *options, "--json", MEMORY_WORKSPACE=str(far.root))
    printed = [record["id"] for record in said.records]
    given = [entry["id"] for entry in far.ask(f"/api/v1/entries?{urlencode(fields)}").value]
    shown = PageReader(far).get(f"/entries?{urlencode(fields)}").html
    assert printed == given
    assert printed[::-1] == list(map(unquote, dict.fromkeys(re.findall(r'href="/entries/([^"]+)"', shown))))


def test_a_day_is_that_of_the_time_zone(far: ServedWorkspace, demo: Path) -> None:
    """Where it was written, the entries of a morning are of the next day."""
    options = ("entries", "--since", "2026-03-02", "--until", "2026-03-02", "--json")
    here = CalledCommand(demo)(*options, MEMORY_WORKSPACE=str(demo)).records
    there = CalledCommand(far.root)(*options, MEMORY_WORKSPACE=str(far.root)).records
    assert [record["id"] for record in here] != [record["id"] for record in there]


def test_a_period_is_its_days_everywhere(far: ServedWorkspace) -> None:
    """Its words mean the same in an address as on the command line; words that mean nothing are refused."""
    words, days = {"since": "2026-W10", "until": "2026-03"}, {"since": "2026-03-02", "until": "2026-03-31"}
    for route in ("entries", "recall", "graph"):
        assert (
            far.ask(f"/api/v1/{route}?{urlencode(days)}").value == far.ask(f"/api/v1/{route}?{urlencode(words)}").value
        )
    assert 200 == far.ask(f"/api/v1/search?{urlencode({'query': 'last month', 'since': 'last month'})}").status
    assert (
        PageReader(far).get(f"/entries?{urlencode(days)}").text
        == PageReader(far).get(f"/entries?{urlencode(words)}").text
    )
    assert 422 == far.ask("/api/v1/grid?to=2026-13").status


@table("surface", ["command line", "API", "page"])
def test_days_in_the_wrong_order_are_refused(far: ServedWorkspace, surface: str) -> None:
    """By each, with a sentence."""
    fields = {"since": "2026-03-05", "until": "2026-03-01"}
    if surface == "command line":
        words = [word for name, value in fields.items() for word in (f"--{name}", value)]
        said = CalledCommand(far.root)("show", "entries", *words, MEMORY_WORKSPACE=str(far.root))
        assert (2, True) == (said.code, "2026-03-01 is before since, 2026-03-05" in said.err)
    elif surface == "API":
        answer = far.ask(f"/api/v1/entries?{urlencode(fields)}")
        assert (422, True) == (answer.status, "2026-03-01 is before since, 2026-03-05" in answer.value["detail"])
    else:
        document = PageReader(far).get(f"/entries?{urlencode(fields)}")
        assert (422, True) == (document.status, "Until" in document.text)
