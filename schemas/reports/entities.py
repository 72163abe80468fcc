"""The entities that facts name, as programs get them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EntityReport:
    """An entity: its names, the kind that people gave it, the number of its facts, and when it was named.

    `path` is its page, which may not be written yet. `alike` are the names of others that may be the same.
    """

    name: str
    aliases: tuple[str, ...]
    kind: str
    facts: int
    first: str | None
    last: str | None
    path: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactReport:
    """A fact, and how sure it is, in hundredths, in a word, and as the sum that it is.

    `id` is empty for a fact of other hands. `word` says whose word it is. `supported_by` and `contradicted_by` are the
    ids of its grounds. `until` is the day on which the fact `replaced_by` took its place.
    """

    id: str
    kind: str
    entities: tuple[str, ...]
    text: str
    day: str | None
    word: str
    confidence: int
    sureness: str
    sum: str
    quote: str
    session_id: str
    numbers: tuple[int, int]
    replaces: tuple[str, ...]
    replaced_by: str
    until: str | None
    supported_by: tuple[str, ...]
    contradicted_by: tuple[str, ...]
    path: str
    line: int


@dataclass(frozen=True)
class ShownEntity:
    """An entity with its facts, and the text of its page as it stands now."""

    entity: EntityReport
    facts: tuple[FactReport, ...]
    page: str


@dataclass(frozen=True)
class EntitiesCorrected:
    """A merge of two names, or the way back: `undo` is the command that takes the run back."""

    run_id: str
    undo: str
    name: str
    other: str
    paths: tuple[str, ...]
    rendered: tuple[str, ...]
    warnings: tuple[str, ...]
