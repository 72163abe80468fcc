"""The settings that a new workspace begins with."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from pipeline.app.model import use_model
from pipeline.app.new_workspace import MOST_LINES, NewSettings, make_workspace
from pipeline.app.settings_changes import Choices, SettingsChange, carry_out, plan_change
from pipeline.errors import WriteFailed
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.settings.tables import source_tables
from pipeline.surfaces.cli.terminal.machine import sample_settings
from schemas.settings import Settings, SourceSettings
from tests.support.processes.small_files import no_large_files
from tests.support.tables import table

NOW = datetime(2026, 2, 20, 12, 30, 5, 123456, tzinfo=UTC)
START = datetime(2026, 2, 20, 12, 30, 5, tzinfo=UTC)
STORES = [SourceSettings(kind=kind, path=f"/home/x/{kind}") for kind in ("openclaw", "codex", "gemini_cli", "cursor")]
NOTES = SourceSettings(kind="notes", path="/home/x", name="project-notes", patterns=("a/CLAUDE.md", "b/AGENTS.md"))
CHANGES: TypeAdapter[Any] = TypeAdapter(SettingsChange)


SHORT = NewSettings("Europe/Warsaw", NOW)


def test_any_path_can_be_written_down() -> None:
    """Quotes, backslashes and letters of all languages in a path survive."""
    source = SourceSettings(kind="openclaw", path='/home/a "b"\\c/łódź/决定\x7f', name="second")
    assert tomllib.loads(source_tables([source]))["sources"] == [
        {"kind": "openclaw", "path": source.path, "name": "second"}
    ]


def test_all_but_zone_and_start_is_at_its_default() -> None:
    """What is only proposed is a comment."""
    assert {"timezone": "Europe/Warsaw", "start": START} == tomllib.loads(replace(SHORT, proposed=STORES).text)


@table(
    "fields",
    [
        {"proposed": [*STORES, NOTES, *STORES, *STORES]},
        {"declined": [*STORES, *STORES], "proposed": STORES},
        {
            "sources": [STORES[0], STORES[1], NOTES],
            "declined": STORES[2:],
            "tables": {"service": {"http": "127.0.0.1:9464"}, "embedder": {"kind": "none"}},
        },
    ],
)
def test_it_is_short(fields: Mapping[str, Any]) -> None:
    """At most 25 lines, of which a person reads all; a comment is a whole table."""
    text = replace(SHORT, **fields).text
    assert MOST_LINES >= len(text.splitlines())
    commented = [line.removeprefix("#") for line in text.splitlines() if line.startswith(("#[", "#kind", "#path"))]
    proposed = tomllib.loads("\n".join(commented)).get("sources", [])
    assert [] == [source for source in proposed if set(source) != {"kind", "path"}]


def test_declined_folders_are_named_and_declined_notes_are_not() -> None:
    """Of notes no hint is given."""
    declined = tomllib.loads(replace(SHORT, declined=[STORES[0], NOTES]).text)["sources_ignored"]
    assert ["/home/x/openclaw"] == declined


def long(sources: str) -> str:
    """A file as earlier versions wrote it: the whole sample."""
    head = 'timezone = "Europe/Warsaw"\nstart = 2026-02-20T12:30:05Z\n'
    return f"{head}{sample_settings()}\n{sources}"


FILES = {
    "short": replace(SHORT, sources=STORES[:1], proposed=STORES[1:]).text,
    "short, without a source": replace(SHORT, proposed=STORES[1:2]).text + source_tables(STORES[:1]),
    "long": long(source_tables(STORES[:1])),
}


@table("length", FILES)
@table(
    "change",
    [
        {"change": "zone", "timezone": "Asia/Shanghai"},
        {"change": "limits", "tokens_per_run": 0, "tokens_per_day": 9}
        | dict.fromkeys(("backfill_tokens_per_day", "tokens_in_total"), 0),
        {"change": "schedule", "job": "micro_sync", "schedule": "0 */4 * * *"},
        {"change": "source_removed", "name": "openclaw"},
        {"change": "agent_added", "name": "helper", "source": "openclaw:main"},
    ],
)
def test_the_page_changes_it(length: str, change: Mapping[str, Any], tmp_path: Path) -> None:
    """Whether it is short, or the long one of earlier versions."""
    assert make_workspace(tmp_path / "w", FILES[length])
    choices = Choices(tmp_path / "w", {}, load_settings(tmp_path / "w", {}), discover(), agents=["openclaw:main"])
    before = choices.settings
    carry_out(choices, plan_change(choices, CHANGES.validate_python(change)))
    assert before != load_settings(tmp_path / "w", {})


@pytest.mark.parametrize("length", FILES)
def test_a_model_is_written_into_it_and_taken_out(length: str, tmp_path: Path) -> None:
    """Whether it is short, or long."""
    assert make_workspace(tmp_path / "w", FILES[length])
    use_model(tmp_path / "w", {"program": "claude"})
    assert "claude" == load_settings(tmp_path / "w", {}).model.program
    use_model(tmp_path / "w", {})
    assert Settings().model == load_settings(tmp_path / "w", {}).model


def test_settings_without_room_leave_nothing(tmp_path: Path) -> None:
    """A part of them would be taken for a workspace."""
    with no_large_files(10), pytest.raises(WriteFailed):
        make_workspace(tmp_path / "w", SHORT.text)
    assert not (tmp_path / "w" / "memory.toml").exists()
    assert make_workspace(tmp_path / "w", SHORT.text)
