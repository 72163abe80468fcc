"""One look at a text while it passes: its ends, its size, and the lines to note. It stays small, whatever comes."""

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass, field

from pipeline.details.notable import Notable, NotesOnDemand, Severity

HEAD = 2_097_152
"""Characters at the beginning that are kept; a text that has no more is known as a whole."""
TAIL = 32_768
"""Characters at the end that are kept."""

# Sequences of a terminal, such as `\x1b[31m` and `\x1b]0;title\x07`, and characters of control or without width.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[ -/]*[0-~])"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_MARK = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""A character of control: each escape begins with one, and a single class is found faster."""
_LONG = 65_536  # characters of a line that are looked at together
_SHARE_OF_ZEROS = 1_000


@dataclass(frozen=True)
class Excerpt:
    """The material of a synopsis, without escapes. Unless it is `whole`, `head` and `tail` are all that is known."""

    head: str
    tail: str
    whole: bool
    size: int
    lines: int
    binary: bool
    notes: NotesOnDemand = field(compare=False)

    @property
    def notable(self) -> list[Notable]:
        """The lines to note, in order."""
        return self.notes.look().all()

    @property
    def results(self) -> list[str]:
        """The latest results of tests, builds and installations."""
        return list(self.notes.look().results)

    @property
    def counts(self) -> dict[Severity, int]:
        """The number of lines of each severity."""
        return self.notes.look().counts


class TextScan:
    """Looks at a text that comes in blocks."""

    def __init__(self) -> None:
        self.size = 0
        """Bytes so far."""
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._head, self._kept, self._tail, self._rest = list[str](), 0, "", ""
        self._ends = self._zeros = 0
        self._line, self._ended = 1, True
        self._notes = NotesOnDemand(HEAD)

    def add(self, block: bytes) -> None:
        """Look at the next block."""
        self.size += len(block)
        self._ends += block.count(b"\n")
        self._zeros += block.count(b"\0")
        self._ended = block.endswith(b"\n") if block else self._ended
        self._look(self._decoder.decode(block))

    def done(self) -> Excerpt:
        """The excerpt, at the end of the text."""
        self._look(self._decoder.decode(b"", final=True))
        self._notes.add(strip_escapes(self._rest), self._line)
        self._rest = ""
        return Excerpt(
            head=strip_escapes("".join(self._head)),
            tail=strip_escapes(self._tail),
            whole=self._kept < HEAD,
            size=self.size,
            lines=self._ends + (not self._ended),
            binary=self._zeros * _SHARE_OF_ZEROS > self.size,
            notes=self._notes,
        )

    def _look(self, text: str) -> None:
        if self._kept < HEAD:
            self._head.append(text[: HEAD - self._kept])
            self._kept += len(self._head[-1])
        self._tail = (self._tail[-TAIL:] + text)[-TAIL:]
        text = self._rest + text
        cut = text.rfind("\n") + 1
        cut = cut or (len(text) if len(text) > _LONG else 0)  # a line without end is looked at in pieces
        self._notes.add(strip_escapes(text[:cut]), self._line)
        self._line += text.count("\n", 0, cut)
        self._rest = text[cut:]


def strip_escapes(text: str) -> str:
    """A text as a terminal leaves it: without escapes, and of a line that was written over, what came last."""
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return _ESCAPES.sub("", text) if _MARK.search(text) else text


def scan_text(text: str) -> Excerpt:
    """A text that is here as a whole."""
    scan = TextScan()
    scan.add(text.encode(errors="replace"))
    return scan.done()
