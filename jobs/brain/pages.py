"""The page of what an agent always knows, and its archive."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jobs.journal.requests import journal_of
from pipeline.agents.brain import REPLACED, line_of, page_lines, pinned_name
from pipeline.agents.journal import one_line, session_word
from pipeline.agents.standing import MemoryLine, Replaced
from pipeline.drafts import Draft, ItemDraft, Notice
from pipeline.entries.reference import rests_on_same_words
from pipeline.entries.standing import EntryState, Fold, fold
from pipeline.facts.corrected import corrected_lines
from pipeline.job import Run
from pipeline.language.tokens import count_tokens
from pipeline.markdown.blocks import find_blocks
from schemas.entry import Status, Trust
from schemas.memory_change import BrainSection, MemoryChange, Operation

_ASKED = 5
"""The importance of what the owner asked to be remembered."""


def sort_lines(lines: Iterable[MemoryLine]) -> list[MemoryLine]:
    """The lines in the order in which they find room."""
    return sorted(lines, key=lambda line: (_rank(line), -line.place))


def _rank(line: MemoryLine) -> int:
    """Pinned, accepted by a person, asked for, corrected, agreed on, repeated, said once; not confirmed last."""
    grounds = (
        line.pinned,
        line.word.is_decision,
        line.importance == _ASKED,
        line.corrected,
        line.section is BrainSection.AGREEMENTS,
        line.said > 1,
        True,
    )
    return len(grounds) if not line.is_confirmed else grounds.index(True)


_ENDED = frozenset({Status.SUPERSEDED, Status.ARCHIVED})


def outdated_lines(lines: Iterable[MemoryLine], entries: Fold) -> Iterator[Replaced]:
    """The lines that rest on the words of an entry which ended, each with the removal that follows from it.

    The text of the removal is what holds now, empty where nothing took its place. What a person archived of their own
    lines stays, and so does what was said again since, or was corrected.
    """
    by_session: dict[str, list[EntryState]] = defaultdict(list)
    for state in entries.states.values():
        by_session[session_word(state.entry.source.session_id)].append(state)
    for line in lines:
        change = line.change
        if change is None or not change.quote:
            continue
        said = by_session[change.session_id]
        about = [state for state in said if rests_on_same_words(state.entry, change.quote, change.number)]
        if any(state.entry.id in entries.corrected for state in about):
            continue
        if about and all(state.status in _ENDED for state in about):
            names = {name for state in about for name in state.superseded_by if name in entries.states}
            later = max((entries.states[name].entry for name in names), key=lambda entry: entry.moment, default=None)
            at = later.moment if later else line.at
            if line.at <= at and (later or not line.by_person):
                holds = entries.states[entries.holding(later.id)].entry.quote if later else ""
                update = {"operation": Operation.DELETE, "target": line.id, "at": at, "text": one_line(holds)}
                yield Replaced(line, change.model_copy(update=update))


@dataclass(frozen=True)
class PageWords:
    """The headings of a page, and the words behind a line."""

    sections: dict[BrainSection, str]
    archive: str
    left_over: str
    replaced: str
    not_confirmed: str

    def mark(self, change: MemoryChange) -> str:
        """Stands behind a person's line that a later decision replaced; see `agents.brain.HAS_REPLACED_MARK`."""
        return f"({self.replaced.lower()} {change.at:%Y-%m-%d}: {change.text})"


_ENGLISH = ("User", "Preferences", "Agreements", "Current")
_POLISH = ("User", "Preferencje", "Ustalenia", "Bieżące")
_CHINESE = ("用户", "偏好", "约定", "当前")

WORDS = {
    "en": PageWords(
        dict(zip(BrainSection, _ENGLISH, strict=True)), "Archive", "Without room", "Replaced", "not confirmed"
    ),
    "pl": PageWords(
        dict(zip(BrainSection, _POLISH, strict=True)), "Archiwum", "Bez miejsca", "Zastąpione", "niepotwierdzone"
    ),
    "zh": PageWords(dict(zip(BrainSection, _CHINESE, strict=True)), "归档", "放不下的", "已被取代", "未确认"),
}
"""The words by the `language` of an agent's settings."""


ARCHIVE = "archive"
"""The part of the family that holds what found no room."""

_TRIES = 50  # lines that are looked at behind the first one without room


def pages(run: Run) -> list[Draft]:
    """The items of both pages, and a notice when the person's lines leave no room."""
    standings, words = journal_of(run).standings, WORDS[run.agent.settings.language]
    entries = fold(entry.entry for entry in run.inputs.entries if entry.entry.trust is not Trust.UNVERIFIED)
    outdated = {old.line.id: old for old in outdated_lines(standings.lines.values(), entries)}
    # Of what a person put there only that person decides: it stays, with what holds now behind it.
    ended = {name: old for name, old in outdated.items() if not old.line.by_person}
    taken_out = (name for name in run.refusals.removed if name.startswith(_path(run)))
    removed = {line_of(name.rpartition("#")[2]) for name in taken_out} | ended.keys()
    replaced_by = {name: f"{old.line.text} {words.mark(old.by)}" for name, old in outdated.items()}
    texts = replaced_by | corrected_lines(standings.lines.values(), entries)
    lines = [
        replace(line, text=texts.get(line.id, line.text))
        for line in sort_lines(standings.lines.values())
        if line.id not in removed
    ]
    texts_of_people = (document.text.encode() for document in run.inputs.by_people)
    theirs = "\n".join(line.text for text in texts_of_people for line in page_lines(text, ()))
    taken = _lines_with_room(run, lines, theirs, words)
    ids = {line.id for line in taken}
    over = [line for line in lines if line.id not in ids]
    updated = (replacement for replacement in standings.replaced if replacement.by.operation is Operation.UPDATE)
    replaced = sorted((*updated, *ended.values()), key=lambda replacement: replacement.by.at)
    # What a person changed on the page keeps its name, and so stays theirs.
    blocks = find_blocks(run.written.pages.get("", "").encode())
    changed = {line_of(block.name): block.name for block in blocks if block.item and not block.intact}
    names = {line.id: pinned_name(line.id) for line in taken if line.pinned} | changed
    return [
        *_brain(run, taken, words, names),
        *_archive(over, replaced, words),
        *_crowded_lines(run, taken, over),
    ]


def _crowded_lines(run: Run, taken: Sequence[MemoryLine], over: Sequence[MemoryLine]) -> list[Notice]:
    if any(line.pinned for line in over):
        return [Notice(f"Not all pinned lines find room in {_path(run)}: unpin one, or raise `brain_tokens`.")]
    return [Notice(f"The lines by hand leave no room in {_path(run)}.")] if over and not taken else []


def _path(run: Run) -> str:
    return next((document.path for document in run.inputs.by_people), "the page")


def _lines_with_room(run: Run, lines: Sequence[MemoryLine], theirs: str, words: PageWords) -> list[MemoryLine]:
    """The lines that find room, in their order. Counted is the page as the agent sees it, the person's lines too."""
    taken, missed = list[MemoryLine](), 0
    for line in lines:
        drafts = _brain(run, [*taken, line], words)
        text = "\n".join([*(draft.text for draft in drafts), theirs])
        if count_tokens(text) <= run.agent.settings.brain_tokens:
            taken.append(line)
        elif line.pinned:
            return [line for line in taken if line.pinned]
        elif (missed := missed + 1) > _TRIES:
            break
    return taken


def _brain(
    run: Run, lines: Sequence[MemoryLine], words: PageWords, names: Mapping[str, str] | None = None
) -> list[ItemDraft]:
    """The items of the page; none without a line."""
    if not lines:
        return []
    items = [ItemDraft("title", f"# {run.agent.name}")]
    for section in BrainSection:
        own = [line for line in lines if line.section is section]
        if own:
            items += [
                ItemDraft(f"section-{section.value}", f"## {words.sections[section]}"),
                *_list_lines(own, words, names=names),
            ]
    return items


def _list_lines(
    lines: Iterable[MemoryLine], words: PageWords, page: str = "", names: Mapping[str, str] | None = None
) -> list[ItemDraft]:
    items, known = list[ItemDraft](), names or {}
    for line in lines:
        doubt = "" if line.is_confirmed else f" ({words.not_confirmed})"
        items.append(ItemDraft(known.get(line.id, line.id), f"- {line.text}{doubt}", page=page))
    return items


def _archive(over: Sequence[MemoryLine], replaced: Sequence[Replaced], words: PageWords) -> list[ItemDraft]:
    """The items of the archive: what found no room, and what was replaced, the newest first."""
    if not over and not replaced:
        return []
    items = [ItemDraft("title", f"# {words.archive}", page=ARCHIVE)]
    if over:
        items += [ItemDraft("left-over", f"## {words.left_over}", page=ARCHIVE), *_list_lines(over, words, ARCHIVE)]
    if replaced:
        items.append(ItemDraft(REPLACED, f"## {words.replaced}", page=ARCHIVE))
        items += [
            ItemDraft(replacement.line.id, f"- {replacement.by.at:%Y-%m-%d}: {replacement.line.text}", page=ARCHIVE)
            for replacement in reversed(replaced)
        ]
    return items
