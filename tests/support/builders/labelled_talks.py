"""Sessions with what they settle, and which of it repeats or replaces what was settled before.

A file has sessions, each below `# DAY TITLE`. `>` is the owner, `<` the assistant, `=` a tool. A message that settles
something is `+ KIND NAME | WORDS`; behind the name may stand `same NAME`, `replaces NAME`, or `accepts`, and behind the
words of an acceptance `| WHAT IS ACCEPTED`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from schemas.entry import Kind
from schemas.extraction import Candidate
from schemas.links import LinkVerdict
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation

SPEAKERS = {">": "owner", "<": "assistant", "=": "tool", "+": "owner"}


@dataclass(frozen=True)
class Label:
    """What one message settles. `of` names the earlier label that it repeats or replaces, as `verdict` says."""

    name: str
    kind: Kind
    number: int
    quote: str
    conclusion: str
    accepted: bool = False
    verdict: LinkVerdict | None = None
    of: str = ""

    @property
    def candidate(self) -> Candidate:
        """The answer of a reader who is right."""
        return Candidate(
            kind=self.kind,
            title=self.conclusion[:80],
            quote=self.quote,
            quote_number=self.number,
            support_numbers=(self.number - 1,) if self.accepted else (),
            confirmation="accepted" if self.accepted else "stated",
            conclusion=self.conclusion,
            confidence=0.9,
        )


@dataclass(frozen=True)
class LabelledTalk:
    """A session with its labels."""

    session: Session
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class LabelledTalks:
    """The sessions of one file, in order of time."""

    talks: tuple[LabelledTalk, ...]

    @cached_property
    def labels(self) -> dict[str, Label]:
        """All labels by name."""
        return {label.name: label for talk in self.talks for label in talk.labels}

    @cached_property
    def links(self) -> frozenset[tuple[str, str, LinkVerdict | None]]:
        """The links that are right: the names of the later and the earlier label, and what the later one does."""
        return frozenset((label.name, label.of, label.verdict) for label in self.labels.values() if label.of)


def labelled_talks(file: Path) -> LabelledTalks:
    """The sessions of a file."""
    lines = file.read_text("utf-8").splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith("#")]
    parts = [lines[head:end] for head, end in pairwise([*heads, len(lines)])]
    return LabelledTalks(tuple(_talk(f"{file.stem}-{number}", part) for number, part in enumerate(parts)))


def _talk(session_id: str, lines: list[str]) -> LabelledTalk:
    start = datetime.fromisoformat(lines[0].split()[1]).replace(hour=9, tzinfo=UTC)
    turns = [(SPEAKERS[line[0]], _words(line)) for line in lines[1:]]
    return LabelledTalk(conversation(session_id, start, turns), tuple(_labels(lines[1:])))


def _words(line: str) -> str:
    text = line.split("|")[1] if line.startswith("+") else line[2:]
    return text.strip().replace("\\n", "\n")


def _labels(lines: list[str]) -> Iterator[Label]:
    for number, line in enumerate(lines, start=1):
        if line.startswith("+"):
            head, quote, *more = (part.strip() for part in line[1:].split("|"))
            kind, name, *rest = head.split()
            accepted = rest == ["accepts"]
            verdict, of = (LinkVerdict(rest[0]), rest[1]) if rest and not accepted else (None, "")
            yield Label(name, Kind(kind), number, quote, (more or [quote])[0], accepted, verdict, of)
