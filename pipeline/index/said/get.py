"""Reading an address of what was said: its messages, with those around them."""

import re
from collections.abc import Sequence

from pipeline.clock import to_the_minute
from pipeline.errors import UnknownPlace
from pipeline.index.said.passages import speaker_of
from pipeline.index.said.request import SaidAccess
from pipeline.index.said.search import SaidSearching, address
from schemas.said import SaidMessage, SaidPage
from schemas.transcript import Message, Session

AROUND = 1
"""Messages that are shown before and after those that were asked for."""
_MOST = 500
"""Messages of one page at most."""
_ADDRESS = re.compile(r"said:(?P<session>.+)#(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.DOTALL)


def read_said(searching: SaidSearching, place: str, access: SaidAccess) -> SaidPage:
    """The messages at `said:SESSION#41` or `said:SESSION#41-43`, and their neighbours.

    Raises:
        UnknownPlace: there are none, or who asks may not be shown them.
    """
    named = _ADDRESS.fullmatch(place)
    if named is None:
        raise UnknownPlace(place, "names no message: write said:SESSION#NUMBER, as a search does")
    first, last = int(named["first"]), int(named["last"] or named["first"])
    transcript = searching.source.read(named["session"])
    session = transcript or searching.source.kept(named["session"])
    shown = _shown(session, access) if session else []
    meant = [at for at, message in enumerate(shown) if first <= message.number <= last]
    if session is None or not meant:
        raise UnknownPlace(place, "names no message that can be shown: its transcript is gone, or never had it")
    around = shown[max(meant[0] - AROUND, 0) : meant[-1] + AROUND + 1][:_MOST]
    chosen = [shown[at] for at in meant]
    return SaidPage(
        at=address(session.session_id, chosen[0].number, chosen[-1].number),
        session_id=session.session_id,
        session_path=chosen[0].session_path or session.session_path,
        message_range=(chosen[0].number, chosen[-1].number),
        agent=session.agent,
        project=session.project_of(chosen[0]),
        messages=tuple(map(_message, around)),
        text="\n\n".join(_lines(session, message) for message in around),
        source_gone=transcript is None,
    )


def _shown(session: Session, access: SaidAccess) -> Sequence[Message]:
    """What can be read at local times, as far as somebody may be shown it."""
    if not access.to_session(session.source, session.agent):
        return []
    return [one for one in session.local_readable if access.to_project(session.project_of(one))]


def _message(message: Message) -> SaidMessage:
    return SaidMessage(number=message.number, time=message.time, speaker=speaker_of(message), text=message.text)


def _lines(session: Session, message: Message) -> str:
    """A message for people: its number, its local time and its speaker above its text."""
    return f"#{message.number} {to_the_minute(message.time, session.zone)} {speaker_of(message)}\n{message.text}"
