"""The one question about a piece of a session: the same whichever job asks it, so a second answer costs nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate

from pipeline.entries.voice.off_record import on_record
from pipeline.job import OFFLINE, Run, Task
from schemas.extraction import Conversation
from schemas.session_answer import SessionAnswer
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

NEW = 48_000
"""Characters of new messages in one question; a longer piece is asked about in several."""

CONTEXT = 4_000
"""Characters of earlier messages that a question carries to explain the new ones."""

LONGEST = 12_000
"""Characters of a new message in a question; of a longer one the middle is left out."""

LONGEST_SUMMARY = 4_000
"""Characters of an agent's summary of what was before; of a longer one the middle is left out."""

LONGEST_BEFORE = 1_500
"""Characters of a message of the context; of a longer one the middle is left out."""


@dataclass(frozen=True)
class PieceQuestion:
    """A question about a session: the messages from `first` to `last` (numbers, both inside) are asked about.

    `session` is whole up to the end of its `piece`, without what the owner asked not to keep.
    """

    session: Session
    piece: Window
    first: int
    last: int
    shown: Conversation


def questions(session: Session) -> list[PieceQuestion]:
    """The questions about the pieces that a run sees, in order; none about a piece in which the owner says nothing."""
    asked = list[PieceQuestion]()
    for piece in () if session.machine else session.pieces:
        seen = on_record(session.before(piece.end))
        readable = seen.local_readable
        said = [message for message in readable if message.conversational]
        new = [place for place, message in enumerate(said) if message.time in piece]
        if not any(said[place].origin is Origin.OWNER for place in new):
            continue
        shown = [_clip(message, LONGEST) for message in said]
        for start, stop in _cuts(shown, new[0], new[-1] + 1):
            conversation = Conversation(
                session_id=session.session_id,
                project=session.project_of(said[start]),
                first_new=said[start].number,
                messages=(*_before(readable, said[:start], said[start].number), *shown[start:stop]),
            )
            asked.append(PieceQuestion(seen, piece, said[start].number, said[stop - 1].number, conversation))
    return asked


def _cuts(messages: Sequence[Message], start: int, stop: int) -> list[tuple[int, int]]:
    """Ranges of places that make up `start`..`stop`, each of at most `NEW` characters, begun where the owner speaks."""
    cuts, size, turn = [start], 0, start
    for place in range(start, stop):
        if messages[place].origin is Origin.OWNER:
            turn = place
        size += len(messages[place].text)
        if size > NEW and place > cuts[-1]:
            cuts.append(turn if turn > cuts[-1] else place)
            size = sum(len(message.text) for message in messages[cuts[-1] : place + 1])
    return list(zip(cuts, [*cuts[1:], stop], strict=True))


def _before(readable: Sequence[Message], said: Sequence[Message], first: int) -> list[Message]:
    """The context of a message: the end of what was said before it, and the agent's last summary of it."""
    retold = [message for message in readable if message.origin is Origin.SUMMARY and message.number < first][-1:]
    shown = [_clip(message, LONGEST_BEFORE) for message in said]
    sizes = accumulate(len(message.text) for message in reversed(shown))
    last = shown[len(shown) - sum(1 for size in sizes if size <= CONTEXT) :]
    context = [*last, *(_clip(summary, LONGEST_SUMMARY) for summary in retold)]
    return sorted(context, key=lambda message: message.number)


def _clip(message: Message, most: int) -> Message:
    text = cut_middle(message.text, most)
    return message if text == message.text else message.model_copy(update={"text": text})


def cut_middle(text: str, most: int) -> str:
    """The beginning and the end of a text that is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most // 2]}\n[...]\n{text[-(most // 2) :]}"


def ask_pieces(run: Run, sessions: Iterable[Session]) -> list[tuple[PieceQuestion, SessionAnswer]]:
    """The answers about all pieces of the sessions that a model may see, in order."""
    readable = [session for session in sessions if run.models.way_of(session.sources) != OFFLINE]
    asked = [question for session in readable for question in questions(session)]
    tasks = [
        Task(
            name="session",
            prompt=read_prompt("session"),
            input=question.shown,
            returns=SessionAnswer,
            offline=SessionAnswer,
            background=True,
            sources=question.session.sources,
        )
        for question in asked
    ]
    return list(zip(asked, run.models.ask(tasks), strict=True)) if asked else []


@cache
def read_prompt(name: str) -> str:
    """The prompt in `jobs/NAME.md`."""
    return files("jobs").joinpath(f"{name}.md").read_text(encoding="utf-8")
