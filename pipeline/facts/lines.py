"""A fact as a list item, and back.

    - W @Peter: In Marrakech until Dec 1, 2025, for Andy's birthday.
      "I'm in Marrakech until the first", session 8f1c2d, messages 12-14, owner; replaces: f-31ab09cd

The first line may be written by anybody. The second one is ours; the mark of the item ends it. What a person accepted
has `file memory/people.md, line 4` in place of the session. Full-width colons, brackets and commas are read like the
others.
"""

import json
import re
from collections.abc import Iterable
from datetime import date

from pipeline.agents.journal import one_line, session_word
from schemas.fact import LONGEST, Fact, FactKind, FactWord

_NAME = r"@[^\s@:：,，()（）]+"  # noqa: RUF001 - full-width marks
_GAP = "[ ,，、]"  # noqa: RUF001
_FIRST = re.compile(
    r"[-*] (?P<kind>[WBOS])(?:[(（]c\s*=\s*(?P<stated>0?[.,]\d{1,2}|[01](?:[.,]0{1,2})?)[)）])?"  # noqa: RUF001
    rf"(?P<names>(?:{_GAP}*{_NAME}(?:{_GAP}+{_NAME})*)?)\s*[:：]\s*(?P<text>\S.*)"  # noqa: RUF001
)
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
    names = "".join(f" @{name}" for name in fact.entities)
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


def parse_fact(text: str, day: date, *, name: str = "") -> Fact | None:
    """The fact in a list item; `None` when it is none.

    `name` is the id of an item that we wrote. Without it the second line says nothing: anybody may write one.
    """
    first, *more = [line.strip() for line in text.strip().split("\n")]
    match = _FIRST.fullmatch(first)
    if not match or len(match["text"]) > LONGEST:
        return None
    fact = Fact(
        id=name,
        kind=FactKind(match["kind"]),
        entities=tuple(dict.fromkeys(written[1:] for written in re.findall(_NAME, match["names"]))),
        text=match["text"],
        stated=_hundredths(match["stated"]),
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


def _hundredths(stated: str | None) -> int | None:
    return round(float(stated.replace(",", ".")) * 100) if stated else None
