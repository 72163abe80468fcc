"""The lines of a summary that no model writes: what was settled in a session, what was done, what it was about."""

from jobs.session_facts.offline import owners_words, read
from jobs.session_summary.archived import ArchivedSession
from jobs.session_summary.words import SummaryWords
from pipeline.agents.journal import one_line
from pipeline.language.text import sentences

_ARROW = "→"
"""What stands between a matter and its outcome on pages of earlier versions."""


def lines(member: ArchivedSession, words: SummaryWords) -> list[str]:
    """The lines of a session: what the owner settled, without a speaker, then the owner's first and last words."""
    facts = read(member.session, member.window).facts
    said = owners_words(member.session, member.window, facts)
    return [*(one_line(fact.text) for fact in facts), *(f"{words.owner}: {line}" for line in said)]


def units(paragraph: str) -> list[str]:
    """The sentences of a paragraph of such lines, in their order; a matter and its outcome are one."""
    whole = list[str]()
    for span in sentences(paragraph):
        if whole and (span.text.startswith(_ARROW) or whole[-1].endswith(_ARROW)):
            whole[-1] = f"{whole[-1]} {span.text}"
        else:
            whole.append(span.text)
    return whole
