"""The page of what an agent always knows, and its archive."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jobs.brain.order import ordered
from jobs.brain.outdated import outdated
from jobs.brain.words import WORDS, PageWords
from jobs.journal.requests import journal_of
from pipeline.agents.brain import REPLACED, line_of, page_lines, pinned_name
from pipeline.agents.standing import MemoryLine, Replaced
from pipeline.drafts import Draft, ItemDraft, Notice
from pipeline.entries.standing import fold
from pipeline.facts.corrected import corrected_lines
from pipeline.job import Run
from pipeline.language.tokens import count_tokens
from pipeline.markdown.blocks import find_blocks
from schemas.entry import Trust
from schemas.memory_change import BrainSection, Operation

ARCHIVE = "archive"
"""The part of the family that holds what found no room."""

_TRIES = 50  # lines that are looked at behind the first one without room


def pages(run: Run) -> list[Draft]:
    """The items of both pages, and a notice when the person's lines leave no room."""
    standings, words = journal_of(run).standings, WORDS[run.agent.language]
    entries = fold(one.entry for one in run.noted if one.entry.trust is not Trust.UNVERIFIED)
    ended = {one.line.id: one for one in outdated(standings.lines.values(), entries)}
    removed = {line_of(name.rpartition("#")[2]) for name in run.removed if name.startswith(_path(run))} | ended.keys()
    texts = corrected_lines(standings.lines.values(), entries)
    lines = [
        replace(line, text=texts.get(line.id, line.text))
        for line in ordered(standings.lines.values())
        if line.id not in removed
    ]
    theirs = "\n".join(line.text for document in run.by_people for line in page_lines(document.text.encode(), ()))
    taken = _taken(run, lines, theirs, words)
    ids = {line.id for line in taken}
    over = [line for line in lines if line.id not in ids]
    updated = (one for one in standings.replaced if one.by.operation is Operation.UPDATE)
    replaced = sorted((*updated, *ended.values()), key=lambda one: one.by.at)
    return [
        *_brain(run, taken, words, _names(run, taken)),
        *_archive(over, replaced, words),
        *_crowded(run, taken, over),
    ]


def _crowded(run: Run, taken: Sequence[MemoryLine], over: Sequence[MemoryLine]) -> list[Notice]:
    if any(line.pinned for line in over):
        return [Notice(f"Not all pinned lines find room in {_path(run)}: unpin one, or raise `brain_tokens`.")]
    return [Notice(f"The lines by hand leave no room in {_path(run)}.")] if over and not taken else []


def _path(run: Run) -> str:
    return next((document.path for document in run.by_people), "the page")


def _taken(run: Run, lines: Sequence[MemoryLine], theirs: str, words: PageWords) -> list[MemoryLine]:
    """The lines that find room, in their order. Counted is the page as the agent sees it, the person's lines too."""
    taken, missed = list[MemoryLine](), 0
    for line in lines:
        drafts = _brain(run, [*taken, line], words)
        text = "\n".join([*(draft.text for draft in drafts), theirs])
        if count_tokens(text) <= run.agent.brain_tokens:
            taken.append(line)
        elif line.pinned:
            return [one for one in taken if one.pinned]
        elif (missed := missed + 1) > _TRIES:
            break
    return taken


def _names(run: Run, lines: Sequence[MemoryLine]) -> dict[str, str]:
    """The names of the items of lines, by id. What a person changed on the page keeps its name, and so stays theirs."""
    blocks = find_blocks(run.pages.get("", "").encode())
    changed = {line_of(block.name): block.name for block in blocks if block.item and not block.intact}
    return {line.id: pinned_name(line.id) for line in lines if line.pinned} | changed


def _brain(
    run: Run, lines: Sequence[MemoryLine], words: PageWords, names: Mapping[str, str] | None = None
) -> list[ItemDraft]:
    """The items of the page; none without a line."""
    if not lines:
        return []
    items = [ItemDraft("title", f"# {run.subject}")]
    for section in BrainSection:
        own = [line for line in lines if line.section is section]
        if own:
            items += [
                ItemDraft(f"section-{section.value}", f"## {words.sections[section]}"),
                *_listed(own, words, names=names),
            ]
    return items


def _listed(
    lines: Iterable[MemoryLine], words: PageWords, page: str = "", names: Mapping[str, str] | None = None
) -> list[ItemDraft]:
    doubts, known = {True: "", False: f" ({words.not_confirmed})"}, names or {}
    texts = ((line.id, f"- {line.text}{doubts[line.confirmed]}") for line in lines)
    return [ItemDraft(known.get(name, name), text, page=page) for name, text in texts]


def _archive(over: Sequence[MemoryLine], replaced: Sequence[Replaced], words: PageWords) -> list[ItemDraft]:
    """The items of the archive: what found no room, and what was replaced, the newest first."""
    if not over and not replaced:
        return []
    items = [ItemDraft("title", f"# {words.archive}", page=ARCHIVE)]
    if over:
        items += [ItemDraft("left-over", f"## {words.left_over}", page=ARCHIVE), *_listed(over, words, ARCHIVE)]
    if replaced:
        items.append(ItemDraft(REPLACED, f"## {words.replaced}", page=ARCHIVE))
        items += [
            ItemDraft(one.line.id, f"- {one.by.at:%Y-%m-%d}: {one.line.text}", page=ARCHIVE)
            for one in reversed(replaced)
        ]
    return items
