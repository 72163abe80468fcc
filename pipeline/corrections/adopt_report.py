"""The person's part of `MEMORY.md`, and moves of some of it, in the shapes for programs."""

import difflib
from collections.abc import Iterator
from typing import Any

from pipeline.corrections.adopt import Adopted, Move, PersonsBlock, PersonsPart, standing_after
from schemas.hot_page import PATH
from schemas.reports.corrections import MoveDone, MovePlanned, OwnBlock, OwnBlocks


def own_blocks(listing: PersonsPart) -> OwnBlocks:
    """The person's part, block by block."""
    fields = {name: value for name, value in vars(listing).items() if name != "blocks"}
    return OwnBlocks(path=PATH, blocks=tuple(_own_block(block) for block in listing.blocks), **fields)


def move_planned(move: Move) -> MovePlanned:
    """A move that is not made yet."""
    return MovePlanned(seen=move.seen, diff="\n".join(move_diff(move)), **_moved(move))


def move_done(done: Adopted) -> MoveDone:
    """A move that was made."""
    return MoveDone(run_id=done.run_id, undo=f"memory undo {done.run_id}", due=done.due, **_moved(done.move))


def move_diff(move: Move) -> Iterator[str]:
    """The unified diff of both files, a line each."""
    for path, (old, new) in ((PATH, move.page), (move.archive, move.archived)):
        before, after = ((data or b"").decode(errors="replace").splitlines() for data in (old, new))
        yield from difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")


def _own_block(block: PersonsBlock) -> OwnBlock:
    return OwnBlock(**{name: value for name, value in vars(block).items() if name != "spans"})


def _moved(move: Move) -> dict[str, Any]:
    after = standing_after(move)
    return {
        "blocks": tuple(block.number for block in move.blocks),
        "lines": sum(block.lines for block in move.blocks),
        "characters": sum(block.characters for block in move.blocks),
        "archive": move.archive,
        "room_lines": after.room_lines,
        "room_characters": after.room_characters,
    }
