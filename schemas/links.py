"""Links between entries: the question about those nearby, a model's answer, and the pairs that a person took apart.

A model judges the pairs that code shows; code writes the link.
"""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput, halves
from schemas.entry import Kind, is_corrected

_KEPT = "a person kept the link to "


def is_kept(grounds: str, target: str) -> bool:
    """Whether a person made or kept the link to an entry, by the grounds of the entry that has it."""
    return is_corrected(grounds) or (grounds.startswith(_KEPT) and target in _kept_targets(grounds))


def with_kept(grounds: str, target: str) -> str:
    """The grounds of an entry of which a person keeps one link more; what its links rested on before falls away."""
    before = _kept_targets(grounds) if grounds.startswith(_KEPT) else []
    return _KEPT + ", ".join(dict.fromkeys([*before, target]))


def _kept_targets(grounds: str) -> list[str]:
    return grounds.removeprefix(_KEPT).split(", ")


class LinkVerdict(StrEnum):
    """The relation of the later of two entries to the earlier, if any."""

    SAME = "same"
    REPLACES = "replaces"
    REPLACES_PART = "replaces_part"
    NARROWS = "narrows"


class LinkRow(Value):
    """An entry for a model: its words, all of them data. `time` is when the owner said it, local.

    `finding` and `project` may be empty.
    """

    ref: str
    time: str
    kind: Kind
    project: str
    title: str
    quote: str
    conclusion: str
    finding: str

    @property
    def text(self) -> str:
        """The row: its head from the first column on, and each of its texts in a line of its own, which is indented.

        A text that only repeats another is left out. No text can begin a line, so none can look like a row.
        """
        title, quote, conclusion, finding = map(_one_line, (self.title, self.quote, self.conclusion, self.finding))
        where = f" {_one_line(self.project)}" if self.project else ""
        lines = [f"[{self.ref} {self.time} {self.kind}{where}] {title}"]
        lines += [f"  said: {quote}"] if quote != title else []
        lines += [f"  settles: {conclusion}"] if conclusion not in {title, quote} else []
        lines += [f"  about: {finding}"] if finding else []
        return "\n".join(lines)


class LinkQuestion(DivisibleInput):
    """New entries, and those that were known before and stand near them; each in the order of time."""

    known: tuple[LinkRow, ...]
    new: tuple[LinkRow, ...]

    def render_for_question(self) -> str:
        """The rows of the entries."""
        rows = [*(row.text for row in self.known), "", *(row.text for row in self.new)]
        return "\n".join(rows).strip()

    def parts(self) -> "Sequence[LinkQuestion]":
        """The halves of what is new, the first of which the second one knows; of one new entry, those of the known."""
        if whole := halves(self.new):
            first, second = (self.new[half] for half in whole)
            return [LinkQuestion(known=self.known, new=first), LinkQuestion(known=(*self.known, *first), new=second)]
        return [LinkQuestion(known=self.known[half], new=self.new) for half in halves(self.known)]


class LinkedRows(Value):
    """The verdict on a pair of rows, by their names, and its reason in a few words."""

    later: str
    earlier: str
    verdict: LinkVerdict
    reason: str = Field(default="", max_length=400)


class LinkAnswer(Value):
    """The model's answer: the pairs that have to do with each other. Most questions have few of them, or none."""

    links: tuple[LinkedRows, ...] = Field(default=(), max_length=60)


def _one_line(text: str) -> str:
    return " ".join(text.split())


class LinkBar(Value):
    """A pair that is not to be linked: the ids of its entries, and 16 hex digits of the message of each."""

    ids: tuple[str, str]
    places: tuple[str, str]
