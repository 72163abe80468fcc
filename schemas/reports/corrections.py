"""What corrections did, as programs get it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Forgotten:
    """What forgetting reached; see `pipeline.corrections.forget.Receipt`. `index` is `rebuilt`, `none` or `left`."""

    entry_id: str
    stand_in: str
    files: tuple[str, ...]
    removed: tuple[str, ...]
    reworded: tuple[str, ...]
    mentioned_in: tuple[str, ...]
    said_by: tuple[str, ...]
    changes: int
    answers: int
    logs: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    index: str


@dataclass(frozen=True)
class OwnBlock:
    """What a person wrote under one heading of `MEMORY.md`; see `pipeline.corrections.adopt.PersonsBlock`."""

    number: int
    level: int
    title: str
    headed: bool
    line: int
    lines: int
    characters: int
    begins: str


@dataclass(frozen=True)
class OwnBlocks:
    """The person's part of the page, and the room that it leaves. `seen` marks the page as it is."""

    path: str
    seen: str
    blocks: tuple[OwnBlock, ...]
    lines: int
    characters: int
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class MovePlanned:
    """What moving the `blocks` of these numbers would do, and the room that there would be."""

    seen: str
    diff: str
    blocks: tuple[int, ...]
    lines: int
    characters: int
    archive: str
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class MoveDone:
    """What was moved by which run; `undo` is the command that takes it back, `due` that the next run uses the room."""

    run_id: str
    undo: str
    due: bool
    blocks: tuple[int, ...]
    lines: int
    characters: int
    archive: str
    room_lines: int
    room_characters: int
