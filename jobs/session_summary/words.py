"""The words of the summaries that no person said, in each language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SummaryWords:
    """The headings of a page, and the words around its links. `more` has a place for a number."""

    decisions: str
    sessions: str
    summaries: str
    session: str
    more: str


WORDS = {
    "en": SummaryWords("Decisions", "Sessions", "Summaries", "session", "{} more, in the pages below"),
    "pl": SummaryWords("Ustalenia", "Sesje", "Podsumowania", "sesja", "jeszcze {}, na stronach poniżej"),
    "zh": SummaryWords("决定", "会话", "摘要", "会话", "下列页面中另有 {} 项"),
}
"""By the `language` of an agent's settings."""


def title(first: str, last: str) -> str:
    """The heading of a page that is about the days from `first` to `last`, in ISO form."""
    return f"# {first}" if first == last else f"# {first} - {last}"
