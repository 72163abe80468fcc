"""Taking what is to be forgotten out of bytes: of a present file, and of stored ones of the ledger."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.entries.matcher import Matcher
from pipeline.markdown.blocks import FRONT_MATTER, Block, apart, find_blocks, seal_entry, seal_item
from pipeline.markdown.splice import newline_of, remove_block, replace_block, without_block

_GROUNDS = re.compile(r"\n- grounds:.*")


@dataclass(frozen=True)
class Erased:
    """A file without an entry: `removed` are the items that went, `reworded` the blocks that name the stand-in now."""

    data: bytes
    removed: tuple[Block, ...] = ()
    reworded: tuple[Block, ...] = ()


def erased(data: bytes, subject: Matcher, stand_in: str) -> Erased:
    """The file without the blocks of the entry and without our items about it; our other blocks name the stand-in.

    Text that a person wrote or changed stays, but for the entry itself.
    """
    if not subject.may_stand_in(data.decode(errors="replace")):
        return Erased(data)
    data = without_block(data, subject.entry_id)
    items = [block for block in apart(find_blocks(data)) if block.intact]
    removed = [
        block for block in items if block.item and block.name != FRONT_MATTER and subject.is_of(block.text, block.name)
    ]
    removed += list(_emptied(data, removed, subject))
    reworded = set[str]()
    for block in reversed(items):
        if block in removed:
            data = cut(data, block)
        elif (sealed := _reworded(block, subject, stand_in)) is not None:
            data = replace_block(data, block, sealed)
            reworded.add(block.name)
    standing = tuple(block for block in find_blocks(data) if block.name in reworded)
    return Erased(data, tuple(sorted(removed, key=lambda block: block.start)), standing)


def wiped(data: bytes, subject: Matcher, stand_in: str) -> bytes:
    """Stored bytes without the entry, also in a person's words, which stay in their file alone."""
    if not subject.may_stand_in(data.decode(errors="replace")):
        return data
    data, parts, at = erased(data, subject, stand_in).data, list[bytes](), 0
    for block in [*(block for block in apart(find_blocks(data)) if block.intact), None]:
        between = data[at : block.start if block else len(data)].decode(errors="surrogateescape")
        parts.append(subject.without(between, stand_in).encode(errors="surrogateescape"))
        parts.append(data[block.start : block.end] if block else b"")
        at = block.end if block else at
    return b"".join(parts)


def cut(data: bytes, block: Block) -> bytes:
    """Without an item; a heading or a paragraph goes with the empty line that leads it in, the first with the next."""
    if block.text.startswith("- "):
        return data[: block.start] + data[block.end :]
    left = remove_block(data, block)
    lead = newline_of(data[block.start : block.end])
    return left.removeprefix(lead) if block.start == 0 else left


def _reworded(block: Block, subject: Matcher, stand_in: str) -> str | None:
    """The block sealed again with the stand-in; `None` when it has nothing of the entry."""
    text = subject.without(block.text, stand_in, words=block.item, item=block.name)
    if text != block.text and not block.item:
        text = _GROUNDS.sub("", text)  # they may hold words of the other entry of the link
    if text == block.text:
        return None
    return seal_item(block.name, text) if block.item else seal_entry(text)


def _emptied(data: bytes, removed: Sequence[Block], subject: Matcher) -> Iterator[Block]:
    """The headings of words of the entry under which all items are removed."""
    blocks = apart(find_blocks(data))
    ends = [*(block.start for block in blocks[1:]), len(data)]
    bare, cut = True, False
    for block, end in reversed(list(zip(blocks, ends, strict=bool(blocks)))):
        bare = bare and not data[block.end : end].strip()
        if block in removed:
            cut = True
        elif block.text.startswith("## "):
            if bare and cut and block.item and block.intact and subject.has_words(block.text.lstrip("# ")):
                yield block
            bare, cut = True, False
        else:
            bare = False
