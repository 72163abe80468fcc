"""Changes of `memory.toml` that the page may make: each gives what it is to give, keeps all else, or is refused."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from pipeline.app.settings_changes import Choices, SettingsChange, carry_out, plan_change
from pipeline.errors import ChangedMeanwhile, SettingsInvalid, WriteFailed
from pipeline.errors.agents import AgentKnown
from pipeline.errors.service import ChoiceUnknown
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from tests.support.tables import table

CHANGES: TypeAdapter[Any] = TypeAdapter(SettingsChange)
TOML = """# Mine.
timezone = "Europe/Warsaw" # where I live

[[sources]]
kind = "openclaw"
path = "chats"
# a comment of the second

[[sources]]
kind = "claude_code"
path = "code"
name = "work"

[model]
base_url = "http://127.0.0.1:9/v1" # at home
name = "small"
tokens_per_day = 5

[jobs.micro_sync]
retries = 3

[agents.main]
sources = ["openclaw:main"]

[service]
http = "127.0.0.1:0"
"""
LIMITS = {"tokens_per_run": 0, "tokens_per_day": 5, "backfill_tokens_per_day": 0, "tokens_in_total": 0}


@pytest.fixture
def choices(tmp_path: Path) -> Choices:
    """A workspace, and a folder of Codex in the home of its owner that no source names."""
    root, sessions = tmp_path / "work", tmp_path / "home" / ".codex" / "sessions" / "2026" / "03" / "02"
    root.mkdir()
    sessions.mkdir(parents=True)
    (sessions / "rollout-2026-03-02T10-00-00-0b1c2d3e.jsonl").write_text("{}\n")
    (root / "memory.toml").write_text(TOML)
    environment = {"HOME": str(tmp_path / "home"), "PATH": "", "MEMORY_WORKSPACE": str(root)}
    agents = ("openclaw:main", "openclaw:second")
    return Choices(root, environment, load_settings(root, environment), discover(), agents)


def _after(choices: Choices, **fields: object) -> tuple[str, Mapping[str, Any]]:
    """The text that a change makes, and its values."""
    after = plan_change(choices, CHANGES.validate_python(fields)).after.decode()
    return after, tomllib.loads(after)


def _lost(after: str) -> set[str]:
    """The lines of before that are not there any more."""
    return set(TOML.splitlines()) - set(after.splitlines())


@table(
    ("fields", "path", "value", "lost"),
    [
        ({"change": "zone", "timezone": "Asia/Tokyo"}, ("timezone",), "Asia/Tokyo", 1),
        ({"change": "limits", **LIMITS, "tokens_per_run": 9}, ("model", "tokens_per_run"), 9, 0),
        ({"change": "limits", **LIMITS, "tokens_per_day": 0}, ("model", "tokens_per_day"), 0, 1),
        (
            {"change": "schedule", "job": "micro_sync", "schedule": "0 */6 * * *"},
            ("jobs", "micro_sync"),
            {"retries": 3, "schedule": "0 */6 * * *"},
            0,
        ),
        ({"change": "schedule", "job": "micro_sync"}, ("jobs", "micro_sync"), {"retries": 3}, 0),
        (
            {"change": "schedule", "job": "weekly_plan", "schedule": "10 4 * * 3"},
            ("jobs", "weekly_plan", "schedule"),
            "10 4 * * 3",
            0,
        ),
        ({"change": "model", "model": ""}, ("model",), {"tokens_per_day": 5}, 2),
        (
            {"change": "agent_added", "name": "二号", "source": "openclaw:second", "language": "zh"},
            ("agents", "二号"),
            {"autonomy": 1, "sources": ["openclaw:second"], "may_read": [], "language": "zh"},
            0,
        ),
        ({"change": "agent_removed", "name": "main"}, ("agents",), None, 2),
    ],
)
def test_a_change_makes_what_was_picked(
    choices: Choices, fields: dict[str, object], path: tuple[str, ...], value: object, lost: int
) -> None:
    """Its values are those, and of the other lines none goes, comments among them."""
    text, values = _after(choices, **fields)
    at: Any = values
    for name in path:
        at = at.get(name) if at is not None else None
    assert value == at or (value is None and not at)
    assert lost == len(_lost(text) - {""})


def test_a_source_of_this_machine(choices: Choices) -> None:
    """It is read, and the server of the model does not get its text before its owner says so at the terminal."""
    [source] = choices.sources
    assert "codex" == source.kind
    text, values = _after(choices, change="source_added", path=source.path)
    assert {"kind": "codex", "path": source.path} == values["sources"][2]
    assert {"codex": "offline"} == values["model"]["sources"]
    assert not _lost(text) - {""}


def test_a_source_without_a_model(choices: Choices) -> None:
    """A model that is chosen later, or named by a variable, does not see it either."""
    file = choices.root / "memory.toml"
    file.write_text(file.read_text().partition("[model]")[0])
    without = replace(choices, settings=load_settings(choices.root, choices.environment))
    _, values = _after(without, change="source_added", path=without.sources[0].path)
    assert {"sources": {"codex": "offline"}} == values["model"]


def test_a_source_with_rules(choices: Choices) -> None:
    """What its owner leaves out of it would be read once it came back, so it is not taken out here."""
    file = choices.root / "memory.toml"
    file.write_text(file.read_text().replace('path = "chats"\n', 'path = "chats"\nprojects = ["~/shop"]\n'))
    ruled = replace(choices, settings=load_settings(choices.root, choices.environment))
    assert ["work"] == ruled.removable
    with pytest.raises(ChoiceUnknown):
        _after(ruled, change="source_removed", name="openclaw")


def test_a_source_of_the_page_goes(choices: Choices) -> None:
    """With the word about its model."""
    added = CHANGES.validate_python({"change": "source_added", "path": choices.sources[0].path})
    carry_out(choices, plan_change(choices, added))
    later = replace(choices, settings=load_settings(choices.root, choices.environment))
    _, values = _after(later, change="source_removed", name="codex")
    assert (2, {}) == (len(values["sources"]), values["model"].get("sources", {}))


def test_a_source_that_goes(choices: Choices) -> None:
    """Its table goes, and the other one stays with its comment."""
    text, values = _after(choices, change="source_removed", name="work")
    assert ["openclaw"] == [source["kind"] for source in values["sources"]]
    assert "# Mine." in text


def test_a_model_comes_back(choices: Choices) -> None:
    """From none the page goes back to the model from which it went, at the address that it had."""
    off = CHANGES.validate_python({"change": "model", "model": ""})
    carry_out(choices, plan_change(choices, off))
    later = replace(choices, settings=load_settings(choices.root, choices.environment))
    assert not later.settings.model.is_configured
    [known] = later.models
    assert {"base_url": "http://127.0.0.1:9/v1", "name": "small"} == known.values
    _, values = _after(later, change="model", model=known.key)
    assert "http://127.0.0.1:9/v1" == values["model"]["base_url"]
    assert 5 == values["model"]["tokens_per_day"]


@table(
    "fields",
    [
        {"change": "source_added", "path": "/etc"},
        {"change": "source_added", "path": "~/.codex/sessions/../.."},
        {"change": "source_removed", "name": "nobody"},
        {"change": "schedule", "job": "micro_sync", "schedule": "* * * * *"},
        {"change": "schedule", "job": "nothing", "schedule": ""},
        {"change": "schedule", "job": "reflect", "schedule": "0 3 * * *"},
        {"change": "model", "model": '{"program":"claude"}'},
        {"change": "model", "model": '{"base_url":"http://elsewhere/v1","name":"small"}'},
        {"change": "model", "model": '{"base_url":"http://127.0.0.1:9/v1","name":"large"}'},
        {"change": "agent_added", "name": "x", "source": "openclaw:nobody"},
        {"change": "agent_removed", "name": "nobody"},
    ],
)
def test_what_is_no_choice(choices: Choices, fields: dict[str, object]) -> None:
    """A path, a program, an address, a schedule or a name that code did not offer is refused."""
    with pytest.raises(ChoiceUnknown):
        _after(choices, **fields)


@table(
    "fields",
    [
        {"change": "listen", "http": "0.0.0.0:80"},
        {"change": "zone", "timezone": "Mars/Olympus"},
        {"change": "zone", "timezone": "UTC", "service": {"http": "0.0.0.0:80"}},
        {"change": "limits", **LIMITS, "tokens_per_run": -1},
        {"change": "limits", **LIMITS, "api_key": "k"},
        {"change": "source_added", "path": "x", "headless": True},
        {"change": "agent_added", "name": "x", "source": "openclaw:second", "autonomy": 3},
        {"change": "agent_added", "name": "x", "source": "openclaw:second", "may_write": "*"},
        {"change": "schedule", "job": "micro_sync", "schedule": "", "timeout": "1"},
    ],
)
def test_what_no_form_has(choices: Choices, fields: dict[str, object]) -> None:
    """Other settings, and values that these cannot have, are no change at all."""
    with pytest.raises(ValidationError):
        _after(choices, **fields)


@pytest.mark.parametrize(
    "written",
    [
        'model = { base_url = "http://127.0.0.1:9/v1", name = "small" }\n',
        'model.base_url = "http://127.0.0.1:9/v1"\nmodel.name = "small"\n',
    ],
)
def test_a_form_that_only_a_person_changes(choices: Choices, written: str) -> None:
    """Where a line of another form holds, the change is refused rather than half made."""
    (choices.root / "memory.toml").write_text(written)
    other = replace(choices, settings=load_settings(choices.root, choices.environment))
    with pytest.raises(SettingsInvalid, match="by hand"):
        _after(other, change="model")


def test_a_model_that_would_see_more(choices: Choices) -> None:
    """With another key, or more sources than it had, a model of before is no choice; nor is one of a damaged list."""
    carry_out(choices, plan_change(choices, CHANGES.validate_python({"change": "model"})))
    file = choices.root / "memory.toml"
    off = file.read_text()
    for more in (off.replace("[model]", '[model]\napi_key = "new"'), off.replace('path = "code"', 'path = "more"')):
        file.write_text(more)
        assert [] == replace(choices, settings=load_settings(choices.root, choices.environment)).models
    file.write_text(off)
    assert 1 == len(replace(choices, settings=load_settings(choices.root, choices.environment)).models)
    (choices.root / ".memory" / "models_used.json").write_text("[")
    assert [] == replace(choices, settings=load_settings(choices.root, choices.environment)).models


def test_a_list_of_earlier_models_that_cannot_be_written(choices: Choices) -> None:
    """The page tells it; the model is changed by then."""
    (choices.root / ".memory" / "models_used.json").mkdir(parents=True)
    with pytest.raises(WriteFailed, match=r"models_used\.json"):
        carry_out(choices, plan_change(choices, CHANGES.validate_python({"change": "model"})))
    assert "" == load_settings(choices.root, {}).model.name


def test_an_agent_that_had_a_memory(choices: Choices) -> None:
    """It gets no more rights than it had by being taken out and added again."""
    with pytest.raises(AgentKnown):
        _after(replace(choices, remembered={"old"}), change="agent_added", name="old", source="openclaw:second")


@pytest.mark.parametrize("meanwhile", [f"{TOML}# later\n", TOML.replace("# Mine.", "# Ours.")])
def test_a_file_that_was_edited_meanwhile(choices: Choices, meanwhile: str) -> None:
    """What a person wrote between the look and the change stays, and nothing is written."""
    change = CHANGES.validate_python({"change": "zone", "timezone": "Asia/Tokyo"})
    planned = plan_change(choices, change)
    (choices.root / "memory.toml").write_text(meanwhile)
    with pytest.raises(ChangedMeanwhile):
        carry_out(choices, planned)
    assert meanwhile == (choices.root / "memory.toml").read_text()


@table("name", ['x"]\n[service]\nhttp = "0.0.0.0:1', "root", "idle", "..", "a/b"])
def test_names_that_no_agent_can_have(choices: Choices, name: str) -> None:
    """A name that would be another setting, or no folder, is refused."""
    with pytest.raises(SettingsInvalid):
        _after(choices, change="agent_added", name=name, source="openclaw:second")


def test_a_name_that_is_taken(choices: Choices) -> None:
    """An agent that has a memory keeps it."""
    with pytest.raises(AgentKnown):
        _after(choices, change="agent_added", name="main", source="openclaw:second")
