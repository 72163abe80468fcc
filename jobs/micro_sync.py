"""The first layer of memory: what the owner settled in the last hours, into the day's file.

Two phases. Extract asks one question for each piece of a session, which depends on the transcript alone. Resolve checks
every answer against the session and decides what is new (`jobs.resolution`); it asks which entry replaces which.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from importlib.resources import files

from pipeline.drafts import Draft
from pipeline.job import OFFLINE, Job, Reading, Reads, Run, Schedule, Target, Task
from schemas.correction import is_correction
from schemas.entry import Entry
from schemas.extraction import Candidate, Conversation, Extraction
from schemas.transcript import Message, Origin, Session
from schemas.window import Window

NEW = 24_000
"""Characters of new messages in one question."""

CONTEXT = 8_000
"""Characters of earlier messages that a question carries to explain the new ones."""

LONGEST = 6_000
"""Characters of one message in a question; of a longer one the middle is left out."""

READING = 4
"""The version of the reading without a model, with its line, and of whose words are whose.

It is raised when what was written before would not be written any more: then `memory doctor` offers `memory review`.
"""

_CUT = "\n[...]\n"


@dataclass(frozen=True)
class ExtractionChunk:
    """A question about one session: the messages from `first` to `last` (numbers, both inside) are asked about.

    `read` is the offline reading of the whole session, made once for all its pieces.
    """

    session: Session
    first: int
    last: int
    read: Callable[[], Extraction]
    shown: Conversation


def run(run: Run) -> Sequence[Draft]:
    """Drafts for what the owner confirmed inside the window, or for what a person accepted or corrected; else none."""
    from jobs.resolution import accepted, correct, resolve  # noqa: PLC0415 - a run with nothing due need not pay for the patterns

    if run.request:
        return correct(run) if is_correction(run.request) else accepted(run)
    pieces = [piece for session in run.transcripts for piece in _pieces(session, run.window)]
    answers = run.ask([_task(piece) for piece in pieces]) if pieces else []
    proposals: list[tuple[Session, Candidate]] = [
        (piece.session, candidate)
        for piece, answer in zip(pieces, answers, strict=True)
        for candidate in answer.candidates
    ]
    return resolve(run, proposals)


def relink(run: Run) -> Sequence[Entry]:
    """The entries of which today's judgement would not make a link, with the links that it makes instead."""
    from jobs.resolution.relinking import relinked  # noqa: PLC0415 - as above

    return relinked(run)


def review(run: Run) -> Mapping[str, str]:
    """The entries of a run that today's reading would not write, by id, with the reason."""
    from jobs.resolution.reviewing import objections  # noqa: PLC0415 - as above

    sessions = run.transcripts if run.way == OFFLINE else ()
    pieces = (piece for session in sessions for piece in _pieces(session, run.window))
    return objections(run, ((piece.session, read) for piece in pieces for read in _offline(piece).candidates))


def _pieces(session: Session, window: Window) -> list[ExtractionChunk]:
    """The questions about a session: one, or several when it has many messages in the window."""
    if session.machine:
        return []
    seen = session.model_copy(update={"messages": tuple(m for m in session.messages if m.time < window.end)})
    said = seen.conversation
    new = [place for place, message in enumerate(said) if message.time in window]
    if not any(said[place].origin is Origin.OWNER for place in new):
        return []
    from jobs.extraction import extract_with_doubts  # noqa: PLC0415 - as for `resolve`

    whole = Conversation(session_id=session.session_id, first_new=said[new[0]].number, messages=said)
    read = cache(partial(extract_with_doubts, whole))
    shown = [_clipped(message) for message in seen.local_conversation]
    return [
        ExtractionChunk(
            seen, said[start].number, said[stop - 1].number, read, _shown(session.session_id, shown, start, stop)
        )
        for start, stop in _cuts(shown, new[0], new[-1] + 1)
    ]


def _cuts(messages: Sequence[Message], start: int, stop: int) -> list[tuple[int, int]]:
    """Ranges of places that make up `start`..`stop`, each of at most `NEW` characters, begun where the owner speaks."""
    cuts = [start]
    size, turn = 0, start
    for place in range(start, stop):
        if messages[place].origin is Origin.OWNER:
            turn = place
        size += len(messages[place].text)
        if size > NEW and place > cuts[-1]:
            cut = turn if turn > cuts[-1] else place
            cuts.append(cut)
            size = sum(len(message.text) for message in messages[cut : place + 1])
    return list(zip(cuts, [*cuts[1:], stop], strict=True))


def _shown(session_id: str, messages: Sequence[Message], start: int, stop: int) -> Conversation:
    """The messages `start`..`stop` with as much of what precedes them as the context may hold."""
    first, size = start, 0
    while first > 0 and (size := size + len(messages[first - 1].text)) <= CONTEXT:
        first -= 1
    return Conversation(session_id=session_id, first_new=messages[start].number, messages=tuple(messages[first:stop]))


def _clipped(message: Message) -> Message:
    if len(message.text) <= LONGEST:
        return message
    half = LONGEST // 2
    return message.model_copy(update={"text": message.text[:half] + _CUT + message.text[-half:]})


def _task(piece: ExtractionChunk) -> Task[Extraction]:
    return Task("micro_sync", _prompt(), piece.shown, Extraction, partial(_offline, piece))


def _offline(piece: ExtractionChunk) -> Extraction:
    """The candidates found without a model; a session of any length is read whole."""
    candidates = piece.read().candidates
    return Extraction(candidates=tuple(one for one in candidates if piece.first <= one.quote_number <= piece.last))


@cache
def _prompt() -> str:
    return files("jobs").joinpath("micro_sync.md").read_text(encoding="utf-8")


JOB = Job(
    name="micro_sync",
    purpose="Writes down what the owner decided, ruled or asked to remember, with the words it rests on.",
    schedule=Schedule("0 */3 * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True, overflow="memory/recent/{day}-{volume}.md", capacity=300),
    run=run,
    timeout=timedelta(minutes=15),
    on_request=True,
    relink=relink,
    reading=Reading(READING, review),
)
