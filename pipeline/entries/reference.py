"""The names of an entry in pages: its id, a name without words where those of the id are not verified, or its item's.

Ids are made of titles, and of an entry that is not as it was written only the quote is believed.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from unicodedata import normalize

from pipeline.language.folding import folded_words
from schemas.entry import Entry, Kind, Trust


def rests_on_same_words(entry: Entry, quote: str, number: int) -> bool:
    """Whether a quote of message `number` of an entry's session has the words of the entry's quote, or is part of them.

    The quote of a correction stands in no message.
    """
    first, last = entry.source.message_range
    if entry.corrects or not first <= number <= last:
        return False
    ours, theirs = folded_words(quote), folded_words(entry.quote)
    return bool(ours and theirs) and (ours in theirs or theirs in ours)


DIGITS = 12
"""Hexadecimal digits of the id's SHA-256 in a name without words."""

ITEM_DIGITS, MORE_DIGITS = 8, 16
"""Hexadecimal digits of the id's SHA-256 in the name of an item; more where another entry has the same eight."""

ROOT, ENDING = 4, 3
"""The fewest letters of a word that must agree, and the most letters at its end that may differ."""

SHORT_DIGITS = ITEM_DIGITS
"""Hexadecimal digits of an id's SHA-256 by which lists name an entry; commands take them in place of the id."""

_KINDS = "|".join(kind.value.upper() for kind in Kind)
_KIND_AND_DAY = re.compile(rf"(?:{_KINDS})-[0-9]{{8}}(?=-|\Z)")
_WORDLESS = re.compile(rf"(?:(?:{_KINDS})-[0-9]{{8}}|ENTRY)-[0-9a-f]{{{DIGITS}}}")
_ITEM = re.compile(rf"m-(?:[0-9a-f]{{{MORE_DIGITS}}}|[0-9a-f]{{{ITEM_DIGITS}}})")
_SHORT = re.compile(rf"[0-9a-f]{{{SHORT_DIGITS},64}}")
_DIGITS_OF_HASH = re.compile("[0-9a-f]{4,64}")
_PLAIN = re.compile(r"[\w-]{1,120}")
_SUFFIX = re.compile(r"[0-9a-f]{6}|[0-9a-f]{12}|[0-9a-f]{32}")


def reference(entry: Entry) -> str:
    """The id of an entry, if its words are vouched for and it can stand in a link; else the id without its words."""
    return entry.id if _PLAIN.fullmatch(entry.id) and _is_sure(entry) else wordless(entry.id)


def wordless(entry_id: str) -> str:
    """`KIND-DATE-` and digits of the id's hash; of an id that does not begin with a kind and a day, `ENTRY-` and these.

    It follows from the id alone, so that it is found again whatever becomes of the entry.
    """
    match = _KIND_AND_DAY.match(entry_id)
    return f"{match.group() if match else 'ENTRY'}-{_digest(entry_id)[:DIGITS]}"


def item_name(entry_id: str, digits: int = ITEM_DIGITS) -> str:
    """The name of the item of an entry in `MEMORY.md`: `m-` and digits of the id's hash."""
    return f"m-{_digest(entry_id)[:digits]}"


def short_id(entry_id: str) -> str:
    """The short id of an entry, which follows from its id."""
    return _digest(entry_id)[:SHORT_DIGITS]


def is_short_id(name: str) -> bool:
    """Whether a name has the form of a short id."""
    return _SHORT.fullmatch(name) is not None


def item_of_short(name: str) -> str:
    """The name of the item of the entry with a short id; another name as it is."""
    return f"m-{name}" if is_short_id(name) else name


def ids_by_short(entry_ids: Iterable[str], given: str) -> list[str]:
    """The ids whose hash begins with four digits or more; nothing where the name has another form."""
    if not _DIGITS_OF_HASH.fullmatch(given):
        return []
    return [entry_id for entry_id in dict.fromkeys(entry_ids) if _digest(entry_id).startswith(given)]


def is_wordless(name: str) -> bool:
    """Whether a name has no words that anybody could have put into it."""
    return _WORDLESS.fullmatch(name) is not None or is_item_name(name)


def is_item_name(name: str) -> bool:
    """Whether a name has the form of that of an entry's item."""
    return _ITEM.fullmatch(name) is not None


def ids_by_reference(entry_ids: Iterable[str]) -> dict[str, str]:
    """The ids by every name that a page may have for their entries.

    What looks like the name of another entry is that: an id of this form is never written out unless it is ours. A name
    that items of several entries may have is not among them.
    """
    known = set(entry_ids)
    own = {entry_id: entry_id for entry_id in known} | {wordless(entry_id): entry_id for entry_id in known}
    return own | _ids_by_item(known)


def _ids_by_item(entry_ids: Iterable[str]) -> dict[str, str]:
    alike: dict[str, list[str]] = defaultdict(list)
    for entry_id in entry_ids:
        alike[item_name(entry_id)].append(entry_id)
    single = {name: ids[0] for name, ids in alike.items() if len(ids) == 1}
    return single | {
        item_name(entry_id, MORE_DIGITS): entry_id for ids in alike.values() if len(ids) > 1 for entry_id in ids
    }


def _digest(entry_id: str) -> str:
    return hashlib.sha256(entry_id.encode(errors="replace")).hexdigest()


def is_said(words: Iterable[str], text: str) -> bool:
    """Whether a text has all of these words, perhaps with another ending."""
    said = normalize("NFC", text).casefold()
    folded = (normalize("NFC", word).casefold() for word in words)
    return all(word[: max(ROOT, len(word) - ENDING)] in said for word in folded)


def _is_sure(entry: Entry) -> bool:
    """Whether the words of the id are ours, or the owner's."""
    if entry.trust is not Trust.QUOTED:
        return entry.trust is not Trust.UNVERIFIED
    words = _KIND_AND_DAY.sub("", entry.id).split("-")
    return not is_wordless(entry.id) and is_said((word for word in words if not _SUFFIX.fullmatch(word)), entry.quote)
