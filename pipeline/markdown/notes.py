"""The text of a file that others wrote, without what is ours in it."""

from pipeline.markdown.blocks import apart, find_blocks

BEGIN, END = "<!-- begin: memory integrate -->", "<!-- end: memory integrate -->"
"""The lines around what `memory integrate` writes into the instructions of an agent."""


def without_ours(data: bytes) -> bytes:
    """A text without our blocks and instructions, each of its other lines where it was.

    An instruction without an end is ours to the end of the file: what follows it cannot be told from it.
    """
    spans = [(block.start, block.end) for block in apart(find_blocks(data))]
    start = data.find(BEGIN.encode())
    while start >= 0:
        end = data.find(END.encode(), start)
        stop = end + len(END) if end >= 0 else len(data)
        spans.append((start, stop))
        start = data.find(BEGIN.encode(), stop)
    for start, stop in spans:
        data = data[:start] + _blank(data[start:stop]) + data[stop:]
    return data


def _blank(data: bytes) -> bytes:
    """As many bytes with the same ends of lines, and nothing else."""
    return bytes(byte if byte in b"\r\n" else ord(" ") for byte in data)
