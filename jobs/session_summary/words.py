"""The words of the summaries that no person said, in each language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SummaryWords:
    """The headings of a page, the words around its links, and the speakers. `more` has a place for a number."""

    decisions: str
    sessions: str
    summaries: str
    session: str
    more: str
    owner: str
    assistant: str


_ENGLISH = ("Decisions", "Sessions", "Summaries", "session", "{} more, in the pages below", "Owner", "Assistant")
_POLISH = ("Ustalenia", "Sesje", "Podsumowania", "sesja", "jeszcze {}, na stronach poniżej", "Właściciel", "Asystent")
_CHINESE = ("决定", "会话", "摘要", "会话", "下列页面中另有 {} 项", "本人", "助手")

WORDS = {"en": SummaryWords(*_ENGLISH), "pl": SummaryWords(*_POLISH), "zh": SummaryWords(*_CHINESE)}
"""By the `language` of an agent's settings."""


def title(first: str, last: str) -> str:
    """The heading of a page that is about the days from `first` to `last`, in ISO form."""
    return f"# {first}" if first == last else f"# {first} - {last}"
