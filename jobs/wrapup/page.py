"""The page of a day: front matter, a title, and six sections that always stand."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobs.wrapup.decisions import Decision
from jobs.wrapup.kept_lines import Kept
from jobs.wrapup.line_text import as_cited, cited, listed, spans
from jobs.wrapup.points import Bullet
from jobs.wrapup.recorded import PLAN, RecordedLine
from pipeline.drafts import ItemDraft
from pipeline.job import Run
from pipeline.markdown.blocks import FRONT_MATTER
from pipeline.markdown.entries import one_line
from schemas.summary import Part
from schemas.transcript import Session, id_in_file

DECIDED = "decision"
SECTIONS = {
    DECIDED: "Decisions made today",
    Part.ACTION.value: "Action items",
    Part.CONVERSATION.value: "Important conversations",
    Part.TECHNICAL.value: "Technical notes / debugging lessons",
    Part.LOOP.value: "Open loops",
    Part.NEXT.value: "Tomorrow next steps",
}
"""The headings, in order, each under how the names of its items begin."""

_COUNTS = {
    DECIDED: "decisions",
    Part.ACTION.value: "actions",
    Part.CONVERSATION.value: "conversations",
    Part.TECHNICAL.value: "technical",
    Part.LOOP.value: "loops",
    Part.NEXT.value: "next",
}
_UNREAD = (
    "The transcripts of these sessions are gone, or hold nothing of this day any more, so this page has of them what "
    "the day's entries say, and no more: {}."
)
NONE = "none"
"""What stands under a heading without a line."""
_PLAIN = re.compile(r"[a-z]+(?:[-./_][a-z0-9][a-z0-9.]*)*")
_NO_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})  # to YAML


@dataclass(frozen=True)
class DayLines:
    """The lines of a day beside its entries: a model's points, what the records prove, and the lines that stay."""

    bullets: Sequence[Bullet]
    proven: Sequence[RecordedLine]
    stays: Kept


def page(run: Run, sessions: Sequence[Session], decided: Sequence[Decision], lines: DayLines) -> list[ItemDraft]:
    """The items of the page. `sessions` are those the lines were read from, and `decided` the day's entries."""
    stays = lines.stays
    sections = _sections(decided, lines)
    counts: dict[str, int] = {}
    items = [ItemDraft("title", f"# Wrap-up of {run.day.isoformat()}")]
    if unread := _unread(run, decided, stays):
        items.append(ItemDraft("sources", _UNREAD.format(", ".join(map(as_cited, unread)))))
    removed = _removed(run)
    for part, heading in SECTIONS.items():
        listed_here = [one for one in sections[part] if one.name not in removed]
        counts[_COUNTS[part]] = len(listed_here)
        empty = ItemDraft(f"{_slug(heading)}-{NONE}", NONE)
        items += [ItemDraft(_slug(heading), f"## {heading}"), *(listed_here or [empty])]
    ids = [*(session.session_id for session in sessions), *stays.sessions]
    said = max(stays.messages, _messages(run, sessions))
    return [ItemDraft(FRONT_MATTER, _front_matter(run, sessions, ids, {"messages": said, **counts})), *items]


def _sections(decided: Sequence[Decision], lines: DayLines) -> dict[str, list[ItemDraft]]:
    """The items of each section; things to remember open that of the conversations."""
    texts = [*(bullet.text for bullet in lines.bullets), *lines.stays.texts()]
    sections: dict[str, list[ItemDraft]] = {part: [] for part in SECTIONS}
    for one in decided:
        sections[DECIDED if one.decides else Part.CONVERSATION.value].append(ItemDraft(one.name, one.line(texts)))
    for bullet in lines.bullets:
        sources = [cited(place.session_id, spans(place.numbers)) for place in bullet.places]
        sections[bullet.part.value].append(ItemDraft(bullet.name, listed(bullet.text, sources)))
    for line in lines.proven:
        source = cited(line.place.session_id, spans(line.place.numbers))
        sections[_section(line.section)].append(ItemDraft(line.name, listed(line.text, [source])))
    for part, items in lines.stays.items.items():
        sections[_section(part)] += items
    return sections


def _section(part: str) -> str:
    return DECIDED if part == PLAN else part


def _unread(run: Run, decided: Sequence[Decision], stays: Kept) -> list[str]:
    """The sessions of the day's entries whose messages no run of this page could read."""
    read = {id_in_file(name) for name in (*stays.sessions, *(session.session_id for session in run.transcripts))}
    records = {name for session in run.transcripts for message in session.messages for name in message.names}
    sources = (one.state.entry.source for one in decided)
    gone = {source.session_id for source in sources if records.isdisjoint(source.entry_ids)}
    return sorted(name for name in gone if id_in_file(name) not in read)


def _removed(run: Run) -> set[str]:
    """The names of items that a person took out of the day's page, which do not come back."""
    places = (place.rpartition("#") for place in run.removed)
    return {name for path, _, name in places if f"/{run.day.isoformat()}-wrapup" in path}


def _messages(run: Run, sessions: Sequence[Session]) -> int:
    """The number of messages of that day; the copied history of a resumed session counts once."""
    said = {
        (message.entry_ids or (session.session_id, str(message.number)), message.time)
        for session in sessions
        for message in session.conversation
        if message.time in run.window
    }
    return len(said)


def _front_matter(run: Run, read: Iterable[Session], ids: Sequence[str], counts: dict[str, int]) -> str:
    sessions = json.dumps([one_line(session_id) for session_id in ids], ensure_ascii=False)
    numbers = [f"{name}: {count}" for name, count in counts.items()]
    ways = sorted({run.way_of(session.sources) for session in read}) or [run.background]
    return "\n".join(
        [f"date: {run.day.isoformat()}", f"sessions: {sessions}", *numbers, f"extraction: {_yaml(', '.join(ways))}"]
    )


def _yaml(text: str) -> str:
    """A name as YAML reads it back."""
    return text if _PLAIN.fullmatch(text) and text not in _NO_TEXT else json.dumps(one_line(text), ensure_ascii=False)


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"[a-z]+", heading.lower()))
