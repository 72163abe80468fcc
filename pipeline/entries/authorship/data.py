"""Text that programs write or read: code, logs, YAML, JSON, diffs, SQL, tables, assertions, agents' terminals."""

# ruff: noqa: RUF001  (typographic marks stand in what people paste)

import re
from collections.abc import Callable, Iterator, Sequence

from pipeline.entries.authorship.lines import MessageLine, Stretch

_QUOTED = re.compile(
    r"^[ \t]*(?:>|//|#|/\*|\*/|--|<!--|(?:TODO|FIXME|HACK|XXX)(?:\([\w-]{1,30}\))?:)[^\n]*$", re.MULTILINE
)
_CODE = re.compile(
    r"^[ \t]*+(?:"
    # People begin sentences with these words: `from now on (...)`, `let's go with ...;`, `private repos only (...)`.
    r"(?:import|export|return|async|await)\b[^\n]*[;{}=][^\n]*"
    r"|(?:return|await) [\w.]+\([^\n]*"
    r"|from [\w.]+ import\b[^\n]*"
    r"|(?:const|let|var) (?:[\w$]+|[{\[][\w$, ]{0,200}[}\]])(?: ?: ?[\w<>\[\]]+)? ?[=;][^\n]*"
    r"|(?:def|class|function) \w+ ?[({:][^\n]*"
    r"|(?:public|private) (?:static|final|class|void|async|abstract|readonly|const|int|string)\b[^\n]*[;{}()=][^\n]*"
    r"|(?:SELECT|INSERT|CREATE)\b[^\n]*[;{}()=][^\n]*"
    r"|</?\w[^\n]*>[^\n]*"
    r"|[\w.]+\([^\n]*\)[;{]?[ \t]*"
    r"|[^\n]*(?:[{}]|=>)[ \t]*"
    r"|[\w.-]+(?:: ?[^\s;]+(?: [^\s;]+){0,3})?;[ \t]*"
    r"|[^\n]*[(){}=\[\]<>\"][^\n]*;[ \t]*"
    r"|[\[{}\]()]+,?"
    r")$",
    re.MULTILINE,
)
_DATE = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ,_]{1,2}\d{1,2}:\d{2}"
_LEVEL = "(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|SEVERE)"
_LOG = re.compile(
    rf"[ \t]*(?:\W{{0,3}}{_DATE}|\W?\d{{1,2}}:\d{{2}}:\d{{2}}|\W{{0,2}}{_LEVEL}[\]:)\s|]"
    r"|\W?\d{10,13}(?:\.\d+)?\W"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} \d{2}:\d{2}|\d{1,3}(?:\.\d{1,3}){3} "
    r"|Traceback |File \"|at [\w.$<>]{3,200}\(|\[\w{2,20}\] \S{1,40} ?[-|:] )"
)
_LEVELLED = re.compile(rf".{{0,80}}?\b{_LEVEL}(?:[\]:|]| [\w.]+[:\]])")
_COMMAND = re.compile(r"[ \t]*(?:[$%] \S|>>> |In \[\d*\]:|\w+@[\w.-]+[:~].{0,60}[$#] )")
# A command typed without a prompt: a program's name, and arguments that are no sentence about it.
_TYPED = re.compile(
    r"[ \t]*(?:git|npm|pnpm|yarn|npx|docker|kubectl|pip3?|cargo|pytest|python3?|cd|ls|curl|ssh|sudo|brew|apt(?:-get)?"
    r"|systemctl|terraform|uv|gh|rm|cp|mv|grep|helm|mkdir|chmod|psql|sqlite3|bash) "
    r"(?!(?:is|are|was|for|and|or|never|always|only|over|instead|it|goes|must|should|will|not|stays|has|to|in|as)\b)"
    r"[\x21-\x7e]+(?: [\x21-\x7e]+){0,12}[ \t]*$"
)
_SQL = re.compile(
    r".{0,80}?\b(?:INSERT +INTO|DELETE +FROM|CREATE +TABLE|ALTER +TABLE|VALUES *\("
    r"|SELECT .{1,200} FROM\b|UPDATE \S{1,60} SET\b)"
)
_ASSERTION = re.compile(
    r"[ \t]*(?:assert\w*\b.{0,200}?(?:[=!]=|\(| in | is )|(?:expect|it|test|describe|should)\("
    r"|(?:Given|When|Then|And) the )"
    r"|.{0,120}?\.(?:toBe|toEqual|toContain|should|equals?|assert\w*)\("
)
_ASSIGNMENT = re.compile(r"[ \t]*[\w.\[\]\"'$-]{1,60} *(?:[:+]?=|=>) *[rfb]?[\"'`“{\[]")
_CHANGED = re.compile(r"[ \t]*(?:@@ |diff --git|index [0-9a-f]{6,}|\+\+\+ |--- [ab]/|\+(?=\s?\S)(?!\d))")
_NUMBERED = re.compile(r"[ \t]*\d{1,5}(?: {2,}|\t|[→|] ?)\S")
_KEY = re.compile(r"(?P<indent>[ \t]*)(?:- )?[\w.\"'-]{1,40}:(?:[ \t]+(?P<value>\S.*)?)?[ \t]*")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*(?![-*•–\d])\S")
_NAMES = re.compile(r"[A-Za-z][\w.\"-]{0,30}(?:[,;\t][\w.\"-]{1,30}){1,30} ?")
_JSON = re.compile(r"[{\[]\s{0,20}[\"'{\[][^\n]{0,200}?[\"'\]}]")

# The marks with which the terminal programs of agents show an answer, the call of a tool and its result.
_TERMINAL = re.compile(r"[ \t]{0,4}(?:[⏺⎿✦]|└ |[●•] (?:[A-Z]\w{1,30}\(|.{1,120}\(\+\d+ -\d+\)\s*$))")
_SHOWN = re.compile(r"[ \t]{0,4}[●•✻✶✽─╭│╰>]")  # what else stands at the beginning of a line there
_BELOW = re.compile(r"(?: {2}|\t)\s*\S")


def code(text: str) -> Iterator[Stretch]:
    """Lines of code, comments and quoted lines."""
    for pattern in (_QUOTED, _CODE):
        yield from (match.span() for match in pattern.finditer(text))


def data(text: str, lines: Sequence[MessageLine]) -> Iterator[Stretch]:
    """The stretches of a text that hold data or code."""
    yield from code(text)
    yield from _json(text)
    yield from ((line.start, line.end) for line in lines if _is_data_alone(line))
    yield from _to_end_of_paragraph(lines, _is_log)
    if any(_CHANGED.match(line.text) for line in lines):
        yield from ((line.start, line.end) for line in lines if _CHANGED.match(line.text) or line.text.startswith("-"))
    yield from _keys(lines)
    yield from _to_end_of_paragraph(lines, lambda line: _NAMES.fullmatch(line.text) is not None)  # as in CSV
    yield from _terminal_stretch(lines)


def _is_data_alone(line: MessageLine) -> bool:
    """Whether the line is data whatever stands around it."""
    patterns = (_SQL, _ASSERTION, _ASSIGNMENT, _ROW, _NUMBERED, _INDENTED, _TYPED)
    return any(pattern.match(line.text) for pattern in patterns)


def _is_log(line: MessageLine) -> bool:
    """Whether the line is one of a log, or gives a command."""
    return any(pattern.match(line.text) for pattern in (_LOG, _LEVELLED, _COMMAND))


def _to_end_of_paragraph(lines: Sequence[MessageLine], begins: Callable[[MessageLine], bool]) -> Iterator[Stretch]:
    """From each line that begins a stretch to the end of its paragraph."""
    opened: int | None = None
    for line in lines:
        if line.blank:
            opened = None
        elif begins(line):
            opened = line.start
        if opened is not None:
            yield opened, line.end


def _json(text: str) -> Iterator[Stretch]:
    """From the first bracket that opens an object to the last that closes one."""
    first = _JSON.search(text)
    if first:
        last = max(text.rfind("}"), text.rfind("]"))
        yield first.start(), (last + 1 if last > first.start() else len(text))


def _keys(lines: Sequence[MessageLine]) -> Iterator[Stretch]:
    """Lines of keys and values below a key without a value, as in YAML: the indented ones, with the key."""
    parent: MessageLine | None = None
    for line in lines:
        match = _KEY.fullmatch(line.text)
        if line.blank:
            parent = None
        elif match and not match["indent"] and (not match["value"] or line.text.startswith("- ")):
            parent = line
        elif parent is not None and line.text[:1] in " \t":
            yield parent.start, line.end
        else:
            parent = None


def _terminal_stretch(lines: Sequence[MessageLine]) -> Iterator[Stretch]:
    """Copies from an agent's terminal: from the first mark to the last line that has a mark or is indented."""
    if not any(_TERMINAL.match(line.text) for line in lines):
        return
    marked = [line for line in lines if _TERMINAL.match(line.text) or _SHOWN.match(line.text)]
    below = [line for line in lines if line.start >= marked[0].start]
    indented = [line for line in below if _BELOW.match(line.text)]
    last = max(marked[-1].end, indented[-1].end) if indented else below[-1].end
    yield marked[0].start, last
