"""Reading an address of what was said: its messages, with those around them."""

from pipeline.clock import to_the_minute
from pipeline.errors import UnknownPlace
from pipeline.index.said.passages import speaker_of
from pipeline.index.said.request import SaidAccess
from pipeline.index.said.search import SaidSearching, address, messages_at
from pipeline.index.said.standing import marked_messages
from pipeline.index.search.search import Searching
from schemas.said import SaidMessage, SaidPage
from schemas.said_mark import said_mark

AROUND = 1
"""Messages that are shown before and after those that were asked for."""
_MOST = 500
"""Messages of one page at most."""


def read_said(searching: SaidSearching, memory: Searching, place: str, access: SaidAccess) -> SaidPage:
    """The messages at `said:SESSION#41` or `said:SESSION#41-43`, and their neighbours.

    Each is marked with what `memory`, as its reader may have it, knows against its words.

    Raises:
        UnknownPlace: there are none, or the reader may not be shown them.
        IndexUnavailable: the index of the memory is damaged.
    """
    named = messages_at(place)
    if named is None:
        raise UnknownPlace(place, "names no message: write said:SESSION#NUMBER, as a search does")
    session_id, (first, last) = named
    transcript = searching.source.read(session_id)
    session = transcript or searching.source.read_kept_session(session_id)
    shown = (
        [message for message in session.local_readable if access.to_project(session.project_of(message))]
        if session and access.to_session(session.source, session.agent)
        else []
    )
    meant = [at for at, message in enumerate(shown) if first <= message.number <= last]
    if session is None or not meant:
        raise UnknownPlace(place, "names no message that can be shown: its transcript is gone, or never had it")
    begin = max(meant[0] - AROUND, 0)
    around = shown[begin : meant[-1] + AROUND + 1][:_MOST]
    chosen = [shown[at] for at in meant if at < begin + _MOST]
    said = [
        SaidMessage(number=message.number, time=message.time, speaker=speaker_of(message), text=message.text)
        for message in around
    ]
    messages = marked_messages(searching, memory, session.session_id, said)
    shown_texts = list[str]()
    for message in messages:
        mark = said_mark(message.model_dump())
        head = f"#{message.number} {to_the_minute(message.time, session.zone)} {message.speaker}"
        shown_texts.append(f"{head}{' ' if mark else ''}{mark}\n{message.text}")
    return SaidPage(
        at=address(session.session_id, chosen[0].number, chosen[-1].number),
        session_id=session.session_id,
        session_path=chosen[0].session_path or session.session_path,
        message_range=(chosen[0].number, chosen[-1].number),
        agent=session.agent,
        project=session.project_of(chosen[0]),
        messages=tuple(messages),
        text="\n\n".join(shown_texts),
        source_gone=transcript is None,
    )
