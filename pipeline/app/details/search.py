"""Find stored details by words of their descriptions and synopses: these tell what one needs to know of a text."""

import re
from dataclasses import dataclass

from pipeline.app.details.retrieve import OWNER, DetailReader
from pipeline.app.details.upkeep import DetailChoice, list_details
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail

_WORD = re.compile(r"\w[\w.-]*\w|\w", re.UNICODE)
_MOST_WORDS = 12


@dataclass(frozen=True)
class MatchedDetail:
    """A detail, and how many of the words it has."""

    detail: Detail
    words: int


def search_details(store: WorkspaceStore, query: str, most: int, reader: DetailReader = OWNER) -> list[MatchedDetail]:
    """The details with the most words of a query, the newest first of those with as many.

    Raises:
        StoreUnavailable, StoreBusy, StoreDamaged, StoreNewer, StoreDriverMissing: it cannot be read now.
    """
    words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(query)))[:_MOST_WORDS]
    times, known = dict[str, int](), dict[str, Detail]()
    for word in words:
        for detail in list_details(store, DetailChoice(words=word)):
            known[detail.key] = detail
            times[detail.key] = times.get(detail.key, 0) + 1
    readable = [MatchedDetail(known[key], number) for key, number in times.items() if reader.may_read(known[key])]
    return sorted(readable, key=lambda match: (match.words, match.detail.created_at), reverse=True)[:most]
