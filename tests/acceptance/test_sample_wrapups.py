"""The wrap-ups of the sample sessions hold what `expected.json` says that a person would look for."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it comes with detect-secrets, without types

import pipeline.demo
from tests.support.builders.matching import Bullet, Line, bullets_of, held_by
from tests.support.processes.called_command import CalledCommand

LABELS: dict[str, dict[str, Any]] = json.loads(files(pipeline.demo).joinpath("expected.json").read_bytes())["sessions"]
MACHINES = [name for name, label in LABELS.items() if not label["record"]]
OURS = re.compile(r"agent: .*|(?:\S+: )?\".*\" - \d+ messages? of yours, \d+ minutes?")
"""A line outside of the decisions that rests on fields of the records; all others rest on an entry."""
FLOOR = 0.2
"""Labelled decisions, of all, that have to be found: they are those of the entries."""


@pytest.fixture(scope="module")
def wrapups(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The wrap-ups of the sample sessions, made without a model, by the name of their file."""
    home = tmp_path_factory.mktemp("home")
    memory, root = CalledCommand(home), shutil.copytree(demo, home / "demo")
    days = ("--from", "2026-03-02", "--to", "2026-03-15", "--workspace", root)
    assert memory("backfill", "micro_sync", "daily_wrapup", *days).code == 0
    pages = Path(root, "second-brain", "summaries").glob("*-wrapup*.md")
    return {page.name: page.read_text(encoding="utf-8") for page in sorted(pages)}


@pytest.fixture(scope="module")
def bullets(wrapups: dict[str, str]) -> list[Bullet]:
    """The bullets of all pages."""
    return [bullet for name, page in wrapups.items() for bullet in bullets_of(name, page)[0]]


def labelled(part: str) -> list[Line]:
    """The lines of a part of all labels; what is to be remembered is no decision."""
    return [
        Line(session_id[:8], session_id, label["language"], part, (text,))
        for session_id, label in LABELS.items()
        for text in _texts(label, part)
    ]


def _texts(label: dict[str, Any], part: str) -> Sequence[str]:
    if part == "decisions":
        return [item["quote"] for item in label["record"] if item["kind"] != "remember"]
    return [str(text) for text in label["wrapup"][part]]


def test_every_day_with_people_has_a_page_of_six_sections_whose_bullets_say_where(wrapups: dict[str, str]) -> None:
    """Each bullet names its session and messages; eleven of the fourteen days have something to tell."""
    assert [] == [row for name, page in wrapups.items() for row in bullets_of(name, page)[1]]
    assert len(wrapups) == 11


def test_machines_have_no_part_in_the_pages(wrapups: dict[str, str]) -> None:
    """The scheduled job and the sub-agent are named nowhere, not even in front matter."""
    assert len(MACHINES) == 2
    assert [] == [name for name, page in wrapups.items() if any(session in page for session in MACHINES)]


def test_enough_decisions_are_held(bullets: list[Bullet]) -> None:
    """In any section: what is to be remembered opens the conversations."""
    lines = labelled("decisions")
    counts = Counter(held_by(line, [one for one in bullets if one.rests_on(line.session_id)]) for line in lines)
    assert counts[True] >= FLOOR * len(lines)


def test_no_line_is_read_out_of_words(wrapups: dict[str, str]) -> None:
    """Each rests on an entry, with its link, or on fields of the records; an empty section says so."""
    for page in wrapups.values():
        lines = [re.sub(r" <!-- memory:.*", "", line) for line in page.splitlines()]
        bullets = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
        assert [] == [one for one in bullets if "](../../memory/" not in one and not OURS.match(one)]
        counts = yaml.safe_load(page.split("---")[1])
        empty = [
            name for name in ("decisions", "actions", "conversations", "technical", "loops", "next") if not counts[name]
        ]
        assert len(empty) == lines.count("none")


def test_nothing_is_reported_that_nobody_meant(bullets: list[Bullet]) -> None:
    """Neither a joke nor what a page, a mail or a tool told the assistant to do stands in any bullet."""
    kinds = {"joke", "web_page", "tool_output", "heartbeat", "scheduled_job", "sub_agent", "secret"}
    words = [out["quote"] for label in LABELS.values() for out in label["leave_out"] if out["reason"] in kinds]
    assert len(words) > 10
    assert [] == [word for word in words if any(word in bullet.text for bullet in bullets)]
