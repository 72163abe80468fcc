"""The lines of a summary that no model writes: what was settled in a session, what was done, what it was about."""

from collections.abc import Iterator

from jobs.session_facts.offline import read
from jobs.session_summary.archived import ArchivedSession
from jobs.session_summary.words import SummaryWords
from jobs.summary import summarize
from jobs.summary.line_text import ARROW
from pipeline.agents.journal import one_line
from pipeline.language.text import sentences, terms
from schemas.memory_change import LONGEST
from schemas.summary import Part
from schemas.transcript import Message, Origin

_ORDER = (Part.ACTION, Part.CONVERSATION, Part.TECHNICAL)
"""Which lines say best what a session was about. What was open, or to be done next, was so only then."""
_SAME = 0.6  # of the terms of the shorter


def lines(member: ArchivedSession, words: SummaryWords) -> list[str]:
    """The lines of a session, the most telling first; none says again what another does.

    A line without a speaker is what the owner settled.
    """
    facts = read(member.session, member.window)
    kept = [one_line(fact.text) for fact in facts.facts]
    for line in _points(member, words):
        if not any(_repeats(part, one) for part in line.split(ARROW) for one in kept):
            kept.append(line)
    return kept or _first_words(member, words)


def _first_words(member: ArchivedSession, words: SummaryWords) -> list[str]:
    """What the owner began with, in a session that says no more."""
    first = next((one for one in member.session.messages if one.origin is Origin.OWNER), None)
    return [_by(first, first.text, words)[:LONGEST]] if first else []


def units(paragraph: str) -> list[str]:
    """The sentences of a paragraph of such lines, in their order; a matter and its outcome are one."""
    arrow, whole = ARROW.strip(), list[str]()
    for span in sentences(paragraph):
        if whole and (span.text.startswith(arrow) or whole[-1].endswith(arrow)):
            whole[-1] = f"{whole[-1]} {span.text}"
        else:
            whole.append(span.text)
    return whole


def _points(member: ArchivedSession, words: SummaryWords) -> Iterator[str]:
    said = {message.number: message for message in member.session.messages}
    points = [point for point in summarize(member.session, member.window).points if point.part in _ORDER]
    for point in sorted(points, key=lambda one: _ORDER.index(one.part)):
        first, last = said[min(point.numbers)], said[max(point.numbers)]
        matter, arrow, outcome = point.text.partition(ARROW)
        if point.part is Part.ACTION:
            yield one_line(point.text)
        elif arrow and first is not last:
            yield f"{_by(first, matter, words)}{ARROW}{_by(last, outcome, words)}"
        else:
            yield _by(first, point.text, words)


def _by(message: Message, text: str, words: SummaryWords) -> str:
    return f"{words.owner if message.origin is Origin.OWNER else words.assistant}: {one_line(text)}"


def _repeats(part: str, line: str) -> bool:
    """Whether one of the two has most of the words of the other."""
    one, other = terms(part), terms(line)
    return bool(one and other) and len(one & other) >= _SAME * min(len(one), len(other))
