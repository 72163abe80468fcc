"""A plan as a page for people, and the reading of such a page.

The fields that are read stand before any quoted word: ids and numbers come first, a title at the end of its line, and
every line below begins with words of ours. A line that cannot be read is passed over; nothing here raises.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from jobs.consolidation.scoring import ScoreSignals
from jobs.consolidation.verdicts import Plan, Ruling, Verdict
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import is_wordless, reference, wordless
from pipeline.job import Document, Noted
from pipeline.markdown.entries import one_line
from schemas.entry import NOT_STATED, Trust

TITLE = 120
"""The most characters of a title in a plan."""

_PATH = re.compile(r"memory/archive/weekly-([0-9]{4}-W[0-9]{2})\.md")
_WEEK = r"[0-9]{4}-W[0-9]{2}"
_ID = r"[^\s\[\]<>]+"
_TARGET = r"(?:\([^\s()]*\))?"
# `- **promoted** [RULE-20260302-mail](../2026-03-02.md): Mail on Mondays`
_ITEM = re.compile(rf"- \**(?P<ruling>[A-Za-z]+)\** \[(?P<id>{_ID})\]{_TARGET}:")
_SCORE = re.compile(r"[ \t]+score (?P<score>[01]\.[0-9]{2})(?::|$)")
# `under "Mail" since 2026-W10, `, or `into [RULE-20260302-mail](../2026-03-02.md), `
_PLACE = rf"under (?P<subject>\"(?:[^\"\\]|\\.)*\") since (?P<since>{_WEEK}), |into \[(?P<into>{_ID})\]{_TARGET}, "
_BECAUSE = re.compile(rf"[ \t]+(?:{_PLACE})?because (?P<reason>.*\S)")
_FORGED = re.compile(r"<!--|-->")
_SPECIAL = re.compile(r"[\s()<>\[\]\\\"]")


@dataclass(frozen=True)
class PlannedVerdict:
    """A verdict with its grounds.

    `noted` is `None` when the entry is gone. `was_hot` is whether it was hot, `into` the entry in the verdict's `into`.
    """

    verdict: Verdict
    noted: Noted | None = None
    signals: ScoreSignals | None = None
    was_hot: bool = False
    into: Noted | None = None

    @property
    def section(self) -> str:
        """The section of the page in which it stands."""
        ruling = self.verdict.ruling
        if ruling is Ruling.DEMOTED or (self.was_hot and ruling is not Ruling.PROMOTED):
            return "left"
        return "stays" if self.was_hot else ruling.value

    @property
    def count_name(self) -> str:
        """The name under which it is counted: its ruling, or `stays` where it was promoted before."""
        stays = self.was_hot and self.verdict.ruling is Ruling.PROMOTED
        return "stays" if stays else self.verdict.ruling.value


SECTIONS = {
    "promoted": "Promoted",
    "stays": "Stays",
    "left": "Left MEMORY.md",
    "overridden": "Overridden",
    "merged": "Merged",
    "kept": "Kept",
}
"""The sections in their order, with their headings."""

COUNTED = ("promoted", "stays", "kept", "demoted", "merged", "overridden")
"""The counts of the front matter in their order; they add up to all judged entries."""


def is_nameable(entry_id: str) -> bool:
    """Whether an id can be written into a plan and read back; all ids of ours can."""
    return re.fullmatch(_ID, entry_id) is not None and entry_id.isprintable()


def bare_name(name: str) -> str:
    """The name without words of an entry that is gone."""
    return name if is_wordless(name) else wordless(name)


def plain_text(text: str) -> str:
    """`text` on one line, without the beginnings and ends of comments."""
    return one_line(_FORGED.sub("", text))


def render_plan(week: str, judged: Sequence[PlannedVerdict], way: str) -> list[ItemDraft]:
    """The items of a plan's page; the entries of a section keep their order."""
    monday = date.fromisoformat(week)
    sunday = monday + timedelta(days=6)
    sections = {name: [planned for planned in judged if planned.section == name] for name in SECTIONS}
    totals = Counter(planned.count_name for planned in judged)
    counts = "".join(f"\n{name}: {totals[name]}" for name in COUNTED)
    front = f"week: {week}\nfrom: {monday}\nto: {sunday}\njudged: {len(judged)}{counts}\nextraction: {plain_text(way)}"
    items = [
        ItemDraft("front-matter", front),
        ItemDraft("title", f"# Plan of week {week}, {monday} to {sunday}"),
    ]
    for name, part in sections.items():
        if part:
            items.append(ItemDraft(name, f"## {SECTIONS[name]}"))
            items += [
                ItemDraft(
                    f"{name[0]}-{hashlib.sha256(planned.verdict.entry_id.encode()).hexdigest()[:12]}",
                    "\n".join(_verdict_lines(planned)),
                )
                for planned in part
            ]
    return items


@lru_cache(maxsize=128)  # a back-fill reads all earlier plans in each week
def read_plan(path: str, text: str) -> Plan | None:
    """The plan in a file, as a person may have edited it; `None` when the path is not a plan's.

    Unreadable lines are passed over. A line that a person turned into a promotion counts as one of this week.
    """
    match = _PATH.fullmatch(path)
    if match is None or not _is_week(match.group(1)):
        return None
    return Plan(match.group(1), tuple(_verdicts(match.group(1), text)))


def read_plans(documents: Iterable[Document], by_reference: Mapping[str, str]) -> list[Plan]:
    """The plans among files, with the ids of their entries; see `with_ids`."""
    plans = (read_plan(document.path, document.text) for document in documents)
    return [with_ids(plan, by_reference) for plan in plans if plan]


def with_ids(plan: Plan, by_reference: Mapping[str, str]) -> Plan:
    """A plan with the ids of the present entries in place of the names on its page.

    `by_reference` has the ids by all their names. An entry that is gone has one name, its `bare_name`.
    """

    def id_of(name: str) -> str:
        return by_reference.get(name) or bare_name(name)

    def with_id(verdict: Verdict) -> Verdict:
        entry_id, into = id_of(verdict.entry_id), verdict.into and id_of(verdict.into)
        same = (entry_id, into) == (verdict.entry_id, verdict.into)
        return verdict if same else replace(verdict, entry_id=entry_id, into=into)  # most names are ids

    return replace(plan, verdicts=tuple(map(with_id, plan.verdicts)))


def _verdicts(week: str, text: str) -> Iterator[Verdict]:
    item: list[str] = []
    for line in [*(_without_mark(bare_line.rstrip("\r")) for bare_line in text.split("\n")), "- "]:
        if line[:1] in {" ", "\t"}:
            item.append(line)
            continue
        if item and (verdict := _verdict(week, item)):
            yield verdict
        item = [line]


def _without_mark(line: str) -> str:
    """A line without the comment that it ends with."""
    start, end = line.find("<!--"), line.rstrip(" \t")
    return line[:start].rstrip(" \t") if 0 <= start <= len(end) - len("<!---->") and end.endswith("-->") else line


def _verdict(week: str, lines: Sequence[str]) -> Verdict | None:
    head = _ITEM.match(lines[0])
    score = next(filter(None, map(_SCORE.match, lines[1:])), None)
    because = next(filter(None, map(_BECAUSE.match, lines[1:])), None)
    if head is None or not is_nameable(head["id"]):
        return None
    with suppress(ValueError, RecursionError):
        ruling = Ruling(head["ruling"].lower())
        promoted, placed = ruling is Ruling.PROMOTED, ruling in {Ruling.MERGED, Ruling.OVERRIDDEN}
        subject, since, into = (because["subject"], because["since"], because["into"]) if because else (None,) * 3
        begun = since if since and since <= week and _is_week(since) else week
        return Verdict(
            entry_id=head["id"],
            ruling=ruling,
            reason=because["reason"] if because else "",
            score=min(float(score["score"]), 1.0) if score else 0.0,
            into=into or "" if placed else "",
            subject=plain_text(str(json.loads(subject))) if promoted and subject else "",
            since=begun if promoted else "",
        )
    return None


def _is_week(week: str) -> bool:
    with suppress(ValueError):
        return bool(date.fromisoformat(week))
    return False


def _verdict_lines(judged: PlannedVerdict) -> Iterator[str]:
    verdict, noted = judged.verdict, judged.noted
    where = _link(verdict.entry_id, noted)
    title = _title(noted) if noted else "gone from the daily files"
    # Other programs cut the page into pieces, and a line alone has to say that it holds no more.
    superseded = "superseded: " if verdict.ruling is Ruling.OVERRIDDEN else ""
    yield f"- **{verdict.ruling.value}** {where}: {superseded}{title}"
    yield f"  score {verdict.score:.2f}" + (f": {judged.signals}" if judged.signals else "")
    place = f"into {_link(verdict.into, judged.into)}, " if verdict.into else ""
    if verdict.ruling is Ruling.PROMOTED:
        place = f"under {_json(verdict.subject)} since {verdict.since}, "
    yield f"  {place}because {plain_text(verdict.reason) or 'of no reason given'}"
    if noted and judged.section == "left" and noted.entry.trust is not Trust.UNVERIFIED:
        entry = noted.entry  # its full text, because it leaves MEMORY.md
        first, last = entry.source.message_range
        yield f"  - quote: {_json(entry.quote)}"
        texts = {"why": entry.why, "finding": entry.finding, "conclusion": entry.conclusion, "impact": entry.impact}
        yield from (f"  - {key}: {_json(value)}" for key, value in texts.items() if value != NOT_STATED)
        yield f"  - said: {entry.date.isoformat()} in {_json(entry.source.session_path)}, messages {first}-{last}"


def _link(entry_id: str, noted: Noted | None) -> str:
    """A link to an entry; the words in the id of one that is gone are not verified any more."""
    if noted is None:
        return f"[{bare_name(entry_id)}]"
    # From the archive to a file of the workspace.
    path = noted.path.removeprefix("memory/") if noted.path.startswith("memory/") else f"../{noted.path}"
    target = _SPECIAL.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), path)
    return f"[{reference(noted.entry)}](../{target})"


def _title(noted: Noted) -> str:
    if noted.entry.trust is Trust.UNVERIFIED:
        return "not shown, for nobody vouches for its words"
    title = plain_text(noted.entry.title)
    return title if len(title) <= TITLE else f"{title[: TITLE - 1].rstrip()}…"


def _json(text: str) -> str:
    return json.dumps(plain_text(text), ensure_ascii=False)
