"""The facts of a file: the list items under a heading `## Retain`, ours and those of other hands."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from functools import lru_cache

from pipeline.agents.journal import one_line, session_word
from pipeline.markdown.blocks import Line, find_blocks, split_lines, without_marks
from schemas.fact import LONGEST, Fact, FactKind, FactWord

FAMILY = "bank/entities/{page}.md"
"""The pages of entities, as a family."""


# ruff: noqa: RUF001 - full-width marks


def _first_line(names: str) -> re.Pattern[str]:
    """The pattern of the first line of a fact: `- O(c=0.8) @Peter, @Kraków: Peter lives in Kraków`."""
    return re.compile(
        r"[-*] (?P<kind>[WBOS])(?:[(（]c\s*=\s*(?P<stated>0?[.,]\d{1,2}|[01](?:[.,]0{1,2})?)[)）])?"
        rf"(?P<names>{names})\s*[:：]\s*(?P<text>\S.*)"
    )


_UNFIT = r"\s@:：,，()（）"  # in a name
_APART = re.compile(rf"[{_UNFIT}]+")
_GAP = "[ ,，、]"
_FIRST = _first_line(rf"(?:{_GAP}*@[^{_UNFIT}]+(?:{_GAP}+@[^{_UNFIT}]+)*)?")
_FIRST_SPACED = _first_line("(?: @[^@:：]+)+")
"""The same of earlier versions, which wrote names of several words as a person's page has them: `@Anna Nowak`."""
_BEFORE_NAME = re.compile(f"{_GAP}*@")
_SECOND = re.compile(
    r"(?P<quote>\"(?:[^\"\\]|\\.)*\"), (?:session|file) (?P<session>\S+), "
    r"(?:messages?|line) (?P<first>\d+)(?:-(?P<last>\d+))?, "
    r"(?P<word>[a-z ]+)(?P<relations>(?:; [a-z ]+: [^;]*)*)"
)
_FIELDS = {
    "for": "supports",
    "against": "contradicts",
    "replaces": "replaces",
    "supported by": "supported_by",
    "contradicted by": "contradicted_by",
    "replaced by": "replaced_by",
}
_RELATION = re.compile(rf"; (?P<name>{'|'.join(_FIELDS)}): (?P<ids>f-[0-9a-f]+(?:, f-[0-9a-f]+)*)")


def render_fact(fact: Fact) -> str:
    """The text of a fact's list item, without its mark; the second line only where it has a quote."""
    names = "".join(f" @{_APART.sub('-', name)}" for name in fact.entities)
    stated = f"(c={fact.stated / 100:.2f})" if fact.stated is not None else ""
    first = f"- {fact.kind.value}{stated}{names}: {one_line(fact.text)}"
    relations = "".join(
        f"; {name}: {', '.join(ids)}" for name, field in _FIELDS.items() if (ids := getattr(fact, field))
    )
    quote = json.dumps(one_line(fact.quote), ensure_ascii=False)
    return f"{first}\n{quote}, {_place(fact)}, {fact.word.value}{relations}"


def _place(fact: Fact) -> str:
    low, high = fact.numbers
    if fact.word is FactWord.ACCEPTED:
        return f"file {session_word(fact.session_id)}, line {low}"
    numbers = f"message {low}" if low == high else f"messages {low}-{high}"
    return f"session {session_word(fact.session_id)}, {numbers}"


@lru_cache(maxsize=65536)  # each run of the job of facts looks at all of them
def parse_fact(text: str, day: date, *, name: str = "") -> Fact | None:
    """The fact in a list item; `None` when it is none.

    `name` is the id of an item that we wrote. Without it the second line says nothing: anybody may write one.
    """
    first, *more = [line.strip() for line in text.strip().split("\n")]
    match = _FIRST.fullmatch(first) or (_FIRST_SPACED.fullmatch(first) if name else None)
    if not match or len(match["text"]) > LONGEST:
        return None
    fact = Fact(
        id=name,
        kind=FactKind(match["kind"]),
        entities=tuple(dict.fromkeys(_BEFORE_NAME.split(match["names"])[1:])),
        text=match["text"],
        stated=round(float(match["stated"].replace(",", ".")) * 100) if match["stated"] else None,
        day=day,
    )
    return _evident(fact, more) if name else fact


def _evident(fact: Fact, lines: Iterable[str]) -> Fact | None:
    """The fact with what its second line says; `None` when there is none such, so that it is nobody's word."""
    match = _SECOND.fullmatch(" ".join(lines))
    words = {word.value: word for word in FactWord if word is not FactWord.UNVERIFIED}
    if not match or match["word"] not in words:
        return None
    stated = _RELATION.finditer(match["relations"])
    relations = {_FIELDS[relation["name"]]: tuple(relation["ids"].split(", ")) for relation in stated}
    return fact.model_copy(
        update={
            "word": words[match["word"]],
            "quote": json.loads(match["quote"]),
            "session_id": match["session"],
            "numbers": (int(match["first"]), int(match["last"] or match["first"])),
            **relations,
        }
    )


HEADING = "Retain"
_HEAD = re.compile(rb"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def facts_in(data: bytes, path: str, ours: Collection[tuple[str, str]], otherwise: date) -> list[Fact]:
    """The facts of a file in their order.

    `ours` are the names and digests of the items that we wrote into it. The day of a fact is that of the file's name,
    else `otherwise`. A fact of other hands has no id, and nobody's word.
    """
    facts, day, passed = list[Fact](), day_of(path) or otherwise, 0
    blocks = {block.start: block for block in find_blocks(data) if block.item}
    known = {start: block for start, block in blocks.items() if block.intact and (block.name, block.digest) in ours}
    for number, line in _under_heading(data):
        if line.start < passed:
            continue
        block = known.get(line.start)
        text = block.text if block else without_marks(line.body.decode(errors="replace"))
        passed = block.end if block else passed
        if fact := parse_fact(text, day, name=block.name if block else ""):
            facts.append(fact.model_copy(update={"path": path, "line": number}))
    return facts


def _under_heading(data: bytes) -> Iterator[tuple[int, Line]]:
    """The lines under each heading, up to the next one of its level or above, with their numbers from 1."""
    level = 0
    for number, line in enumerate(split_lines(data), 1):
        head = _HEAD.fullmatch(line.body)
        if head and head[2].decode(errors="replace").casefold() == HEADING.casefold():
            level = len(head[1])
        elif head and len(head[1]) <= level:
            level = 0
        elif level and not head:
            yield number, line


def day_of(path: str) -> date | None:
    """The day in the name of a file; `None` without one."""
    for written in _DAY.findall(path.rpartition("/")[2]):
        try:
            return date.fromisoformat(written)
        except ValueError:
            continue
    return None
