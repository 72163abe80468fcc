"""From a finding to a hit: exactly the lines of the file as they are now."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from pipeline.facts.sections import parse_fact
from pipeline.index.chunking.plain_text import is_ours, of_item, plain_words
from pipeline.index.schema import AGENT, CONFIDENCE, FACT, HEADINGS, KIND, PROJECT, TEXT, TIER, TRUST
from pipeline.index.search.deduplication import Finding
from pipeline.index.search.entry_lookup import day_of
from pipeline.index.search.query import AnalysedQuery, encodable
from pipeline.index.search.scoring import Location, LocationIndex, ScoredPassage
from pipeline.language.analysis import terms
from pipeline.language.words import Word, quote_words, words_of
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import one_line, parse_entry
from pipeline.workspace.layout import LOW, NOTED
from schemas.entry import NOT_STATED, Entry, Status, Trust
from schemas.fact import Fact, FactWord
from schemas.hit import Hit, Place, ReplacedEntry
from schemas.tier import Tier

LONGEST = 240
"""Characters of a snippet."""
_BEFORE = 40  # of the first word that answers
_CUT = "…"
_SPACE = re.compile(r"\s")


@dataclass(frozen=True)
class PassageText:
    """The text of some lines: `whole` has no machine-readable parts; `entry` or `fact` is in them, as written."""

    whole: str
    entry: Entry | None
    fact: Fact | None = None

    def snippet(self, wanted: Collection[str]) -> str:
        """The part where most of the wanted terms stand; of an entry, its title and its words; of a fact, its text."""
        if self.entry:
            return cut_snippet(flat(_best_field(self.entry, wanted)), wanted)
        return cut_snippet(flat(self._statement(self.fact) if self.fact else self.whole), wanted)

    def _statement(self, fact: Fact) -> str:
        """The text of a fact, with its quote where that is in other words."""
        quote = self.whole.partition(fact.text)[2].strip(' \n"')
        return (
            fact.text if _is_repeated(fact.text, quote) or _is_repeated(quote, fact.text) else f'{fact.text} "{quote}"'
        )


def passage_text(text: str) -> PassageText:
    """The text of some lines of Markdown."""
    if entry := entry_in(text):
        return PassageText("\n".join([entry.title, *_stated_texts(entry)]), entry)
    return PassageText(plainly(text), None, parse_fact(text.partition("\n")[0], date.min))


def plainly(text: str) -> str:
    """The words of some lines, without what only machines read."""
    return of_item(text) if is_ours(text) else plain_words(text)


def entry_in(text: str) -> Entry | None:
    """The entry that some lines are, as written; `None` when they are none."""
    blocks = [block for block in find_blocks(text.encode("utf-8", "replace")) if not block.item]
    return parse_entry(blocks[0]) if len(blocks) == 1 else None


def cut_snippet(line: str, wanted: Collection[str], longest: int = LONGEST) -> str:
    """A part of a line, of whole words, at most so long, around the place where most of the wanted terms stand."""
    if len(line) <= longest:
        return line
    room = longest - 2 * len(_CUT)
    start = _start_of_window(words_of(line, wanted), room, len(line))
    start, end = _at_word_ends(line, start, start + room)
    return f"{_CUT if start else ''}{line[start:end].strip()}{_CUT if end < len(line) else ''}"


def flat(text: str) -> str:
    """A text on one line."""
    line = " ".join(text.split())
    return line if line.isprintable() else one_line(line)


def _stated_texts(entry: Entry) -> list[str]:
    fields = [entry.quote, entry.conclusion, entry.why, entry.finding, entry.impact]
    return [text for text in fields if text != NOT_STATED]


def _best_field(entry: Entry, wanted: Collection[str]) -> str:
    """The title and the quote, or another field of the entry with more of the wanted terms."""
    best = max(_stated_texts(entry), key=lambda text: len(_terms_of(words_of(text, wanted)) & set(wanted)))
    title = entry.title.rstrip(f"{_CUT}. ")
    return best if _is_repeated(title, best) else f"{title}: {best}"


def _is_repeated(words: str, text: str) -> bool:
    """Whether a text has the words, but for a full stop at the end."""
    return one_line(words).casefold().rstrip(". ") in one_line(text).casefold()


def _start_of_window(words: Sequence[Word], room: int, length: int) -> int:
    """The start of the window with the most different terms, the first of several."""
    best, most = 0, 0
    for first, word in enumerate(words):
        inside = words[first : bisect_right([inner.end for inner in words], word.start + room - _BEFORE)]
        if len(_terms_of(inside)) > most:
            best, most = word.start, len(_terms_of(inside))
    return max(0, min(best - _BEFORE, length - room))


def _terms_of(words: Sequence[Word]) -> set[str]:
    return set().union(*(word.terms for word in words))


def _at_word_ends(line: str, start: int, end: int) -> tuple[int, int]:
    """The window without cut words at its ends, in text with spaces."""
    spaces = [match.start() for match in _SPACE.finditer(line, start, end)]
    if start and not line[start - 1].isspace() and (at := bisect_left(spaces, start)) < len(spaces):
        start = spaces[at] + 1 if spaces[at] < start + _BEFORE else start
    if end < len(line) and not line[end].isspace() and spaces and spaces[-1] > end - _BEFORE:
        end = spaces[-1]
    return start, min(end, len(line))


DOUBTFUL_CONFIDENCE = 0.6
_OF_TEXT = {LOW: "raw text of low trust", NOTED: "an agent's note, which nobody has confirmed"}


NO_DATE = "no date"
"""The doubt about a passage whose day is not known."""


class LiveTexts(Protocol):
    """Texts as they are now."""

    def lines(self, path: str) -> list[str] | None:
        """The lines of a text; `None` when it is not there or cannot be read."""


@dataclass(frozen=True)
class Citing:
    """Makes hits for one question. `files` are those of now, `locations` where passages stood when indexed."""

    query: AnalysedQuery
    files: LiveTexts
    locations: LocationIndex
    as_of: date | None = None

    def hit(self, finding: Finding) -> Hit | None:
        """The hit; `None` when its text is gone from its file, and from the other files with the same text."""
        if together := self._place_of_all(finding.parts):
            return self._make_hit(finding, finding.lead, together)
        for candidate in (finding.lead, *finding.parts, *finding.elsewhere):
            if place := self.place(candidate):
                return self._make_hit(finding, candidate, place)
        return None

    def place(self, candidate: ScoredPassage) -> Place | None:
        """The present place of a passage; `None` when it is gone."""
        location, lines = self.locations.location(candidate), self.files.lines(candidate.path)
        if location is None or lines is None:
            return None
        start = start_of(lines, candidate.payload[TEXT].split("\n"), location)
        return (
            Place(path=candidate.path, start_line=start, end_line=start + location.end - location.start)
            if start
            else None
        )

    def _place_of_all(self, parts: Sequence[ScoredPassage]) -> Place | None:
        """The place of several adjacent passages; `None` when they are not adjacent any more."""
        known_locations = [self.locations.location(part) for part in parts]
        places = [self.place(part) for part in parts]
        pairs = [
            (location, place) for location, place in zip(known_locations, places, strict=True) if location and place
        ]
        moved = {place.start_line - location.start for location, place in pairs}
        if len(pairs) < len(parts) or len(moved) != 1:
            return None
        start, end = (min(place.start_line for _, place in pairs), max(place.end_line for _, place in pairs))
        return Place(path=parts[0].path, start_line=start, end_line=end)

    def _make_hit(self, finding: Finding, lead: ScoredPassage, place: Place) -> Hit:
        lines = self.files.lines(place.path) or []
        text = encodable("\n".join(lines[place.start_line - 1 : place.end_line]))
        payload, content = lead.payload, passage_text(text)
        headings = tuple(payload.get(HEADINGS) or ())
        superseded = finding.standing.status == Status.SUPERSEDED
        undated = [] if lead.day is not None else [f"{NO_DATE}, so maybe later" if self.as_of else NO_DATE]
        others = [self.place(passage) for passage in (finding.lead, *finding.elsewhere) if passage.id != lead.id]
        return Hit(
            path=place.path,
            start_line=place.start_line,
            end_line=place.end_line,
            text=text,
            snippet=encodable(content.snippet(self.query.terms)),
            score=finding.score,
            date=day_of(lead),
            kind=str(payload[KIND]),
            tier=Tier(payload[TIER]),
            headings=headings,
            entry_id=finding.entry_id,
            fact_id=finding.fact_id,
            entities=tuple(payload[FACT].get("entities", ())) if lead.is_fact else (),
            status=finding.standing.status,
            superseded_by=finding.standing.successors if superseded else (),
            confidence=sureness(finding, lead),
            trust=str(payload[TRUST]),
            uncertain=", ".join([*doubts(finding, lead), *undated]),
            agent=str(payload.get(AGENT) or ""),
            project=project_of(finding),
            terms=matched_words(self.query, "\n".join([content.whole, *headings])),
            places=tuple(dict.fromkeys([place, *(other for other in others if other)])),
        )


def replaced_entry(query: AnalysedQuery, old: Finding, by: str) -> ReplacedEntry | None:
    """The superseded entry of a finding, in place of which `by` is shown; `None` without a word of the question."""
    text = passage_text(str(old.lead.payload[TEXT]))
    if not matched_words(query, text.whole):
        return None
    words = encodable(text.snippet(query.terms))
    return ReplacedEntry(id=old.entry_id, words=words, date=day_of(old.lead), by=by)


def project_of(finding: Finding) -> str:
    """The name of the project of a finding, by the first of its passages that has one; empty where none has."""
    named = (passage.payload.get(PROJECT) for passage in (finding.lead, *finding.elsewhere))
    return encodable(next((names[0] for names in named if names), ""))


def start_of(lines: Sequence[str], wanted: Sequence[str], location: Location) -> int:
    """The line that begins the wanted ones: where they stood, else as near to it as they are now; 0 when nowhere."""
    count = len(wanted)
    if lines[location.start - 1 : location.start - 1 + count] == wanted:
        return location.start
    starts = (number for number, line in enumerate(lines) if line == wanted[0])
    moved = (start + 1 for start in starts if lines[start : start + count] == wanted)
    return min(moved, key=lambda start: (abs(start - location.start), start), default=0)


def matched_words(query: AnalysedQuery, text: str) -> tuple[str, ...]:
    """The words of a question that a text has, as the question has them."""
    held = query.terms.intersection(terms(text))
    return quote_words(query.text, [word for word in query.words if not word.terms.isdisjoint(held)])


def sureness(finding: Finding, lead: ScoredPassage) -> float | None:
    """The confidence of what was found: of a fact by all evidence, of an entry as it says."""
    confidence: float | None = lead.payload.get(CONFIDENCE)
    return confidence if finding.confidence is None else finding.confidence


def doubts(finding: Finding, lead: ScoredPassage) -> list[str]:
    """The reasons to doubt a finding, each in a few words."""
    confidence, trust = sureness(finding, lead), str(lead.payload[TRUST])
    status, successors = finding.standing.status, ", ".join(finding.standing.successors)
    reasons = {
        "unverified": trust == Trust.UNVERIFIED,
        "only its quote is known to be the owner's": trust == Trust.QUOTED,
        "only the agent says so": trust == FactWord.AGENT,
        f"confidence {confidence}": confidence is not None and confidence < DOUBTFUL_CONFIDENCE,
        f"superseded by {successors}" if successors else "superseded": status == Status.SUPERSEDED,
        "archived": status == Status.ARCHIVED,
        "in review": status == Status.IN_REVIEW,
    }
    return [*doubts_of_text(trust), *(reason for reason, holds in reasons.items() if holds)]


def doubts_of_text(trust: str) -> list[str]:
    """The reasons to doubt text that is no entry, by its trust."""
    return [_OF_TEXT[trust]] if trust in _OF_TEXT else []
