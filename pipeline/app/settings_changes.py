"""Changes of `memory.toml` that the page may make: what a person picks from what code offers, and nothing else.

A page session can be stolen. So no change names a path, an address, the arguments of a program or a key of its own, and
none lets a program or a provider see text that it may not see already: those are typed at the terminal. The new text
has to give exactly the settings that the change is to make, or it is refused.
"""

import hashlib
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal, Self, TypeVar

import tomlkit
from pydantic import Field, TypeAdapter, ValidationError
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from pipeline.app.agents import NewAgent
from pipeline.app.engine import setting_problems, unnamed_folders
from pipeline.errors import ChangedMeanwhile, SettingsInvalid, WriteFailed
from pipeline.errors.agents import AgentKnown
from pipeline.errors.service import ChoiceUnknown
from pipeline.job import OFFLINE, Job
from pipeline.settings.load import parse_settings, toml_values
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.tables import set_model, source_tables
from pipeline.workspace.files import STATE_FOLDER, Workspace
from pipeline.workspace.regular_files import read_regular, replace_private
from schemas.agent_settings import AgentsSettings
from schemas.base import RequestValue, Value, Zone
from schemas.json_line import json_line
from schemas.settings import JobSettings, Settings, SourceSettings

T = TypeVar("T")
_USED = "models_used.json"
"""In the state folder, the models from which the page switched away: it names addresses, so no form fills it."""
_CHOICES = ("program", "base_url", "name", "background")
_BY_HAND = "it is written in a form that only a person can change; write it by hand"
_WRITING = Lock()
_HOURS = (1, 2, 3, 4, 6, 8, 12)
"""The hours between two runs of a job that runs several times a day."""
_Tokens = Annotated[int, Field(ge=0, le=10**12)]


class UsedModel(Value):
    """A model by its values, and a digest of all that decides what text it gets, and with which key."""

    values: dict[str, str]
    sees: str

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The model of these settings."""
        model = settings.model
        rest = [model.api_key.get_secret_value(), model.per_source, model.mixed, model.sources, model.environment]
        read = [source.model_dump(mode="json") for source in settings.sources]
        digest = hashlib.sha256(json_line([*rest, read]).encode()).hexdigest()
        return cls(values={name: value for name in _CHOICES if (value := getattr(model, name))}, sees=digest)

    @property
    def key(self) -> str:
        """The name by which a form picks it: addresses may hold a password."""
        return hashlib.sha256(json_line([self.values, self.sees]).encode()).hexdigest()[:16]


_MODELS: TypeAdapter[list[UsedModel]] = TypeAdapter(list[UsedModel])


@dataclass(frozen=True)
class Choices:
    """The things to pick from in one workspace.

    `agents` are those in its transcripts, as `SOURCE:AGENT`, and `remembered` those that have had a memory here.
    """

    root: Path
    environment: Mapping[str, str]
    settings: Settings
    jobs: Sequence[Job]
    agents: Sequence[str] = ()
    remembered: Collection[str] = ()

    @property
    def sources(self) -> list[SourceSettings]:
        """The folders of transcripts on this machine that no source names, each with a name that is free."""
        hints = unnamed_folders(self.root, self.settings, self.environment)
        taken, offered = {source.root_name for source in self.settings.sources}, list[SourceSettings]()
        for hint in hints:
            names = (hint.kind, *(f"{hint.kind}-{number}" for number in range(2, len(taken) + len(hints) + 2)))
            name = next(name for name in names if name not in taken)
            taken.add(name)
            offered.append(SourceSettings(kind=hint.kind, path=hint.unnamed, name="" if name == hint.kind else name))
        return offered

    @property
    def schedules(self) -> dict[str, tuple[str, ...]]:
        """The crontab lines to choose from, by job; only for jobs that run by the clock."""
        return {job.name: _schedules(job.clock.cron) for job in self.jobs if job.clock}

    @property
    def removable(self) -> list[str]:
        """The names of the sources that nothing but a kind, a path and a name is written of.

        Rules about sessions would be lost, and come back by no pick.
        """
        plain = {"kind", "path", "name"}
        return [source.root_name for source in self.settings.sources if source.model_fields_set <= plain]

    @property
    def models(self) -> list[UsedModel]:
        """The models to choose from: that in force, and those before it that would see no more than they saw then."""
        kept = self.used_before()
        now = UsedModel.of(self.settings)
        return [*(one for one in kept if one != now and one.sees == now.sees), *([now] if now.values else [])]

    def used_before(self) -> list[UsedModel]:
        """The models from which the page switched away; none where the list is damaged."""
        file = self.root / STATE_FOLDER / _USED
        try:
            return _MODELS.validate_json(read_regular(file)) if file.exists() else []
        except (ValueError, OSError):
            return []


def _schedules(cron: str) -> tuple[str, ...]:
    minute, hour, *_, weekday = cron.split()
    if hour.startswith("*"):
        return tuple(f"{minute} */{every} * * *" if every > 1 else f"{minute} * * * *" for every in _HOURS)
    if weekday == "*":
        return tuple(f"{minute} {at} * * *" for at in range(24))
    return tuple(f"{minute} {hour} * * {day}" for day in range(7))


class _PickedChange(RequestValue):
    """A change that a person picked."""

    @abstractmethod
    def make(self, choices: Choices) -> Settings:
        """The settings after it; a pick that is not among the choices is refused."""

    @abstractmethod
    def write(self, text: str, choices: Choices, /) -> str:
        """The text of `memory.toml` after it; comments and all other lines stay."""


class SourceAdded(_PickedChange):
    """A folder of transcripts that code finds on this machine is read, and not shown to a model."""

    change: Literal["source_added"]
    path: str = Field(max_length=4_000)

    def make(self, choices: Choices) -> Settings:
        """The settings with the source, and the word that no model sees it, whichever is chosen later."""
        source = _pick(self.path, {source.path: source for source in choices.sources})
        settings, offline = choices.settings, {source.root_name: OFFLINE}
        model = settings.model.model_copy(update={"sources": settings.model.sources | offline})
        return settings.model_copy(update={"sources": (*settings.sources, source), "model": model})

    def write(self, text: str, choices: Choices, /) -> str:
        """The text with a table for the source, and a line of the model's."""
        document, after = tomlkit.parse(text), self.make(choices)
        source = after.sources[-1]
        _table(_table(document, "model"), "sources")[source.root_name] = OFFLINE
        written = tomlkit.dumps(document)
        return f"{written}{_end(written)}\n{source_tables([source])}"


class SourceRemoved(_PickedChange):
    """A source is not read any more."""

    change: Literal["source_removed"]
    name: str = Field(max_length=200)

    def make(self, choices: Choices) -> Settings:
        """The settings without the source."""
        _pick(self.name, dict.fromkeys(choices.removable))
        left = tuple(source for source in choices.settings.sources if source.root_name != self.name)
        shown = {name: model for name, model in choices.settings.model.sources.items() if name != self.name}
        model = choices.settings.model.model_copy(update={"sources": shown})
        return choices.settings.model_copy(update={"sources": left, "model": model})

    def write(self, text: str, choices: Choices, /) -> str:
        """The text without its table."""
        document = tomlkit.parse(text)
        place = [source.root_name for source in choices.settings.sources].index(self.name)
        del document["sources"][place]
        if self.name in choices.settings.model.sources:
            del document["model"]["sources"][self.name]
        return tomlkit.dumps(document)


class LimitsSet(_PickedChange):
    """The most tokens that a model may take; 0 is no limit."""

    change: Literal["limits"]
    tokens_per_run: _Tokens
    tokens_per_day: _Tokens
    backfill_tokens_per_day: _Tokens
    tokens_in_total: _Tokens

    def make(self, choices: Choices) -> Settings:
        """The settings with these limits."""
        limits = self.model_dump(exclude={"change"})
        return choices.settings.model_copy(update={"model": choices.settings.model.model_copy(update=limits)})

    def write(self, text: str, choices: Choices, /) -> str:
        """The text with those that differ."""
        document = tomlkit.parse(text)
        for name, most in self.model_dump(exclude={"change"}).items():
            if most != getattr(choices.settings.model, name):
                _table(document, "model")[name] = most
        return tomlkit.dumps(document)


class ScheduleSet(_PickedChange):
    """The schedule of a job; empty is its own."""

    change: Literal["schedule"]
    job: str = Field(max_length=100)
    schedule: str = Field(default="", max_length=100)

    def make(self, choices: Choices) -> Settings:
        """The settings with the schedule."""
        _pick(self.schedule, dict.fromkeys(("", *_pick(self.job, choices.schedules))))
        job = choices.settings.jobs.get(self.job, JobSettings()).model_copy(update={"schedule": self.schedule or None})
        return choices.settings.model_copy(update={"jobs": choices.settings.jobs | {self.job: job}})

    def write(self, text: str, _choices: Choices, /) -> str:
        """The text with it, or without any."""
        document = tomlkit.parse(text)
        table = _table(_table(document, "jobs"), self.job)
        table["schedule"] = self.schedule
        if not self.schedule:
            del table["schedule"]
        return tomlkit.dumps(document)


class ModelChosen(_PickedChange):
    """A model that was in force here before, by its key; without one none."""

    change: Literal["model"]
    model: str = Field(default="", max_length=100)

    def make(self, choices: Choices) -> Settings:
        """The settings with the model."""
        values = dict.fromkeys(_CHOICES, "") | self._values(choices)
        return choices.settings.model_copy(update={"model": choices.settings.model.model_copy(update=values)})

    def write(self, text: str, choices: Choices, /) -> str:
        """The text with the model; what was there for another one stays behind a `#`."""
        return set_model(text, self._values(choices))

    def _values(self, choices: Choices) -> dict[str, str]:
        return _pick(self.model, {"": {}, **{model.key: model.values for model in choices.models}})


class ZoneSet(_PickedChange):
    """The time zone in which days begin."""

    change: Literal["zone"]
    timezone: Zone

    def make(self, choices: Choices) -> Settings:
        """The settings with the zone."""
        return choices.settings.model_copy(update={"timezone": self.timezone})

    def write(self, text: str, _choices: Choices, /) -> str:
        """The text with the zone."""
        document = tomlkit.parse(text)
        document["timezone"] = self.timezone
        return tomlkit.dumps(document)


class AgentAdded(_PickedChange):
    """An agent gets a memory of its own; `source` is that of its sessions, as `SOURCE:AGENT`."""

    change: Literal["agent_added"]
    name: str = Field(min_length=1, max_length=100)
    source: str = Field(max_length=400)
    autonomy: Annotated[int, Field(ge=0, le=2)] = 1
    language: Literal["en", "pl", "zh"] = "en"

    def make(self, choices: Choices) -> Settings:
        """The settings with the agent."""
        _pick(self.source, dict.fromkeys(choices.agents))
        if self.name in choices.settings.agents.by_name or self.name in choices.remembered:
            raise AgentKnown(self.name)
        own = {"autonomy": self.autonomy, "sources": (self.source,), "may_read": (), "language": self.language}
        return _with_agents(choices.settings, choices.settings.agents.model_dump() | {self.name: own})

    def write(self, text: str, _choices: Choices, /) -> str:
        """The text with the table of the agent at its end."""
        wanted = NewAgent(self.name, self.autonomy, (self.source,), self.language, may_read=())
        return f"{text}{_end(text)}{wanted.table}"


class AgentRemoved(_PickedChange):
    """An agent has no memory of its own any more; its files stay."""

    change: Literal["agent_removed"]
    name: str = Field(max_length=200)

    def make(self, choices: Choices) -> Settings:
        """The settings without the agent."""
        _pick(self.name, choices.settings.agents.by_name)
        agents = choices.settings.agents.model_dump()
        return _with_agents(choices.settings, {name: agent for name, agent in agents.items() if name != self.name})

    def write(self, text: str, _choices: Choices, /) -> str:
        """The text without its table."""
        document = tomlkit.parse(text)
        del document["agents"][self.name]
        return tomlkit.dumps(document)


SettingsChange = Annotated[
    SourceAdded | SourceRemoved | LimitsSet | ScheduleSet | ModelChosen | ZoneSet | AgentAdded | AgentRemoved,
    Field(discriminator="change"),
]
"""The changes that the page may make."""


@dataclass(frozen=True)
class PlannedChange:
    """A change of `memory.toml`: its bytes before and after; `used` are the models that can be chosen again then."""

    before: bytes
    after: bytes
    used: tuple[UsedModel, ...] = ()


def plan_change(choices: Choices, change: _PickedChange) -> PlannedChange:
    """The change of the file, which gives the settings that it is to give and no others.

    Raises:
        ChoiceUnknown: it names something that is not among the choices.
        SettingsInvalid: the settings cannot be used, or are written in a form that only a person can change.
    """
    where = str(choices.root / SETTINGS_FILE)
    before = Workspace(choices.root).read(SETTINGS_FILE) or b""
    in_file = replace(choices, settings=parse_settings(toml_values(before, where), where))
    try:
        wanted = change.make(in_file)
        after = change.write(before.decode(), in_file).encode()
        made = parse_settings(toml_values(after, where), where)
    except ValidationError as error:
        raise SettingsInvalid(where, [problem["msg"] for problem in error.errors()]) from error
    except (TOMLKitError, LookupError, TypeError) as error:
        raise SettingsInvalid(where, [_BY_HAND]) from error
    if made.model_dump() != wanted.model_dump():
        raise SettingsInvalid(where, [_BY_HAND])
    if problems := setting_problems(made, choices.jobs, {}):
        raise SettingsInvalid(where, problems)
    return PlannedChange(before, after, tuple(in_file.models) if isinstance(change, ModelChosen) else ())


def carry_out(choices: Choices, planned: PlannedChange) -> None:
    """Write the file, if it is as it was when the change was planned; a model before can be chosen again.

    Raises:
        WorkspaceError: somebody has written to the file; the system refuses.
    """
    workspace = Workspace(choices.root)
    with _WRITING:  # two forms that were sent at once would both find the file as it was
        same = workspace.read(SETTINGS_FILE) == planned.before
        if not same or not workspace.put_file(SETTINGS_FILE, planned.before, planned.after):
            raise ChangedMeanwhile(SETTINGS_FILE)
        if planned.used:
            kept = [*choices.used_before(), *planned.used]
            unique = [one for at, one in enumerate(kept) if one not in kept[:at]]
            used = workspace.state_folder / _USED
            try:
                replace_private(used, _MODELS.dump_json(unique, indent=1))
            except OSError as error:
                raise WriteFailed(str(used), error.strerror or str(error)) from error


def _with_agents(settings: Settings, agents: Mapping[str, object]) -> Settings:
    return settings.model_copy(update={"agents": AgentsSettings.model_validate(agents)})


def _pick(name: str, among: Mapping[str, T]) -> T:
    """The choice of this name."""
    if name not in among:
        raise ChoiceUnknown(name)
    return among[name]


def _table(above: TOMLDocument | Table, name: str) -> Table:
    """The table of a name, which is made where there is none."""
    if name not in above:
        above[name] = tomlkit.table()
    table = above[name]
    if not isinstance(table, Table):
        raise TypeError(name)
    return table


def _end(text: str) -> str:
    """The end of the last line, where it lacks."""
    return "" if text.endswith("\n") or not text else "\n"
