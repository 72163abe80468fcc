"""Hits for programs that pay for each token: text once, nothing empty, and no more than a budget holds."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeline.language.tokens import count_tokens
from schemas.detail import DetailPage
from schemas.entry import Status
from schemas.json_line import json_line
from schemas.reports.recall import Basis
from schemas.search_limits import ALSO


def compact_page(page: DetailPage, budget: int) -> str:
    """A page as an agent reads it, cut where the budget ends, with how to go on."""
    if count_tokens(page.full_text) <= budget:
        return page.full_text
    lines = page.text.rstrip("\n").split("\n")

    def of_lines(number: int) -> str:
        return _cut_page(page, "\n".join(lines[:number]), number)

    def of_characters(number: int) -> str:
        return _cut_page(page, lines[0][:number], 0)

    if number := _most(len(lines) - 1, lambda tried: count_tokens(of_lines(tried)) <= budget):
        return of_lines(number)
    return of_characters(_most(len(lines[0]), lambda tried: count_tokens(of_characters(tried)) <= budget))


def _cut_page(page: DetailPage, text: str, lines: int) -> str:
    advice = "Ask for it with a larger budget, or for less."
    if page.more and page.go_on is None:  # lines of a synopsis are none of the text
        advice = f"{advice} {page.more}"
    elif lines and page.matches is None:
        advice = f'Go on with lines="{page.first_line + lines}-{page.lines}".'
    return f"{page.key}: {page.heading}\n{text}\nCut where the budget ends. {advice}"


def _most(number: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to this one that fits; 0 when none does.

    Of the numbers that are tried, the last one that fits is taken: tokens need not grow with each character.
    """
    return max(bisect_right(range(number + 1), False, key=lambda tried: not fits(tried)) - 1, 0)  # noqa: FBT003


AT = "at"
FIELDS = (
    *(AT, "text", "date", "kind", "status", "superseded_by", "entry_id"),
    *("confidence", "trust", "uncertain", "agent", "project", "also"),
)
"""The fields of a compact hit, when none are named; those that are empty, and the status `active`, are left out."""
KNOWN = (
    *(*FIELDS, "fact_id", "entities", "snippet", "headings", "tier", "score", "terms"),
    *("path", "start_line", "end_line"),
)
BUDGET = 1_500
"""Tokens of an answer to an agent that names no budget."""

_CUT = "…"
_NOTHING: tuple[object, ...] = (None, "", [])

Hit = Mapping[str, Any]
Compact = dict[str, Any]


def unknown(fields: Sequence[str]) -> list[str]:
    """The fields that no hit has."""
    return [name for name in fields if name not in KNOWN]


def compact_answer(answer: Mapping[str, Any], fields: Sequence[str] = (), budget: int | None = None) -> Compact:
    """The hits of an answer in order, as many as the budget holds, and its notes.

    What was said stands behind them, where at most a third of the budget is kept for it.
    `left_out` is how many hits had no room. Of the first hit as many lines are given as there is room for: `next` is
    the place of the rest. So at least its place is there, whatever the budget.

    Args:
        answer: `schemas.hit.Answer` in JSON.
        fields: names of `KNOWN`; `at`, the place, is always given.
        budget: tokens (o200k_base) of the answer on one line; no limit without it.
    """
    said = [_compact_said(hit) for hit in answer.get("said", ())]
    room = budget
    if budget is not None and said:
        room = budget - min(count_tokens(json_line({"said": said})), budget // 3)
    shown, fits, number = _compact_hits(answer, fields, room), _fitting(budget), 0
    while number < len(said) and fits({**shown, "said": said[: number + 1]}):
        number += 1
    return {**shown, "said": said[:number]} if number else shown


def _compact_hits(answer: Mapping[str, Any], fields: Sequence[str], budget: int | None) -> Compact:
    """The answer without what was said."""
    hits, fits = [compact_hit(hit, fields) for hit in answer["hits"]], _fitting(budget)
    notes = {"notes": [*answer["notes"]]} if answer["notes"] else {}

    def answer_with(shown: Sequence[Compact]) -> Compact:
        left_out = len(hits) - len(shown)
        return {"hits": [*shown], **({"left_out": left_out} if left_out else {}), **notes}

    if fits(answer_with(hits)) or not hits:
        return answer_with(hits)
    number = 0
    while fits(answer_with(hits[: number + 1])):
        number += 1
    if number:
        return answer_with(hits[:number])
    first = answer_with([_shorten_hit(answer["hits"][0], fields, lambda hit: fits(answer_with([hit])))])
    return first if fits(first) else {name: value for name, value in first.items() if name != "notes"}


def _compact_said(hit: Hit) -> Compact:
    """Something that was said: its address, its words, when, by whom and where, and what is known against them."""
    values = {name: hit[name] for name in ("at", "text", "time", "speaker", "trust", "project")}
    values |= {name: hit.get(name) or None for name in ("status", "in_part", "entry_ids", "superseded_by", "now")}
    values |= {"also": hit["also"][:ALSO], "source_gone": hit.get("source_gone") or None}
    return {name: value for name, value in values.items() if value not in _NOTHING}


def compact_said_page(page: Hit, budget: int) -> Compact:
    """A page of what was said, with as much of its text as the budget holds."""
    fits, text = _fitting(budget), str(page["text"])
    values = {name: page[name] for name in ("at", "project") if page[name]}
    if fits({**values, "text": text}):
        return {**values, "text": text}
    most = _most(len(text) - 1, lambda tried: fits({**values, "text": text[:tried] + _CUT}))
    return {**values, "text": text[:most] + _CUT}


def compact_place(hit: Hit, budget: int) -> Compact:
    """The lines that were asked for, as many as the budget holds; `next` is the place of the rest."""
    fits = _fitting(budget)
    whole = compact_hit(hit)
    return whole if fits(whole) else _shorten_hit(hit, (), fits)


def compact_hit(hit: Hit, fields: Sequence[str] = ()) -> Compact:
    """A hit with these fields, those without a value left out."""
    places = {AT: _citation(hit), "also": [_citation(place) for place in hit["places"][1 : 1 + ALSO]]}
    values = {**hit, **places, "status": hit["status"] if hit["status"] != Status.ACTIVE else ""}
    named = (AT, *(name for name in fields or FIELDS if name != AT))
    return {name: values[name] for name in named if values[name] not in _NOTHING}


def _shorten_hit(hit: Hit, fields: Sequence[str], fits: Callable[[Compact], bool]) -> Compact:
    """The hit with the first of its lines, as many as fit; with a part of the first line when not even that does."""
    lines: list[str] = hit["text"].split("\n")

    def of_lines(number: int, text: str = "") -> Compact:
        first = {**hit, "text": text or "\n".join(lines[:number]), "end_line": hit["start_line"] + number - 1}
        rest = f"{hit['path']}#L{hit['start_line'] + number}-L{hit['end_line']}"
        return {**compact_hit(first, fields), **({"next": rest} if number < len(lines) else {})}

    def of_characters(number: int) -> Compact:
        return of_lines(1, f"{lines[0][:number].rstrip()}{_CUT}")

    if number := _most(len(lines) - 1, lambda tried: fits(of_lines(tried))):
        return of_lines(number)
    return of_characters(_most(len(lines[0]) - 1, lambda tried: fits(of_characters(tried))))


def _fitting(budget: int | None) -> Callable[[Compact], bool]:
    return lambda value: budget is None or count_tokens(json_line(value)) <= budget


def _citation(place: Mapping[str, Any]) -> str:
    return f"{place['path']}#L{place['start_line']}-L{place['end_line']}"


Recalled = Mapping[str, Any]
"""A `schemas.reports.recall.RecalledFact` in JSON."""
_MARKS = {
    Basis.ACCEPTED.value: "accepted",
    Basis.INFERRED.value: "inferred",
    Basis.UNKNOWN.value: "unverified",
}
"""The mark in the line of a fact that nobody said in these words."""


def fact_line(fact: Recalled) -> str:
    """A fact on one line: kind, day, entities and content, then why to doubt it, how sure it is, and its place."""
    named = f" {', '.join(fact['entities'])}" if fact["entities"] else ""
    doubts = [_MARKS.get(fact["basis"], ""), "the agent says so" if fact["holder"] == "agent" else ""]
    doubts += [fact["status"] if fact["status"] != Status.ACTIVE else ""]
    sure = f"{fact.get('sureness', '')} {fact['confidence']:.2f}".lstrip()
    noted = ", ".join([*filter(None, doubts), sure, fact["source"]])
    return f"{fact['kind']} {fact['timestamp'] or 'no date'}{named}: {fact['content']} [{noted}]"


def within(lines: Sequence[str], budget: int | None) -> int:
    """The number of first lines that a budget of tokens (o200k_base) holds, the ends of lines counted."""
    if budget is None:
        return len(lines)
    sizes = range(1, len(lines) + 1)
    return bisect_right(sizes, budget, key=lambda number: count_tokens("".join(f"{line}\n" for line in lines[:number])))
