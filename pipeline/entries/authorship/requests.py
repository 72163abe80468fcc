"""Instructions about a text, and play: their subject is a text, not a wish of the owner."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence
from enum import Enum

from pipeline.entries.authorship.cues import GENRES, WORDS
from pipeline.entries.authorship.lines import MessageLine
from pipeline.entries.authorship.speech import leads_foreign
from pipeline.language.text import Span, sentences, weight

_LONGEST = 160  # in Latin letters; a longer sentence is more than an instruction about a text
_POLITE = WORDS.pattern("polite", r"(?:[\W_]{0,6}{}[\W_]{0,3}){0,5}[\W_]{0,6}")
_PARENTHESIS = re.compile(r"\(([^()]{4,80})\)\W*$")
_CLAUSE = re.compile(r"[,，](?:帮我|请|麻烦)?")
_POINTS = re.compile(r"\b(?:this|that|it|these)\W*$|(?:这|这个|这段)(?:是什么.{0,4})?\W*$")
_ANSWERS = re.compile(r"answer|reply|respond|odpowi|odpis|[答回]")  # of the assistant to the owner, as a rule
_FILE = re.compile(r"@\S|\w\.[a-z]{1,5}\b")
_WORD = 12  # in Latin letters
_BARE = 30  # in Latin letters: a request as short as this names no text, so it means the one beside it
_BRIEF = 40  # in Latin letters: a question on the same line that cannot be about much else
_INTO = re.compile(r"\b(?:in)?to (?:[a-z]+)\W*$|\bna (?:\w+ski|\w+ki)\W*$|[成为到][^\W\d]{1,4}[文语]\W*$")


_PLACE = re.compile(r"(?:\b(?:in|into|on|onto|to|at|for|w|we|do|na|nad) |[进到在入])\Z")
_OWN_TEXT = WORDS.pattern("source", r"\b(?:the|our|my) (?:\w+ )?{}")  # that the owner works on
_MANNER = WORDS.pattern("manner", rf"{_POLITE.pattern}{{}}(?:\W{{1,3}}\w{{1,10}}|谢谢|吧)?\W{{0,3}}")


class About(Enum):
    """The certainty with which a sentence asks for work on a text."""

    NOTHING = 0
    OPINION = 1
    TEXT = 2
    REWORK = 3


def asks_about(sentence: Span) -> About:
    """The sort of request in a sentence: text reworked, text looked at or answered, an opinion, or none."""
    folded = sentence.folded
    if weight(sentence.text) > _LONGEST:
        return About.NOTHING
    rest = _without_politeness(folded)
    bare = weight(rest) <= _BARE
    refers = WORDS.finds("object", rest) or _INTO.search(rest) is not None
    if any(WORDS.opens("rework", part) for part in (rest, _CLAUSE.split(rest)[-1])) and (refers or bare):
        return About.REWORK
    if WORDS.finds("about", folded) or (sentence.asks and _points_at_text(folded)):
        return About.TEXT
    brief = weight(rest) <= _WORD and _FILE.search(rest) is None  # `see @a.txt` is about that file
    if WORDS.opens("inspect", rest) and (WORDS.finds("object", rest) or brief):
        return About.TEXT
    asks = sentence.asks and WORDS.finds("object", folded)
    return About.OPINION if asks or WORDS.opens("opinion", rest) else About.NOTHING


def _without_politeness(folded: str) -> str:
    """The sentence behind the words that only lead to a request: `can you please`."""
    start = _POLITE.match(folded)
    return folded[start.end() :] if start else folded


def asks_to_inspect(sentence: Span) -> bool:
    """Whether a sentence asks to look at something, or to write `this` in another way."""
    rest = _without_politeness(sentence.folded)
    if _FILE.search(sentence.text.rstrip(" .")):
        return False
    inspects = WORDS.opens("inspect", rest) and _ANSWERS.match(rest) is None
    return inspects or (WORDS.opens("draft", rest) and WORDS.finds("object", rest))


def request_end(line: MessageLine) -> int | None:
    """The place just after a colon before which something is asked for the text that follows it."""
    for said, place in line.leads:
        lead = WORDS.pattern("compound").sub(" ", said)
        rest = _without_politeness(lead)
        if any(WORDS.opens(name, rest) for name in ("rework", "inspect", "draft")) or WORDS.finds("about", lead):
            return place
    return None


def plays(line: MessageLine) -> int | None:
    """The place of words that begin play or fiction."""
    match = WORDS.pattern("play").search(line.folded)
    return line.start + match.start() if match else None


def sentences_in(line: MessageLine) -> list[Span]:
    """The sentences of a line, at their place in the message."""
    return [
        Span(line.start + sentence.start, line.start + sentence.end, sentence.text) for sentence in sentences(line.text)
    ]


def request_before(lines: Sequence[MessageLine]) -> int | None:
    """The end of a first sentence that asks for something to be done with what follows, if no marks set that apart."""
    said = [line for line in lines if not line.blank]
    if not said or any(line.is_set_apart for line in said[1:2]):
        return None
    first = sentences_in(said[0])
    if not first:
        return None
    about = asks_about(first[0])
    named = any(WORDS.finds(name, first[0].folded) for name in ("pointed", "demonstrative"))
    named = named or _POINTS.search(first[0].folded) is not None
    points = about is not About.NOTHING and first[0].asks and named
    points = points or _introduces(first[0].folded)
    if (about is About.REWORK or points) and (len(first) > 1 or len(said) > 1):
        return first[0].end
    whole = max(asks_about(sentence).value for sentence in first) >= About.OPINION.value
    return said[0].end if len(said) > 1 and (whole or _points(said[0])) else None


def _asks_about_another_thing(sentences: Sequence[Span]) -> bool:
    """Whether the last sentence is about a named thing, behind words that are to last: `...; now fix this test`."""
    first, last = _without_politeness(sentences[0].folded), sentences[-1].folded
    lasts = WORDS.opens("keep", first) or WORDS.opens("lasting", first)
    return lasts and WORDS.finds("demonstrative", last) and not (WORDS.finds("pointed", last) or _INTO.search(last))


def _hands_work(sentence: Span) -> bool:
    """Whether the sentence hands over work on what was settled: it is the owner's, or it would not be carried out."""
    return asks_about(sentence) is About.OPINION and GENRES.opens("task", sentence.folded)


def _attributes(folded: str) -> bool:
    """Whether a last line names the source of the text above it."""
    return WORDS.opens("provenance", folded) or (WORDS.opens("attributes", folded) and leads_foreign(folded))


def _introduces(folded: str) -> bool:
    """Whether a sentence only announces a text, or that it was found."""
    return all(WORDS.finds(name, folded) for name in ("hands", "source")) and not WORDS.finds("label", folded)


def _points(line: MessageLine) -> bool:
    """Whether a first line is about this text or that, and nothing that the owner dictates."""
    dictates = WORDS.finds("label", line.folded)
    points = WORDS.finds("pointed", line.folded)
    if GENRES.opens("busy", line.folded):
        points = _points_at_text(line.folded) and not _OWN_TEXT.search(line.folded)
    return points and line.weight <= _LONGEST and not dictates


def _points_at_text(folded: str) -> bool:
    """Whether a text is pointed at, and not only named as the place for something: `put it in the docs`."""
    return any(not _PLACE.search(folded[: match.start()]) for match in WORDS.pattern("pointed").finditer(folded))


def request_after(lines: Sequence[MessageLine]) -> int | None:
    """The beginning of a last sentence that asks for something to be done with what precedes it, likewise."""
    said = [line for line in lines if not line.blank]
    last = sentences_in(said[-1]) if said else []
    if not last or any(line.is_set_apart for line in said[-2:-1]):
        return None
    about = asks_about(last[-1])
    brief = about is About.TEXT and weight(last[-1].text) <= _BRIEF
    if (about is About.REWORK or brief) and len(last) > 1 and not _asks_about_another_thing(last):
        return last[-1].start
    asks = any(asks_about(sentence) is not About.NOTHING and not _hands_work(sentence) for sentence in last)
    named = _PARENTHESIS.search(said[-1].folded)
    if named and leads_foreign(named[1]):
        return said[-1].start + named.start()
    place = lines.index(said[-1])
    set_off = place > 0 and lines[place - 1].blank
    wanted = set_off and _MANNER.fullmatch(said[-1].folded.strip())
    if asks or wanted or _attributes(said[-1].folded):
        return said[-1].start
    return None
