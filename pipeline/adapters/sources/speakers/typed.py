"""The words that a person typed, in an agent whose program writes into the same record."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from string import whitespace

from pipeline.adapters.sources.reading.assembly import DraftMessage
from schemas.transcript import Origin

# Cut in any place: no person writes these names by hand. An attribute distinguishes a file or a skill that the agent
# unfolded, and a message of a channel, from a person's own markup.
_KNOWN = (
    "system-reminder|relevant[-_]memories|active_memory_plugin|supermemory-context|hindsight[-_]memories|"
    "recalled[-_]memories|memory[-_]context|user[-_]memories|ide_opened_file|ide_selection|ide_diagnostics|"
    "new-diagnostics|user-prompt-submit-hook|session-start-hook"
)
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f\u00ad"
_OPEN = re.compile(
    rf"<({_KNOWN})(?=[\s>/])|<(file|skill) name=\"[^\"\n]{{0,500}}\"[^<>\n]{{0,500}}>\n"
    r"|<(channel)(?=\s[^<>]{0,500}\bsource\s{0,9}=)",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"</\s*+([\w:.-]++)\s*+>")
_IS_KNOWN = re.compile(_KNOWN, re.IGNORECASE)
_LEADING = re.compile(rf"[\s{_INVISIBLE}]*+<([a-zA-Z][\w:.-]*+)(?=[\s>/])")
# At the very start of a text any tag that speaks of memory or context is a plugin's.
_REMEMBERED = re.compile(r"memor|recall|context", re.IGNORECASE)
_MEMORY = re.compile(r"memor|recall", re.IGNORECASE)


@dataclass(frozen=True)
class Leading:
    """The blocks that a text begins with: they end at `end`, and are of `origin`.

    `passed` is the text between the first and the last end of a block. It is the block's, unless a person typed the
    last end.
    """

    end: int
    origin: Origin
    passed: str = ""


def leading_blocks(text: str, *, any_tag: bool, but: AbstractSet[str] = frozenset()) -> Leading:
    """The blocks in tags that a text begins with.

    With `any_tag` that is a tag of any name, if it is closed, up to one of the names in `but`: people rarely begin like
    that, and what a program puts there is not known by all its names.
    """
    first = _LEADING.match(text)
    if first is None:
        return Leading(0, Origin.MACHINE)
    closings = _last_closings(text)
    place, passed = 0, ""
    while match := _LEADING.match(text, place):
        name = match[1].lower()
        surely = _REMEMBERED.search(name) or _IS_KNOWN.fullmatch(name)
        if not surely and (not any_tag or name in but or closings.get(name, 0) <= place):
            break
        place = _end(text, closings, name, match.end())
        passed += text[_first_end(text, name, match.end()) : place]
    return Leading(place, Origin.MEMORY if _MEMORY.search(first[1]) else Origin.MACHINE, passed)


def without_injections(text: str, *, any_tag: bool = False, but: AbstractSet[str] = frozenset()) -> tuple[str, Origin]:
    """A text without injected blocks, and the origin of the cut ones when nothing is left.

    A block ends at the last closing tag of its name: its content cannot end it early and go on as the person. A block
    that is not closed takes the rest of the text along: the place where the person's words begin again is not known.
    `any_tag` and `but` are those of `leading_blocks`.
    """
    if "<" not in text:
        return text, Origin.MACHINE
    leading = leading_blocks(text, any_tag=any_tag, but=but)
    rest = _without_blocks(text, leading.end, _last_closings(text))
    return (text if rest == text else rest.strip()), leading.origin


def own_words(draft: DraftMessage) -> DraftMessage:
    """A draft whose origin says that a person typed it, without what was injected; nothing left is not the person's."""
    if draft.origin is Origin.OWNER:
        judged = [without_injections(part) for part in draft.parts]
        said = [words for words, _ in judged if words.strip()]
        if judged and not said:
            draft.origin = judged[0][1]
        else:
            draft.parts = said
    return draft


def strip_unseen_start(text: str) -> str:
    """A text from its first sign that can be seen."""
    return text.lstrip(whitespace + _INVISIBLE)


def _last_closings(text: str) -> dict[str, int]:
    """The end of the last closing tag, by the names of tags."""
    return {match[1].lower(): match.end() for match in _CLOSE.finditer(text)}


def _end(text: str, closings: dict[str, int], name: str, start: int) -> int:
    end = closings.get(name.lower(), 0)
    return end if end > start else len(text)


def _first_end(text: str, name: str, start: int) -> int:
    match = re.compile(rf"</\s*+{re.escape(name)}\s*+>", re.IGNORECASE).search(text, start)
    return match.end() if match else len(text)


def _without_blocks(text: str, place: int, closings: dict[str, int]) -> str:
    kept = []
    while match := _OPEN.search(text, place):
        kept.append(text[place : match.start()])
        place = _end(text, closings, match[1] or match[2] or match[3], match.end())
    rest = "".join(kept) + text[place:]
    # Blocks that overlap leave an end without its start: what stands before it was inside.
    ends = [match.end() for match in _CLOSE.finditer(rest) if _IS_KNOWN.fullmatch(match[1])]
    return rest[ends[-1] :] if ends else rest


def typed_words(parts: Sequence[str], is_program: Callable[[str], bool] = lambda _: False) -> tuple[Origin, list[str]]:
    """The words of a person in a record's parts, and whose the record is; without such words the parts stay.

    `is_program` recognizes a part that the agent's program wrote, by its first words.
    """
    origin, words = Origin.MACHINE, []
    for part in parts:
        text, cut = without_injections(part, any_tag=True)
        if text.strip() and not is_program(strip_unseen_start(text)):
            words.append(text)
        elif cut is Origin.MEMORY:
            origin = cut
    return (Origin.OWNER, words) if words else (origin, list(parts))
