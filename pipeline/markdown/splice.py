"""Byte-preserving changes to a file: what is not our block stays byte for byte."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.markdown.blocks import Block, find_blocks, seal_section


@dataclass(frozen=True)
class Section:
    """A named part of a rewritten page."""

    name: str
    text: str


def newline_of(data: bytes) -> bytes:
    """The line end that a file mostly uses; LF when it has none."""
    windows = data.count(b"\r\n")
    return b"\r\n" if windows and windows * 2 > data.count(b"\n") else b"\n"


def appendix(blocks: Sequence[str], newline: bytes) -> bytes:
    """The bytes that append sealed blocks to a file that exists.

    They begin with a line end whatever the file ends with, because another process may append between our look at the
    file and our write: so its last line is closed at any moment, and a block starts on a line of its own.
    """
    return b"".join(newline + block.encode().replace(b"\n", newline) for block in blocks)


def remove_block(data: bytes, block: Block) -> bytes:
    """`data` without the block and without the one line end that `appendix` put before it.

    The line end stays where it is the only thing between a person's line before the block and one after it.
    """
    before, after = data[: block.start], data[block.end :]
    # A lone CR may be the last byte of a person's line: only a block with CRLF was led in with CRLF.
    lead = newline_of(data[block.start : block.end])
    lead = lead if before.endswith(lead) else b"\n"
    bare = before.removesuffix(lead)
    glues = after and not after.startswith((b"\n", b"\r\n")) and bare and not bare.endswith(b"\n")
    return (before if glues else bare) + after


def without_block(data: bytes, name: str) -> bytes:
    """`data` without any block of this name."""
    for block in reversed(find_blocks(data)):
        if block.name == name:
            data = remove_block(data, block)
    return data


def replace_block(data: bytes, block: Block, sealed: str) -> bytes:
    """`data` with the block's bytes replaced by a sealed block, in the line ends of the old one."""
    newline = newline_of(data[block.start : block.end])
    return data[: block.start] + sealed.encode().replace(b"\r\n", b"\n").replace(b"\n", newline) + data[block.end :]


def render_page(data: bytes, sections: Sequence[Section], deleted: frozenset[str] = frozenset()) -> bytes:
    """A page with our sections brought up to date.

    A section that a person changed is theirs and stays; one that a person deleted (its name is in `deleted`) does not
    come back; a section that is no longer wanted goes; a new one is put after the section before it, or at the end.
    """
    for old in reversed([block for block in find_blocks(data) if block.section and block.intact]):
        wanted = next((section for section in sections if section.name == old.name), None)
        data = replace_block(data, old, seal_section(wanted.name, wanted.text)) if wanted else remove_block(data, old)
    for position, section in enumerate(sections):
        present = {block.name: block for block in find_blocks(data) if block.section}
        if section.name in present or section.name in deleted:
            continue
        before = [present[earlier.name].end for earlier in sections[:position] if earlier.name in present]
        data = _insert(data, before[-1] if before else len(data), seal_section(section.name, section.text))
    return data


def _insert(data: bytes, at: int, sealed: str) -> bytes:
    newline = newline_of(data)
    block = sealed.encode().replace(b"\n", newline)
    return data[:at] + (newline + block if data[:at] else block) + data[at:]
