"""The lines of a page that stay because a session behind them is gone: agents delete their transcripts."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from jobs.wrapup.line_text import as_cited, citations
from jobs.wrapup.points import Bullet, key_of
from jobs.wrapup.recorded import PLAN
from pipeline.drafts import ItemDraft
from pipeline.job import Run
from pipeline.markdown.blocks import FRONT_MATTER, find_blocks
from schemas.summary import Part

_OWN = re.compile(rf"(?P<part>{'|'.join([PLAN, *Part])})-(?P<session>[0-9a-f]{{8}})-[0-9a-f-]+")
_FIELD = re.compile(r"^(sessions|messages): (.*)$", re.MULTILINE)
_COUNT = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Kept:
    """The items that stay, by part; the gone `sessions`, and how many messages there were with them.

    `standing` are the names of all items on the page.
    """

    items: dict[str, list[ItemDraft]]
    sessions: tuple[str, ...]
    messages: int
    standing: frozenset[str]

    def texts(self) -> list[str]:
        """The lines that stay."""
        return [item.text for items in self.items.values() for item in items]

    def beyond(self, bullets: Iterable[Bullet]) -> list[Bullet]:
        """The bullets without a match among the kept lines."""
        return [bullet for bullet in bullets if not self._tells(bullet)]

    def _tells(self, bullet: Bullet) -> bool:
        """Whether a line that stays rests on a message of the bullet; one that stood beside it is another thing."""
        lines = self.items.get(bullet.part.value, ())
        if bullet.name in self.standing:
            return any(line.name == bullet.name for line in lines)
        return any(
            first <= number <= last
            for cited in (citations(line.text) for line in lines)
            for place in bullet.places
            for first, last in cited.get(as_cited(place.session_id), ())
            for number in place.numbers
        )


def keep_lines(run: Run) -> Kept:
    """The page's lines about sessions that are gone; nothing when there is no page yet."""
    present = {as_cited(session.session_id): key_of(session.session_id) for session in run.inputs.transcripts}
    blocks = [block for block in find_blocks(run.written.current.encode(errors="replace")) if block.item]
    items: dict[str, list[ItemDraft]] = defaultdict(list)
    for block in blocks:
        match = _OWN.fullmatch(block.name)
        # A session behind an item is gone: the one that it is named by, or another that it cites.
        if match and (match["session"] not in present.values() or not present.keys() >= citations(block.text).keys()):
            items[match["part"]].append(ItemDraft(block.name, block.text))
    front = "\n".join(block.text for block in blocks if block.name == FRONT_MATTER)
    sessions, messages = _front_matter_sessions(front)
    ids = {session.session_id for session in run.inputs.transcripts}
    gone = tuple(session_id for session_id in sessions if session_id not in ids)
    return Kept(items, gone, messages if gone else 0, frozenset(block.name for block in blocks))


def _front_matter_sessions(front: str) -> tuple[list[str], int]:
    """The sessions and the number of messages that front matter of ours names, whatever became of it."""
    fields = dict(_FIELD.findall(front))
    sessions, messages = list[str](), fields.get("messages", "")
    with suppress(ValueError, RecursionError):  # a person may have edited it into anything
        sessions = [
            session_id for session_id in json.loads(fields.get("sessions", "[]")) if isinstance(session_id, str)
        ]
    return sessions, int(messages) if _COUNT.fullmatch(messages) else 0
