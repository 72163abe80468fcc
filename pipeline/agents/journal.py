"""The journal of an agent: one list item for each change that was decided, and back.

    - CORE: Kuba runs a bakery in Gdansk with his sister
      "prowadze z siostra piekarnie w Gdansku", session 8f1c2d, message 12, 2026-02-20T14:05+00:00, importance 4; owner

The first line says what, the second whose word it rests on. The mark of the item ends its last line, so that an undo
takes all of it.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from pipeline.markdown.item_names import item_id
from schemas.memory_change import ChangeWord, MemoryChange, Operation

_ENDS = frozenset({Operation.UPDATE, Operation.DELETE, Operation.WITHDRAW})
"""What takes a line away that stood before."""


def without_lines(changes: Sequence[MemoryChange], gone: Collection[str]) -> dict[str, MemoryChange]:
    """The changes that have to read otherwise without the lines in `gone`, by id.

    What replaced a line that goes is an addition. What took away a line that stays takes it away still, without the
    words: else the memory would believe again what it was corrected about.
    """
    known = {change.id: change for change in changes}
    changed = dict[str, MemoryChange]()
    for change in changes:
        before = known.get(change.target)
        if change.id in gone:
            if before and before.id not in gone and change.operation in _ENDS:
                # A person's act removes the line that stays; the line's own words are no secret.
                act = {"quote": "", "session_id": "", "number": 0, "word": ChangeWord.PERSON, "asked_by": "owner"}
                act |= {"operation": Operation.DELETE, "text": before.text, "over": "terminal", "before": ""}
                changed[change.id] = change.model_copy(update=act)
        elif change.operation is Operation.UPDATE and before and before.id in gone:
            first = _first_addition(change, known)
            changed[change.id] = change.model_copy(update={"operation": first.operation, "target": ""})
    return changed


def _first_addition(change: MemoryChange, known: Mapping[str, MemoryChange]) -> MemoryChange:
    """The change that added the line which, after replacements, is that of `change`."""
    while change.target in known:
        change = known[change.target]
    return change if change.operation.adds else change.model_copy(update={"operation": Operation.CORE})


# `- UPDATE of j-4f1c02aa: Kuba runs two bakeries`
_FIRST = re.compile(r"- (?P<operation>[A-Z]+)(?: of (?P<target>j-[0-9a-f]+))?: (?P<text>.*)")
# `"the words", session 8f1c, message 12, 2026-02-20T14:05+00:00, importance 4; owner`, or `asked by main over mcp, ...`
_SECOND = re.compile(
    r"(?:(?P<quote>\"(?:[^\"\\]|\\.)*\"), session (?P<session>\S+), message (?P<number>\d+)|"
    r"asked by (?P<asked_by>\S+) over (?P<over>\S+)), "
    r"(?P<at>\S+), importance (?P<importance>[1-5]); (?P<word>[a-z ]+)"
)


def change_id(identity: str, taken: Collection[str]) -> str:
    """The id of a line: `j-` and hex digits of its identity; `taken` are the ids in use."""
    return item_id("j", identity, taken)


def render_change(change: MemoryChange) -> str:
    """The text of a change's list item, without its mark."""
    of = f" of {change.target}" if change.target else ""
    at = change.at.isoformat(timespec="minutes")
    said = f"{_quote(change.quote)}, session {session_word(change.session_id)}, message {change.number}"
    asked = f"asked by {session_word(change.asked_by or 'nobody')} over {session_word(change.over or 'nothing')}"
    evidence = f"{said if change.quote else asked}, {at}, importance {change.importance}; {change.word.value}"
    return f"- {change.operation.value}{of}: {one_line(change.text) or '-'}\n{evidence}"


@lru_cache(maxsize=65536)  # each run of the journal's job looks at the whole journal
def parse_change(name: str, text: str) -> MemoryChange | None:
    """The change in a list item of the journal; `None` when it is no such item."""
    what, _, whose_word = text.strip().partition("\n")
    first, second = _FIRST.fullmatch(what.strip()), _SECOND.fullmatch(whose_word.strip())
    if not first or not second or "\n" in whose_word:
        return None
    try:
        return MemoryChange(
            id=name,
            operation=Operation(first["operation"]),
            text=first["text"],
            target=first["target"] or "",
            at=datetime.fromisoformat(second["at"]),
            word=ChangeWord(second["word"]),
            quote=json.loads(second["quote"]) if second["quote"] else "",
            session_id=second["session"] or "",
            number=int(second["number"] or 0),
            importance=int(second["importance"]),
            asked_by=second["asked_by"] or "",
            over=second["over"] or "",
        )
    except ValueError:  # a word, an operation or a moment that is none
        return None


def one_line(text: str) -> str:
    """A text as a line of memory has it: on one line, without what would hide or forge a part of a page."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.replace("<!--", "< !--").replace("-->", "-- >").split())


def _quote(text: str) -> str:
    encoded = json.dumps(text, ensure_ascii=False)
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in encoded)


def session_word(text: str) -> str:
    """A name as the journal has it: without what parts the line, which are white space, commas and semicolons."""
    return re.sub(r"[\s,;]+", "-", text.strip()) or "-"
