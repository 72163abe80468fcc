"""Rewritten pages: a page is rendered as a whole, and every line of a person stays."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.drafts import ItemDraft
from pipeline.engine.absence import find_landing, put_ours, refuse_damaged
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.deletions import items_of_page, notice_removals, removed_items
from pipeline.engine.recovery import intend_change
from pipeline.errors import ChangedMeanwhile, ShrinkRefused
from pipeline.ledger.changes import Appended, Change, ChangeKind
from pipeline.markdown.blocks import FRONT_MATTER, block_names, find_blocks
from pipeline.markdown.items import Item, disown_items, render_page
from pipeline.workspace.families import Slots, TargetFiles
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import ARCHIVE

Render = Callable[[str], Sequence[ItemDraft]]
"""From the present page to the wanted items; called again when the page changes meanwhile."""


@dataclass(frozen=True)
class Pages:
    """A page of a family, in as many volumes as it takes, about to be brought up to date by a run.

    The caller holds the lock of the family's only writer.
    """

    engine: Engine
    family: TargetFiles
    run_id: str
    slots: Slots

    def paths(self) -> list[str]:
        """The volumes that exist, in order; the first one also when it does not."""
        return [self._first, *(path for path in self.family.paths() if path != self._first and self._is_volume(path))]

    @cached_property
    def _first(self) -> str:
        return self.family.path(self.slots)

    def _is_volume(self, path: str) -> bool:
        """Whether a path is a volume of this page; the day of a week's is its Monday, whenever the window began."""
        return path == self._first or self.family.first_volume(path) == self._first

    def visible_text(self) -> str:
        """The page as a job sees it, all volumes together, without items that only pretend to be ours."""
        return self._page_text({path: self.engine.workspace.read(path) for path in self.paths()})

    def _page_text(self, volumes: Mapping[str, bytes | None]) -> str:
        ours = items_of_page(self.engine, self._first)
        return "".join(disown_items(data or b"", ours).decode(errors="replace") for data in volumes.values())

    def rewrite(self, render: Render) -> dict[str, list[str]]:
        """Bring all volumes up to date; the names of the items that changed, by path."""
        changed: dict[str, list[str]] = {}
        for attempt in range(ATTEMPTS):
            if attempt:  # a job may take minutes, and a person may have deleted items meanwhile
                notice_removals(self.engine, self.paths(), self.engine.local_now().date())
            before = {path: self.engine.workspace.read(path) for path in self.paths()}
            for path, data in before.items():
                refuse_damaged(path, data)
            wanted = [Item(draft.name, draft.text) for draft in render(self._page_text(before))]
            if self._put_all(wanted, before, changed):
                return changed
        raise ChangedMeanwhile(self._first)

    def _put_all(self, items: Sequence[Item], before: dict[str, bytes | None], changed: dict[str, list[str]]) -> bool:
        """Write the changed volumes and put their items into `changed`; `False` when a volume changed meanwhile."""
        removed = removed_items(self.engine)
        anywhere = set[str]().union(*(names for path, names in removed.items() if self._is_volume(path)))
        volumes, ours = list(self._volumes(items, before)), items_of_page(self.engine, self._first)
        # An item in several volumes that is taken out of one of them stays in the others.
        counts = Counter(item.name for _, part in volumes for item in part)
        anywhere -= {name for name, count in counts.items() if count > 1}
        for path, part in volumes:
            data = before.get(path) or b""
            after = render_page(data, part, removed.get(path, set()) | anywhere, ours)
            if after == data:
                continue
            old = {block.name: block.digest for block in find_blocks(data) if block.item}
            new = (block for block in find_blocks(after) if block.item)
            names = [block.name for block in new if old.get(block.name) != block.digest]
            if not self._write(path, before.get(path), after, names):
                return False
            changed[path] = names
        return True

    def _volumes(self, items: Sequence[Item], before: dict[str, bytes | None]) -> Iterator[tuple[str, Sequence[Item]]]:
        """The items of each file. An item that a person keeps in one volume is put into no other."""
        items_of = {path: [block for block in find_blocks(data or b"") if block.item] for path, data in before.items()}
        kept = {path: {block.name for block in blocks if not block.intact} for path, blocks in items_of.items()}
        parts = list(_split(items, self.family.target.lines))
        paths = [self.family.path(self.slots, volume) for volume in range(1, len(parts) + 1)]
        for path, part in zip(paths, parts, strict=True):
            elsewhere = set[str]().union(*(names for other, names in kept.items() if other != path))
            # Front matter and headings may stand in several volumes.
            own = [item for item in part if item.name not in elsewhere or item.name == FRONT_MATTER or item.heads]
            yield path, own
        yield from ((path, ()) for path in before if path not in paths)

    def _write(self, path: str, before: bytes | None, after: bytes, names: Sequence[str]) -> bool:
        """Write one volume, noted in the ledger; `False` when it changed meanwhile."""
        changes = self.engine.ledger.changes
        _refuse_loss(self.engine, path, before or b"", after)
        kept = block_names(after)
        dropped = [standing for standing in changes.expected_in(path) if standing.block.name not in kept]
        kind = ChangeKind.CREATE if before is None else ChangeKind.REPLACE
        wanted = Change(self.run_id, path, kind, after, dict.fromkeys(names, ""), before=before)
        with intend_change(self.engine.workspace, self.engine.ledger, wanted, dropped) as change:
            if put_ours(self.engine.workspace, changes, path, before, page_or_none(before, after)):
                # Without a digest of the bytes before: people prune pages line by line, so these are no old copy.
                landing = find_landing(self.engine.workspace, path)
                changes.settle(change, names, Appended(landing) if landing else None)
                return True
            changes.drop(change.number)
        changes.restore(dropped)
        return False


def put_page(workspace: Workspace, path: str, before: bytes | None, after: bytes) -> bool:
    """Put `after` in place of `before`; `False` when the file has other contents by now.

    An empty page is removed. The caller holds the lock of its only writer.

    Raises:
        WriteFailed: the system refuses.
    """
    return workspace.put_file(path, before, page_or_none(before, after))


def page_or_none(before: bytes | None, after: bytes) -> bytes | None:
    """The bytes to put in place of `before`: an empty page is no page."""
    return after if after.strip() or before is None else None


def _split(items: Sequence[Item], lines: int) -> Iterator[list[Item]]:
    """The items in parts of at most so many lines.

    Each part has the front matter and begins with the heading of its first item; none ends with a heading.
    """
    front = [item for item in items[:1] if item.name == FRONT_MATTER]
    part, heading = list[Item](), list[Item]()
    for item in items[len(front) :]:
        if lines and _line_count([*front, *part, item]) > lines and any(not before.heads for before in part):
            full = max(place for place, before in enumerate(part, 1) if not before.heads)
            yield [*front, *part[:full]]
            part = part[full:] or ([] if item.heads else list(heading))
        heading = [item] if item.heads else heading
        part.append(item)
    yield [*front, *part]


def _line_count(items: Sequence[Item]) -> int:
    """The lines of items: a heading or a paragraph is led in by one, and front matter has two fences and a check."""
    leads = (3 if item.name == FRONT_MATTER else 0 if item.is_list_item else 1 for item in items)
    return sum(item.text.strip().count("\n") + 1 for item in items) + sum(leads)


def _refuse_loss(engine: Engine, path: str, before: bytes, after: bytes) -> None:
    kept = block_names(after)
    lost = [block.name for block in find_blocks(before) if not block.item and block.name not in kept]
    if lost and not engine.allow_shrink:
        archives = b"".join(
            engine.workspace.read(archive) or b"" for archive in engine.workspace.select(f"{ARCHIVE}/*.md")
        )
        if missing := [name for name in lost if f"- id: {name}\n".encode() not in archives]:
            raise ShrinkRefused(path, missing)
