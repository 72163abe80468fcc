"""The origin of a message."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pipeline.adapters.sources.reading.assembly import DraftMessage
from pipeline.adapters.sources.speakers.envelopes import Words
from pipeline.adapters.sources.speakers.headers import is_number, sender_name
from schemas.transcript import Origin

_MEMORY_TOOL = re.compile(r"(?:^|[_.:-])(?:memory|memories|recall|remember)(?:$|[_.:-])", re.IGNORECASE)
_WEB_TOOL = re.compile(
    r"(?:^|[_.:-])(?:web|browser|fetch|crawl|scrape|firecrawl|playwright|puppeteer)|^(?:WebFetch|WebSearch)$",
    re.IGNORECASE,
)


class Owner:
    """The owner, distinguished from other speakers by ids."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = frozenset(sender_name(sender_id) for sender_id in ids)
        self._numbered = any(is_number(sender_id) for sender_id in self._ids)

    @property
    def has_ids(self) -> bool:
        """Whether the owner's ids are set."""
        return bool(self._ids)

    def origin(self, words: Words) -> Origin:
        """The origin of one message by itself: with no ids set, the owner, until `settle`.

        A message of a surface on the gateway's own host names no sender: it is the owner's. A message in a group that
        names none is nobody's.
        """
        if words.origin is not Origin.OWNER:
            return words.origin
        if words.group and not words.senders:
            return Origin.OTHER
        if not self._ids or not words.senders:
            return Origin.OWNER
        # A user name in a header can be a part of the name before it, so a number that the owner set goes first.
        proofs = words.senders[:1] if words.handle and self._numbered else words.senders
        return Origin.OWNER if self._ids.intersection(proofs) else Origin.OTHER

    def settle(self, drafts: Sequence[DraftMessage], *, grouped: bool) -> None:
        """Look at all senders of a session: with several and no ids set, none is known to be the owner."""
        senders = {sender for draft in drafts for sender in draft.senders}
        if self._ids or len(senders) <= 1:
            return
        for draft in drafts:
            if draft.origin is Origin.OWNER and (draft.senders or grouped):
                draft.origin = Origin.OTHER

    def choose(self, parts: Sequence[Words]) -> Words:
        """The one message made of several waiting ones: the owner's part of them, or else the others' part.

        Text between two messages can be typed: after a part that is not the owner's, no part is the owner's for
        certain.
        """
        if len(parts) == 1:
            return self._judge(parts[0])
        judged = [self._judge(part) for part in parts]
        for before, part in pairwise(judged):
            if before.origin is not Origin.OWNER and part.origin is Origin.OWNER:
                part.origin = Origin.OTHER
        for origin in (Origin.OWNER, Origin.OTHER):
            chosen = [part for part in judged if part.origin is origin]
            if chosen:
                senders = dict.fromkeys(sender for part in chosen for sender in part.senders)
                return Words("\n".join(part.text for part in chosen), tuple(senders), origin=origin)
        return judged[0] if judged else Words("", origin=Origin.MACHINE)

    def _judge(self, words: Words) -> Words:
        return Words(words.text, words.senders[:1], origin=self.origin(words))


def tool_origin(name: object) -> Origin:
    """The origin of a tool's result: a page, a memory, or any other output."""
    if not isinstance(name, str):
        return Origin.TOOL
    if _MEMORY_TOOL.search(name):
        return Origin.MEMORY
    return Origin.WEB if _WEB_TOOL.search(name) else Origin.TOOL
