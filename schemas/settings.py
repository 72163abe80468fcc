"""The settings of a workspace, the content of `memory.toml`. `config/memory.toml` is the commented sample."""

from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError

from schemas.addresses import HeaderSecret, HttpAddress, PathText
from schemas.agent_settings import AgentsSettings
from schemas.base import Duration, Moment, Timeout, Value, Zone
from schemas.index_settings import (
    NOTE_PATTERNS,
    EmbedderSettings,
    IndexSettings,
    NotePath,
    RerankerSettings,
    SearchSettings,
)
from schemas.service_settings import CatchUp, Overlap, PingSettings, ServiceSettings
from schemas.ship_settings import ShipSettings
from schemas.store_settings import StoreSettings

_OF_A_PROGRAM = timedelta(minutes=3)


class OwnerSettings(Value):
    """The identity of the owner in a source. With no ids, the other side of the assistant in a two-person chat."""

    ids: tuple[str, ...] = ()


class SessionRule(Value):
    """Which sessions are meant: those that fit every pattern that is set.

    A pattern is a shell's, with `*` and `?`; `session` may be the beginning of an id, `project` a folder above the
    session's, and `first_words` are the beginning of the first message.
    """

    session: str = ""
    path: str = ""
    agent: str = ""
    project: str = ""
    first_words: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        """A rule without a pattern would fit every session."""
        if not any(dict(self).values()):
            message = f"set one of {', '.join(type(self).model_fields)}"
            raise ValueError(message)
        return self


def _with_underscores(value: object) -> object:
    """The name of a kind of source, which other programs write with dashes."""
    return value.replace("-", "_") if isinstance(value, str) else value


NOTES = "notes"
"""The kind of a source that holds no transcripts: what agents noted, and people for them."""


class SourceSettings(Value):
    """One folder of transcripts. Empty `agents`, `projects` or `include` means all that the folder holds.

    A session is read when its agent and its project are named, one rule of `include` fits, and none of `exclude` does.
    With `headless`, what a program asked without a person at the terminal is read as the owner's words. Without
    `search` what was said there is in no index, and no search finds it. `patterns`
    are of a source of notes alone, whose path may be a file.
    """

    kind: Annotated[str, BeforeValidator(_with_underscores)]
    path: PathText
    name: str = ""
    agents: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    include: tuple[SessionRule, ...] = ()
    exclude: tuple[SessionRule, ...] = ()
    owner: OwnerSettings = OwnerSettings()
    headless: bool = False
    search: bool = True
    timezone: Zone | None = None
    patterns: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _of_its_kind(self) -> Self:
        """Refuse patterns without notes, and names of notes that cannot be in the paths of hits."""
        if self.patterns and not self.holds_notes:
            message = f"only a source of the kind {NOTES!r} has patterns"
            raise ValueError(message)
        if self.holds_notes and not {":", "/"}.isdisjoint(self.root_name):
            message = f"{self.root_name!r} cannot be the name of a source of notes; write one without : and /"
            raise ValueError(message)
        return self

    @property
    def holds_notes(self) -> bool:
        """Whether it holds notes, and no transcripts."""
        return self.kind == NOTES

    @property
    def root_name(self) -> str:
        """The name of this root in entries; the kind unless the settings name another."""
        return self.name or self.kind


class ModelSettings(Value):
    """A model behind any server that speaks the OpenAI API, or an agent's own `program`.

    Without `program`, or `base_url` and `name`, every job works offline. A program gets the variables of `environment`
    beside those that any program may have. With `per_source` a program sees the sessions that its own agent wrote, and
    no others. `sources` have, by name, the program that may see each, or `offline`; `mixed` is the one that may see
    text of sources with several programs.
    """

    program: Literal["", "claude", "codex"] = ""
    per_source: bool = True
    sources: dict[str, Literal["claude", "codex", "offline"]] = Field(default_factory=dict)
    mixed: Literal["", "claude", "codex"] = ""
    environment: tuple[str, ...] = ()
    base_url: HttpAddress = ""
    name: str = ""
    background: str = ""
    api_key: HeaderSecret = SecretStr("")
    timeout: Timeout = timedelta(seconds=60)
    attempts: int = Field(default=3, ge=1, le=10)
    parallel: int = Field(default=4, ge=1, le=32)
    batch: bool = False
    give_up_after: Duration = timedelta(days=2)
    tokens_per_run: int = Field(default=0, ge=0)
    tokens_per_day: int = Field(default=0, ge=0)
    backfill_tokens_per_day: int = Field(default=0, ge=0)
    tokens_in_total: int = Field(default=0, ge=0)
    input_price: float = Field(default=0, ge=0)
    output_price: float = Field(default=0, ge=0)
    background_input_price: float = Field(default=0, ge=0)
    background_output_price: float = Field(default=0, ge=0)
    currency: str = "USD"

    @model_validator(mode="after")
    def _both_or_neither(self) -> Self:
        """With one of the two alone, every job would work offline without a word."""
        if self.program:
            if self.base_url:
                message, kind = "a program and a server cannot both answer; empty program or base_url", "two_models"
                raise PydanticCustomError(kind, message)
            return self
        if bool(self.base_url) != bool(self.name):
            present, missing = ("base_url", "name") if self.base_url else ("name", "base_url")
            message = "set this too, or empty {told}: a model takes both, and without them every job works offline"
            kind = "half_a_model"
            raise PydanticCustomError(kind, message, {"missing": missing, "told": present})
        return self

    @property
    def is_configured(self) -> bool:
        """Whether a model is configured."""
        return bool(self.program or (self.base_url and self.name))

    @property
    def programs(self) -> frozenset[str]:
        """The programs that the settings name."""
        return frozenset({self.program, self.mixed, *self.sources.values()}) - {"", "offline"}

    @property
    def most_at_once(self) -> int:
        """The most questions at a time: one to a program, because two would both renew its login."""
        return 1 if self.program else self.parallel

    @property
    def patience(self) -> timedelta:
        """The time limit of a request: a program begins, thinks and ends in it."""
        return _OF_A_PROGRAM if self.program and "timeout" not in self.model_fields_set else self.timeout


class JobSettings(Value):
    """The settings of a job; `None` keeps the job's own declaration."""

    schedule: str | None = None
    timeout: Timeout | None = None
    catch_up: CatchUp = CatchUp.ALL
    max_age: Duration = timedelta(0)
    overlap: Overlap = Overlap.QUEUE
    retries: int = Field(default=5, ge=0, le=100)
    retry_after: Duration = timedelta(minutes=1)


class Settings(Value):
    """Everything `memory.toml` and `MEMORY_*` may set."""

    timezone: Zone = "UTC"
    start: Moment | None = None
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")
    retention: Duration = timedelta(days=90)
    sources: tuple[SourceSettings, ...] = ()
    sources_ignored: tuple[PathText, ...] = ()
    jobs: dict[str, JobSettings] = Field(default_factory=dict)
    agents: AgentsSettings = AgentsSettings()
    model: ModelSettings = ModelSettings()
    index: IndexSettings = IndexSettings()
    search: SearchSettings = SearchSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings()
    service: ServiceSettings = ServiceSettings()
    pings: PingSettings = PingSettings()
    ship: ShipSettings = ShipSettings()
    store: StoreSettings = StoreSettings()

    @property
    def transcript_sources(self) -> tuple[SourceSettings, ...]:
        """The sources that hold transcripts."""
        return tuple(source for source in self.sources if not source.holds_notes)

    @property
    def index_with_notes(self) -> IndexSettings:
        """The settings of the index, with the sources of notes among its paths."""
        notes = (
            NotePath(path=source.path, name=source.root_name, patterns=source.patterns or NOTE_PATTERNS)
            for source in self.sources
            if source.holds_notes and source.search
        )
        return self.index.model_copy(update={"extra_paths": (*self.index.extra_paths, *notes)})
