"""The words of the summaries that no person said, in each language."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.job import Run
from pipeline.language.tokens import count_tokens
from pipeline.markdown.front_fields import front_fields


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


def made(run: Run, day: str, texts: Sequence[str]) -> dict[str, object]:
    """The day and the size of a summary, for its front matter; a page of an earlier version stays without them."""
    if run.current.strip() and "created" not in front_fields(run.current.encode()):
        return {}
    return {"created": day, "token_count": count_tokens("\n\n".join(texts))}


def title(first: str, last: str) -> str:
    """The heading of a page that is about the days from `first` to `last`, in ISO form."""
    return f"# {first}" if first == last else f"# {first} - {last}"
