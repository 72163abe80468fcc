"""`config/memory.toml` shows every setting with the default that the code has."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from pipeline.scheduling.registry import discover
from pipeline.settings.load import parse_settings
from pipeline.surfaces.cli.terminal.machine import sample_settings
from schemas.agent_settings import AgentSettings
from schemas.index_settings import ExtraPath
from schemas.settings import JobSettings, ModelSettings, Settings, SourceSettings

EXAMPLES = {"start", "sources.kind", "sources.path", "sources.timezone", "index.extra_paths"}
"""Settings that have no default to show; the sample says of each that its value is an example."""

OF_A_CLOCK = {"schedule", "catch_up", "max_age"}
"""Settings that a job without a clock does not use."""


def uncommented() -> dict[str, Any]:
    """The sample with every setting in force."""
    return tomllib.loads(re.sub(r"(?m)^#(?=\S)", "", sample_settings()))


def fields(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, object]]:
    """Every single setting of a model with its default."""
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True, validated_data={})
        if isinstance(default, BaseModel):
            yield from fields(type(default), f"{path}{name}.")
        else:
            yield f"{path}{name}", default


def value_at(values: BaseModel, path: str) -> object:
    """The value at a path such as `model.timeout`."""
    place: Any = values
    for name in path.split("."):
        place = getattr(place, name)
    return place


def names_in(table: dict[str, Any], path: str = "") -> set[str]:
    """Every single setting that a table names."""
    names = set[str]()
    for name, value in table.items():
        names |= names_in(value, f"{path}{name}.") if isinstance(value, dict) else {f"{path}{name}"}
    return names


def test_nothing_is_in_force() -> None:
    """As it is, the sample changes nothing."""
    assert tomllib.loads(sample_settings()) == {}


def test_shows_every_setting_and_no_other() -> None:
    """Every setting of the code stands in the sample, at top level, of a source, of the model and of a job."""
    settings_shown = uncommented()
    (source,) = settings_shown.pop("sources")
    jobs = settings_shown.pop("jobs")
    agent = settings_shown["agents"].pop("jaskier")
    assert set(agent) == set(AgentSettings.model_fields)
    assert {} == settings_shown["model"].pop("sources")
    tables = {"sources", "jobs", "model.sources"}
    assert names_in(settings_shown) == {path for path, _ in fields(Settings) if path not in tables}
    assert names_in(source) == {path for path, _ in fields(SourceSettings)}
    every = set(JobSettings.model_fields)
    expected = {job.name: every if job.clock else every - OF_A_CLOCK for job in discover()}
    assert {name: set(job) for name, job in jobs.items()} == expected


def test_every_value_is_the_default() -> None:
    """What the sample shows is what the code does when nothing is said."""
    settings = parse_settings(uncommented(), "config/memory.toml")
    (source,) = settings.sources
    shown = {path: value_at(settings, path) for path, _ in fields(Settings) if path not in {"sources", "jobs"}}
    shown |= {f"sources.{path}": value_at(source, path) for path, _ in fields(SourceSettings)}
    expected = {path: default for path, default in fields(Settings) if path not in {"sources", "jobs"}}
    expected |= {f"sources.{path}": default for path, default in fields(SourceSettings)}
    differing = {path for path, default in expected.items() if shown[path] != default}
    assert differing == EXAMPLES
    assert settings.model == ModelSettings()
    (agent,) = settings.agents.by_name.values()
    assert AgentSettings(sources=agent.sources) == agent
    (extra,) = settings.index.extra_paths
    assert set(ExtraPath.model_fields) == extra.model_fields_set
    assert ExtraPath(path=extra.path, name=extra.name) == extra


def test_every_job_is_shown_with_its_own_values() -> None:
    """Schedules and time limits are those of the jobs' declarations."""
    job_tables = parse_settings(uncommented(), "config/memory.toml").jobs
    expected = {
        job.name: JobSettings(schedule=job.clock.cron if job.clock else None, timeout=job.timeout) for job in discover()
    }
    assert job_tables == expected


def test_every_setting_has_a_reason() -> None:
    """Before each setting stands a line that explains it; examples are called examples."""
    lines = sample_settings().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"#(?=\S)", line) and not line.startswith(("#kind", "#[")):
            assert lines[number - 1].startswith("# "), line


def test_lines_fit() -> None:
    """No line is too long to read."""
    assert [line for line in sample_settings().splitlines() if len(line) > 120] == []
