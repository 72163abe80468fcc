"""The hits of a search: lines of files, each with its citation."""

from datetime import date
from enum import StrEnum

from schemas.base import Value
from schemas.said import SaidHit
from schemas.tier import Tier


class Reach(StrEnum):
    """The reach of a search: `warm` is hot and warm, `cold` all other files, `all` both at once.

    `detail` looks through the texts of the store, and through nothing else; no other reach has them. `said` looks
    through what was said, and through nothing else; the others have that beside their hits, as a list of its own.
    """

    AUTO = "auto"
    WARM = "warm"
    COLD = "cold"
    ALL = "all"
    DETAIL = "detail"
    SAID = "said"


class Place(Value):
    """Lines of a file: from `start_line` to `end_line`, counted from 1, both inside."""

    path: str
    start_line: int
    end_line: int


class Hit(Value):
    """A found passage. `text` is exactly the lines of the file; `snippet` the part of it that answers, on one line.

    `score` only orders the hits of one answer. `date` is the day it was said or written, `None` when nothing tells.
    `kind` is that of an entry or a fact (`world`, `experience`, `opinion`, `observation`), or `note`, `summary`,
    `article`, `plan`, `memory`, `log` or `raw` by the sort of file, or the type of a detail. `status` is what all
    entries and facts together say now, or said at `--as-of`. `trust` is `owner`, `accepted`, `agent` (it says what it
    did), `person` (a person's own file), `unattributed` (where agents write too), `agent's note` (a source of notes),
    `unverified` or `low` (raw text). `uncertain` says in a few words why to doubt it, and is empty when there is no
    reason. `entities` are those that a fact is about. `project` is the name of that in which it was said, empty where
    none is known. `terms` are the words of the question that it has. `places` are all places that say it, this one
    first.
    """

    path: str
    start_line: int
    end_line: int
    text: str
    snippet: str
    score: float
    date: date | None
    kind: str
    tier: Tier
    headings: tuple[str, ...] = ()
    entry_id: str = ""
    fact_id: str = ""
    entities: tuple[str, ...] = ()
    status: str = "active"
    superseded_by: tuple[str, ...] = ()
    confidence: float | None = None
    trust: str = "person"
    uncertain: str = ""
    agent: str = ""
    project: str = ""
    terms: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


class ReplacedEntry(Value):
    """A superseded entry with words of the question, which an answer leaves out: its words, and the day they are of.

    `by` is the entry that holds in its place, which is a hit.
    """

    id: str
    words: str
    date: date | None
    by: str


class Answer(Value):
    """The hits for a question, best first, and notes about them.

    `said` is what was said about it in transcripts, best first: a list of its own, for nobody believes it, and its
    scores are no scores of hits. `reached` are the tiers that were searched. `notes` are sentences such as that no
    embedder is at hand, or that files have changed since they were indexed. `by_meaning` says whether meanings were
    compared too: else a hit without `terms` has parts of words of the question, or stands beside them.
    """

    query: str
    hits: tuple[Hit, ...]
    said: tuple[SaidHit, ...] = ()
    reached: tuple[Tier, ...] = ()
    replaced: tuple[ReplacedEntry, ...] = ()
    by_meaning: bool = False
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
