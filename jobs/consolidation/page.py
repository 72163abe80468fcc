"""The item of an entry in MEMORY.md, and the room that it takes.

Of a plan only ids, scores and subjects are used, and of a subject only words that its entries have.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from unicodedata import category, normalize

from jobs.consolidation.verdicts import Rank, Verdict
from pipeline.drafts import ItemDraft
from pipeline.entries.project_names import heading_of
from pipeline.entries.reference import ITEM_DIGITS, ROOT, is_said, item_name
from pipeline.job import Noted
from pipeline.language.chinese import han_runs
from pipeline.markdown.blocks import PAGE_NOTE, seal_item
from pipeline.markdown.entries import one_line
from schemas.entry import NOT_STATED, Kind

SUMMARY = 240
"""The most characters of an entry's summary."""

SUBJECT = 40
"""The most characters of a heading."""

TITLE = ItemDraft("title", "# Memory")
ABOUT = ItemDraft(
    PAGE_NOTE, "What to read first, out of the daily files in `memory/`. What you add or edit here is yours."
)

HEADINGS = {
    Kind.DECISION: "Decisions",
    Kind.RULE: "Rules",
    Kind.ARCHITECTURE: "Architecture",
    Kind.REMEMBER: "To remember",
}
"""The headings of entries without a trusted subject."""

_CUT = 0.6  # of the summary: a word is cut only if it begins before this part
_STRUCTURE = re.compile(r"[#>*+=~`|<\-_\[]|\d+[.)]|id:")
_JOINERS = "\u200c\u200d"
_IDENTIFIER = re.compile(
    r"\w*_\w*|\w+(?:-\w*\d\w*)+(?:-\w+)*|\w+(?:[/\\@#.]\w+)+|(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True)
class PageCandidate:
    """An entry that may stand on the page: `subject` is the heading of its plan.

    `rank` is the rank of the heading, then its own: the order on the page. `digits` are those of the item's name.
    `project` is the one that it is about; empty where it holds everywhere, or no projects are told apart.
    """

    noted: Noted
    subject: str = ""
    rank: tuple[Rank, ...] = ()
    digits: int = ITEM_DIGITS
    project: str = ""

    @cached_property
    def item(self) -> ItemDraft:
        """The entry as it stands on the page: one line."""
        entry = self.noted.entry
        day = f"{entry.date:%Y-%m-%d}"
        return ItemDraft(item_name(entry.id, self.digits), f"- {summary(self.noted)} ([{day}]({self.noted.path}))")


def cost(verdict: Verdict, noted: Noted) -> tuple[int, int]:
    """The lines and characters of an entry, with line ends and the engine's mark, without its heading.

    `verdict` names the subject, which costs `heading_cost` where it is the first under it.
    """
    return cost_of(PageCandidate(noted, subject=verdict.subject).item)


def heading_cost(subject: str) -> tuple[int, int]:
    """The lines and characters of a heading, with the empty line before it."""
    return cost_of(heading(subject))


def cost_of(item: ItemDraft) -> tuple[int, int]:
    """The lines and characters of an item in a file with LF line ends, with the empty line before it."""
    sealed = seal_item(item.name, item.text)
    lead = 0 if item.text.startswith("- ") else 1
    return sealed.count("\n") + lead, len(sealed) + lead


def heading(subject: str) -> ItemDraft:
    """The heading of a section. Its name comes from the subject alone."""
    return ItemDraft(f"s-{hashlib.sha256(subject.casefold().encode()).hexdigest()[:8]}", f"## {subject}")


def project_heading(project: str) -> str:
    """The text of the heading of a project."""
    return f"Project {heading_of(project)}"


def summary(noted: Noted) -> str:
    """The summary of an entry on one line without Markdown structure: its conclusion, or else its quote."""
    entry = noted.entry
    stated = noted.as_written and entry.conclusion not in {"", NOT_STATED}
    text = _clipped(_visible(entry.conclusion if stated else entry.quote)).replace("<!--", "&lt;!--")
    return text if stated and text and not _STRUCTURE.match(text) else f'"{text}"'


def subject_of(wanted: str, noted: Noted, sources: Iterable[Noted]) -> str:
    """The heading for an entry: the subject of a plan, if `sources` (all entries with it) have each of its words."""
    letters = "".join(char if category(char)[0] in "LMN" else " " for char in normalize("NFC", wanted))
    subject = " ".join(letters.split())
    if subject in HEADINGS.values():
        return subject
    said = without_identifiers(" ".join(map(_words, sources)))
    own = 0 < len(subject) <= SUBJECT and is_said(subject.split(), said) and _begin_words(subject.split(), said)
    return subject if own else HEADINGS[noted.entry.kind]


def without_identifiers(text: str) -> str:
    """`text` without names of files, variables and records, of which a part is no word."""
    return _IDENTIFIER.sub(" ", text)


def _begin_words(words: Iterable[str], text: str) -> bool:
    """Whether these words, or their beginnings, begin words of a text; between Chinese characters nothing begins."""
    said = normalize("NFC", text).casefold()
    parts = (normalize("NFC", word).casefold()[:ROOT] for word in words)
    return all(han_runs(part) or re.search(rf"(?<![^\W_]){re.escape(part)}", said) for part in parts)


def _words(noted: Noted) -> str:
    entry = noted.entry
    return f"{entry.title} {entry.conclusion} {entry.quote}"


def _visible(text: str) -> str:
    """`text` on one line, without invisible characters: a person has to see the same text as an agent."""
    return one_line("".join(char for char in text if category(char) != "Cf" or char in _JOINERS))


def _clipped(text: str) -> str:
    if len(text) <= SUMMARY:
        return text
    kept = text[: SUMMARY - 1]
    space = kept.rfind(" ")
    return (kept[:space] if space > SUMMARY * _CUT else kept).rstrip(" ,;:-，、；：") + "…"  # noqa: RUF001 - people type full-width punctuation
