"""The page of a day: front matter, a title, and six sections that always stand."""

import hashlib
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jobs.resolution.same_thing import features
from jobs.wrapup.kept_lines import Kept
from jobs.wrapup.line_text import as_cited, citation, link, list_item, spans
from jobs.wrapup.points import Bullet
from jobs.wrapup.recorded import PLAN, RecordedLine
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import reference
from pipeline.entries.standing import EntryState, fold
from pipeline.job import Noted, Run
from pipeline.language.folding import fold as folded
from pipeline.markdown.blocks import FRONT_MATTER
from pipeline.markdown.entries import one_line
from schemas.entry import NOT_STATED, Kind, Status, Trust
from schemas.summary import Part
from schemas.transcript import Session, id_in_file

_UP = "../../"  # from second-brain/summaries to the workspace
_LENGTH = 8
_NEWS = 2  # things it is about that the conclusion is not
_BRIEF = 4  # things: a conclusion about fewer needs what it answers beside it
_LONGEST = 200  # characters
_ORDER = re.compile(
    r"(?:(?:and|also|please|oh|a|i|prosze|请)\W+)*"
    r"(?:(?:remember|note)(?: that| this)?|new rule(?: then)?|(?:zapamietaj|zapisz|zanotuj)(?: mi| sobie| gdzies)?"
    r"(?:,? ze)?|记住|记得|记一下|记下)(?:[:\uff1a,\uff0c]\s*|\s+)"
)
"""The opening of a request to remember something: the label replaces it."""

_LOOSE = " .,;:"
_LABELS = {Kind.RULE: "Rule: ", Kind.ARCHITECTURE: "Architecture: ", Kind.REMEMBER: "To remember: "}


@dataclass(frozen=True)
class Decision:
    """An entry of the day that verifies and is not archived, with its file.

    `successors` are the names of the entries of the day that replaced it.
    """

    noted: Noted
    state: EntryState
    successors: tuple[str, ...]

    @property
    def decides(self) -> bool:
        """Whether it is a decision; a thing to remember is only a statement."""
        return self.state.entry.kind is not Kind.REMEMBER

    @property
    def name(self) -> str:
        """The name of its item."""
        digest = hashlib.sha256(self.state.entry.id.encode(errors="replace")).hexdigest()[:_LENGTH]
        return f"{'decision' if self.decides else 'remember'}-{digest}"

    def line(self, elsewhere: Collection[str] = ()) -> str:
        """Its list item: a link to the entry, then its session. An effect that also stands `elsewhere` is left out."""
        entry = self.state.entry
        numbers = "-".join(map(str, sorted(set(entry.source.message_range))))
        sources = [link(reference(entry), _UP + self.noted.path), citation(entry.source.session_id, numbers)]
        by = f" the same day by {', '.join(self.successors)}" if self.successors else ""
        replaced = f" - superseded{by}" if self.state.status is Status.SUPERSEDED else ""
        return list_item(f"{_summary(self.noted, elsewhere)}{replaced}", sources)


def decisions(run: Run) -> list[Decision]:
    """The entries whose messages are of the day, in the order of these; of a corrected one its correction."""
    of_day = (entry for entry in run.inputs.entries if entry.entry.date in run.window)
    noted = [entry for entry in of_day if entry.entry.trust is not Trust.UNVERIFIED]
    now, made = fold(entry.entry for entry in noted), list[Decision]()
    for entry_id, state in now.states.items():
        if entry_id not in now.corrected and state.status not in {Status.ARCHIVED, Status.IN_REVIEW}:
            counting = next(entry for entry in noted if entry.entry == state.entry)
            successors = dict.fromkeys(map(now.in_force, state.superseded_by))
            made.append(Decision(counting, state, tuple(reference(now.states[by].entry) for by in successors)))
    return made


def _summary(noted: Noted, elsewhere: Collection[str]) -> str:
    """The decision and its effect: of a changed block, only the quote is sure."""
    entry = noted.entry
    if not noted.as_written:
        return f'"{one_line(entry.quote)}"'
    settled, follows = one_line(entry.conclusion), one_line(entry.impact)
    if opening := _ORDER.match(folded(settled)):
        settled = settled[opening.end() :] or settled
    things = features(settled)
    brief = len(things) < _BRIEF
    about = one_line(entry.finding) if brief and entry.finding != NOT_STATED else ""
    news = features(follows) - things if entry.impact != NOT_STATED else frozenset[str]()
    doubled = not brief and any(follows.strip(_LOOSE) in text for text in elsewhere)
    lead = f"{about} → " if about and len(about) <= _LONGEST else ""
    then = f" → {follows}" if len(news) >= _NEWS and len(follows) <= _LONGEST and not doubled else ""
    return f"{_LABELS.get(entry.kind, '')}{lead}{settled}{then}"


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
"""The text under a heading without a line."""
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
    places = (place.rpartition("#") for place in run.refusals.removed)
    removed = {name for path, _, name in places if f"/{run.day.isoformat()}-wrapup" in path}
    for part, heading in SECTIONS.items():
        listed_here = [item for item in sections[part] if item.name not in removed]
        counts[_COUNTS[part]] = len(listed_here)
        empty = ItemDraft(f"{_slug(heading)}-{NONE}", NONE)
        items += [ItemDraft(_slug(heading), f"## {heading}"), *(listed_here or [empty])]
    ids = [*(session.session_id for session in sessions), *stays.sessions]
    said = {  # the copied history of a resumed session counts once
        (message.entry_ids or (session.session_id, str(message.number)), message.time)
        for session in sessions
        for message in session.conversation
        if message.time in run.window
    }
    ways = ", ".join(sorted({run.models.way_of(session.sources) for session in sessions}) or [run.models.background])
    if ways in _NO_TEXT or not _PLAIN.fullmatch(ways):
        ways = json.dumps(one_line(ways), ensure_ascii=False)
    fields = [
        f"date: {run.day.isoformat()}",
        f"sessions: {json.dumps([one_line(session_id) for session_id in ids], ensure_ascii=False)}",
        f"messages: {max(stays.messages, len(said))}",
        *(f"{name}: {count}" for name, count in counts.items()),
        f"extraction: {ways}",
    ]
    return [ItemDraft(FRONT_MATTER, "\n".join(fields)), *items]


def _sections(decided: Sequence[Decision], lines: DayLines) -> dict[str, list[ItemDraft]]:
    """The items of each section; things to remember open that of the conversations."""
    texts = [*(bullet.text for bullet in lines.bullets), *lines.stays.texts()]
    sections: dict[str, list[ItemDraft]] = {part: [] for part in SECTIONS}
    for decision in decided:
        sections[DECIDED if decision.decides else Part.CONVERSATION.value].append(
            ItemDraft(decision.name, decision.line(texts))
        )
    for bullet in lines.bullets:
        sources = [citation(place.session_id, spans(place.numbers)) for place in bullet.places]
        sections[bullet.part.value].append(ItemDraft(bullet.name, list_item(bullet.text, sources)))
    for line in lines.proven:
        source = citation(line.place.session_id, spans(line.place.numbers))
        sections[_section(line.section)].append(ItemDraft(line.name, list_item(line.text, [source])))
    for part, items in lines.stays.items.items():
        sections[_section(part)] += items
    return sections


def _section(part: str) -> str:
    return DECIDED if part == PLAN else part


def _unread(run: Run, decided: Sequence[Decision], stays: Kept) -> list[str]:
    """The sessions of the day's entries whose messages no run of this page could read."""
    read = {id_in_file(name) for name in (*stays.sessions, *(session.session_id for session in run.inputs.transcripts))}
    records = {name for session in run.inputs.transcripts for message in session.messages for name in message.names}
    sources = (decision.state.entry.source for decision in decided)
    gone = {source.session_id for source in sources if records.isdisjoint(source.entry_ids)}
    return sorted(name for name in gone if id_in_file(name) not in read)


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"[a-z]+", heading.lower()))
