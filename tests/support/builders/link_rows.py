"""The question about entries that stand nearby, read back from its rows, and the answers of a model to it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from schemas.links import LinkAnswer, LinkedRows, LinkQuestion, LinkVerdict

_HEAD = re.compile(r"\[(?P<ref>\w+) (?P<time>\S+ \S+) [^\]]*\] (?P<title>.*)")
_SAID = "  said: "


@dataclass(frozen=True)
class ShownEntry:
    """An entry as a model sees it."""

    ref: str
    time: str
    quote: str


def shown_entries(text: str) -> list[ShownEntry]:
    """The entries of a question, in the order of its rows."""
    shown = list[ShownEntry]()
    for line in text.splitlines():
        if head := _HEAD.fullmatch(line):
            shown.append(ShownEntry(head["ref"], head["time"], head["title"]))
        elif line.startswith(_SAID):
            shown[-1] = ShownEntry(shown[-1].ref, shown[-1].time, line.removeprefix(_SAID))
    return shown


def shown_pairs(question: str | LinkQuestion) -> Iterator[tuple[ShownEntry, ShownEntry]]:
    """All pairs with a new entry in them, the later one first."""
    entries = shown_entries(question if isinstance(question, str) else question.render_for_question())
    for pair in combinations(entries, 2):
        earlier, later = sorted(pair, key=lambda entry: entry.time)
        if any(entry.ref.startswith("n") for entry in pair):
            yield later, earlier


def linked(
    question: str | LinkQuestion, verdict_of: Callable[[str, str], LinkVerdict | None], reason: str = ""
) -> LinkAnswer:
    """The answer of a model that knows the verdict on each pair of quotes, the later one first."""
    pairs = ((later, earlier, verdict_of(later.quote, earlier.quote)) for later, earlier in shown_pairs(question))
    return LinkAnswer(
        links=tuple(
            LinkedRows(later=later.ref, earlier=earlier.ref, verdict=verdict, reason=reason)
            for later, earlier, verdict in pairs
            if verdict
        )
    )
