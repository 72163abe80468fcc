"""A job is a declaration plus a pure function that returns drafts. The engine has all side effects."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from pipeline.drafts import Draft
from schemas.agent_settings import AgentSettings
from schemas.entry import Entry, Trust
from schemas.fact import Fact
from schemas.links import LinkBar
from schemas.memory_change import EntryProposal
from schemas.transcript import Session
from schemas.window import Window

Answer = TypeVar("Answer", bound=BaseModel)
Key = TypeVar("Key", bound=Hashable)

OFFLINE = "offline"
"""The way of a run that asks no model."""


class JobName(StrEnum):
    """The names of the jobs that other code asks for."""

    ENTRIES = "micro_sync"
    SESSIONS = "agent_sessions"
    JOURNAL = "agent_journal"
    CONTEXT = "agent_context"


class Period(StrEnum):
    """The span of one window: the time between two ticks of a crontab line, a local day, an ISO week, or a month."""

    TICK = "tick"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True)
class Schedule:
    """The schedule of a clocked job: a crontab line in the workspace's zone.

    With `Period.TICK` a window ends at every tick and at every local midnight. Any other window is run at the first
    tick at or after its end. `settle` is how long after that tick it closes, so that messages still being
    written are in their file.
    """

    cron: str
    settle: timedelta = timedelta(minutes=2)
    period: Period = Period.TICK


@dataclass(frozen=True)
class PerEpisode:
    """A job that runs once for each episode: messages of one session with no pause of `idle` between two of them.

    An episode is over once `idle` has passed after its last message. Its cut is made once, when it is run.
    """

    idle: timedelta = timedelta(minutes=30)


@dataclass(frozen=True)
class AfterEpisode:
    """A job that runs once for each episode that the job named `of` has cut and dealt with."""

    of: str


@dataclass(frozen=True)
class EveryNth:
    """A job that runs once for each `size` pages of the job named `of`, in their order.

    The page of a group names its members in the field `field` of its front matter. Of a job for each agent, `size` is
    that of the settings.
    """

    of: str
    size: int
    field: str


@dataclass(frozen=True)
class OnRequest:
    """A job that runs when somebody asks; the request is kept before anything is done about it."""


@dataclass(frozen=True)
class OnChange:
    """A fold: a job that renders its pages from other memory, and is due when that has changed since it ran last.

    It always sees all of it. `of` are the patterns whose files count as a change; without them, all that it reads.
    """

    of: tuple[str, ...] = ()


Cadence = Schedule | PerEpisode | AfterEpisode | EveryNth | OnRequest | OnChange
"""The trigger of a job."""


@dataclass(frozen=True)
class Reads:
    """The inputs of a job. Nothing else is visible to it.

    All but `transcripts` and `without_facts` are patterns relative to the workspace; `{day}`, `{week}` and `{month}` in
    them are those of the run. Files in `documents` are shown as text. Of files in `entries` the job sees the entries
    alone, of those in `items` the list items that we wrote, word for word, of those in `facts` the facts, ours and
    those of other hands, and of those in `by_people` what people wrote, which makes the job depend on no other. A job
    that reads facts has nothing to do where there is none, unless `without_facts` files, if not 0, hold entries.
    """

    transcripts: bool = False
    entries: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    by_people: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    without_facts: int = 0


@dataclass(frozen=True)
class Target:
    """The one family of files a job writes, such as `memory/{day}.md`.

    `{day}` is the local day, `{week}` the ISO week, `{month}` the month, `{episode}` the key of an episode, `{number}`
    that of a group, `{agents}/{agent}` the folder of the agent that a partition is about. A family with `{page}`, or
    with `{part}`, which may be empty, has any number of pages, which the drafts name.

    An append family grows by whole blocks: when a file holds `capacity` entries, the next go to `overflow` (with
    `{volume}` from 2). A family that is not `append` is rewritten: when a page has `lines`, the rest goes to
    `overflow`. A `final` page is not rewritten any more once a job that reads it has dealt with its time. The blocks of
    a `listed` append family are list items, and no entries. A file of an append family is made with its `heading`, of
    level 2, where it has one.
    """

    family: str
    append: bool = False
    listed: bool = False
    overflow: str = ""
    capacity: int = 0
    lines: int = 0
    final: bool = False
    heading: str = ""


@dataclass(frozen=True)
class Document:
    """A Markdown file as a job sees it. `path` is relative to the workspace, in POSIX form."""

    path: str
    text: str


@dataclass(frozen=True)
class NotedItem:
    """A list item of ours in a file that a job reads, unchanged since we wrote it."""

    path: str
    name: str
    text: str


@dataclass(frozen=True)
class Noted:
    """An entry in a file that a job reads.

    The trust of an entry that does not verify is `unverified`. Of one whose quote alone is the owner's, which is
    `quoted`, the quote stands in place of all other words. `stated` is the confidence that the file states, 0 to 1.
    `project` is the name of that in which it was said, empty where none is known.
    """

    entry: Entry
    path: str
    stated: float
    project: str = ""

    @property
    def as_written(self) -> bool:
        """Whether the entry is word for word as `micro_sync` wrote it."""
        return self.entry.trust.level > Trust.QUOTED.level


@dataclass(frozen=True)
class WaitingProposal:
    """An entry that an agent proposed, with its sessions that went on then, each whole."""

    proposal: EntryProposal
    sessions: tuple[Session, ...]


@dataclass(frozen=True)
class Task(Generic[Answer]):
    """A question for a model, with the offline way to answer it. `input` is redacted already and fenced as data.

    With `background` it sums up or judges, which a cheaper model may do. One that is `optional` holds up nothing: where
    the model gives no answer that fits, the offline one stands in its place, and is not kept. `sources` are the names
    of the sources of all that it shows, as sessions have them: no model sees it that may not see all of them.
    """

    name: str
    prompt: str
    input: BaseModel
    returns: type[Answer]
    offline: Callable[[], Answer]
    sources: frozenset[str]
    background: bool = False
    optional: bool = False


class Ask(Protocol):
    """`run.models.ask`: the only door to a model."""

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The answers in the order of the tasks, asked in parallel, each from the cache when it was asked before."""


@dataclass(frozen=True)
class Inputs:
    """The inputs that the job declared in `Reads`: a job without a declaration of a kind sees none of it.

    `transcripts` are the sessions with messages inside the window, each whole up to the window's end and redacted (the
    text of messages that are not conversational is left out); `kinds` are the kinds of their sources, by name.
    `entries`, `items` and `facts` are those in the files that the job reads for them, in the order of the files and in
    them. `by_people` are files without what we wrote in them. `proposals` are the entries that agents proposed within
    a day after the window or before, and that have not been judged, for the job that reads entries.
    """

    transcripts: tuple[Session, ...] = ()
    documents: tuple[Document, ...] = ()
    entries: tuple[Noted, ...] = ()
    by_people: tuple[Document, ...] = ()
    items: tuple[NotedItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    proposals: tuple[WaitingProposal, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenFiles:
    """The files that the job writes, as they stand before the run.

    `entries` are all entries of the job's family so far, in the order of their files. `current` is the page that a
    rewriting job is about to bring up to date; `pages` are those of a family with `{page}` or `{part}`, by name.
    `number` is that of the page, and `ordinal` the place of an episode among all of its agent, from 1; 0 where there
    is none.
    """

    entries: tuple[Entry, ...] = ()
    current: str = ""
    pages: Mapping[str, str] = field(default_factory=dict)
    number: int = 0
    ordinal: int = 0


@dataclass(frozen=True)
class Refusals:
    """The words and links that people deleted, declined or took apart: no job brings them back.

    `forgotten` holds the identities and the ids of what they deleted: of what a lost ledger was rebuilt with, only the
    ids are known. `removed` are the names of page items that a person took out, each as `path#name`. `unlinked` are the
    pairs of entries that people took apart. `declined` says of an identity whether a person turned down what has it.
    """

    forgotten: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    unlinked: frozenset[LinkBar] = frozenset()
    declined: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True)
class Models:
    """The models that a job may ask, and the rule which of them may see the text of which sources.

    `ask` is the only door to a model. `way` is the name of the model that is asked, and `background` that of the one
    that sums up and judges; both are `offline` without a model. `sources_of` gives the sources that the session of an
    id may be from, all of them where nobody knows; `reader` gives of sources the name of the model that may see text of
    all of them together. `masked` gives a text with its secrets masked, as those of transcripts are: what is from other
    files goes through it before a model sees it.
    """

    ask: Ask
    way: str = OFFLINE
    background: str = OFFLINE
    sources_of: Callable[[str], frozenset[str]] = lambda _: frozenset()
    reader: Callable[[frozenset[str]], str] | None = None
    masked: Callable[[str], str] = lambda text: text

    def way_of(self, sources: Iterable[str]) -> str:
        """The name of the model that sums up and judges text of these sources together; `offline` where none may."""
        if self.reader:
            return self.reader(frozenset(sources))
        return self.way if self.background == OFFLINE else self.background

    def sources_of_entry(self, entry: Entry) -> frozenset[str]:
        """The sources that an entry may be from."""
        source, colon, _ = entry.source.session_path.partition(":")
        return frozenset((source,)) if source and colon else self.sources_of(entry.source.session_id)

    def by_reader(self, sources: Mapping[Key, frozenset[str]]) -> list[tuple[str, list[Key]]]:
        """Divide items by the models that may see them: the name of each model with the keys of its items, in order.

        `sources` are those of each item. Where a model may see all items that any model may see, that is one part. An
        item that no model may see is in none.
        """
        ways = {key: way for key, named in sources.items() if (way := self.way_of(named)) != OFFLINE}
        whole = self.way_of(frozenset().union(*(sources[key] for key in ways)))
        if len(set(ways.values())) > 1 and whole != OFFLINE:
            return [(whole, list(ways))]
        return [(name, [key for key, way in ways.items() if way == name]) for name in dict.fromkeys(ways.values())]


@dataclass(frozen=True)
class Agent:
    """The agent that a run of a job for each agent is about, with its settings; `name` is empty of other jobs."""

    name: str = ""
    settings: AgentSettings = field(default_factory=AgentSettings)


@dataclass(frozen=True)
class Run:
    """The whole of what a job sees.

    `key` names the partition, `window` is its time, and `day` the local day on which it begins; that of a job without
    a time is today. `now` is in the workspace's zone. `request` is what was asked for, empty where nobody asked.
    """

    key: str
    window: Window
    day: date
    now: datetime
    models: Models
    inputs: Inputs = field(default_factory=Inputs)
    written: WrittenFiles = field(default_factory=WrittenFiles)
    refusals: Refusals = field(default_factory=Refusals)
    agent: Agent = field(default_factory=Agent)
    request: str = ""


@dataclass(frozen=True)
class Reading:
    """The way in which a job reads entries out of transcripts.

    `version` is raised when the job would not write any more what it wrote before. `review` gives the entries of a run
    that it would not write today, by id, with the reason, one of a fixed set of names. The `way` of that run is the one
    in which they were written; no model is asked again, so of what a model read only the speaker is judged.
    """

    version: int
    review: Callable[[Run], Mapping[str, str]]


@dataclass(frozen=True)
class Job:
    """A job.

    `locks` are names held besides the job's own, so that jobs which must not meet do not. With `per_agent` each
    partition is about one agent, and sees that agent's sessions alone. With `on_request` it runs also when somebody
    asks, besides what its `schedule` says: such a run has a `request` and no transcripts. `relink` gives the entries of
    the job's family that are to have other links by today's judgement, with these links. `reading` is that of a job
    that reads transcripts into entries.
    """

    name: str
    purpose: str
    schedule: Cadence
    reads: Reads
    writes: Target
    run: Callable[[Run], Sequence[Draft]]
    timeout: timedelta = timedelta(minutes=15)
    locks: tuple[str, ...] = ()
    per_agent: bool = False
    on_request: bool = False
    relink: Callable[[Run], Sequence[Entry]] | None = None
    reading: Reading | None = None

    @property
    def clock(self) -> Schedule | None:
        """When it runs by the clock; `None` when something else makes it due."""
        return self.schedule if isinstance(self.schedule, Schedule) else None

    @property
    def is_fold(self) -> bool:
        """Whether it renders its pages again whenever what they are made of has changed."""
        return isinstance(self.schedule, OnChange)

    @property
    def when(self) -> str:
        """Its trigger, in words; of a clock its crontab line."""
        match self.schedule:
            case Schedule(cron):
                return cron
            case PerEpisode() | AfterEpisode():
                return "after each episode"
            case EveryNth(of):
                return f"after so many pages of {of}"
            case OnRequest():
                return "on request"
            case OnChange(of):
                return f"when {', '.join(of) or 'what it reads'} has changed"

    @property
    def period(self) -> Period | None:
        """The span of one of its windows; `None` without a clock."""
        return self.clock.period if self.clock else None
