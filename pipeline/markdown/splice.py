"""Byte-preserving changes of a file: all bytes outside of our block stay."""

from collections.abc import Sequence

from pipeline.markdown.blocks import Block, find_blocks


def newline_of(data: bytes) -> bytes:
    """The most frequent line end of a file; LF without any."""
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
    return join_around(before, after, lead if before.endswith(lead) else b"\n")


def join_around(before: bytes, after: bytes, newline: bytes) -> bytes:
    """Join the text around a removed part, without the line end before it unless lines of others would run together."""
    bare = before.removesuffix(newline)
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
