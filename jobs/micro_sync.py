"""The first layer of memory: what the owner settled in the last hours, into the day's file.

Two phases. Extract asks one question a piece of a session, which depends on the transcript alone (`jobs.reading`).
Resolve checks every answer against the session and decides what is new (`jobs.resolution`); it asks which entry
replaces which.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pipeline.drafts import Draft
from pipeline.job import OFFLINE, Job, Reading, Reads, Run, Schedule, Target
from schemas.correction import is_correction
from schemas.entry import Entry
from schemas.transcript import Origin, Session

if TYPE_CHECKING:
    from jobs.reading.asking import PieceQuestion
    from schemas.extraction import Candidate

READING = 7
"""The version of the reading without a model, with its line, and of whose words are whose.

It is raised when what was written before would not be written any more: then `memory doctor` offers `memory suggestions
review`.
"""


def run(run: Run) -> Sequence[Draft]:
    """Drafts for what the owner confirmed inside the window, or for what a person accepted or corrected; else none."""
    from jobs.resolution.recorded import add_proven
    from jobs.resolution.resolving import accept, correct, resolve

    if run.request:
        return correct(run) if is_correction(run.request) else accept(run)
    return resolve(run, add_proven(run.inputs.transcripts, [*_read_with_model(run), *_offline(run)]))


def relink(run: Run) -> Sequence[Entry]:
    """The entries of which today's judgement would not make a link, with the links that it makes instead."""
    from jobs.resolution.relinking import relink_entries

    return relink_entries(run)


def review(run: Run) -> Mapping[str, str]:
    """The entries of a run that today's reading would not write, by id, with the reason."""
    from jobs.resolution.recorded import add_proven
    from jobs.resolution.reviewing import objections

    return objections(run, add_proven(run.inputs.transcripts, _offline(run)))


def _read_with_model(run: Run) -> "list[tuple[Session, Candidate]]":
    """The candidates that a model reads, each with the session up to the end of its piece, and what it may not miss."""
    from jobs.reading.asking import ask_pieces

    answers = ask_pieces(run, run.inputs.transcripts)
    asked_for = [wish for piece, _ in answers for wish in _wishes(piece)]
    return [*((piece.session, candidate) for piece, answer in answers for candidate in answer.candidates), *asked_for]


def _wishes(question: "PieceQuestion") -> "Iterator[tuple[Session, Candidate]]":
    """The owner's wishes to remember in a piece: code reads them too, so that no answer of a model can lose them."""
    from jobs.extraction import wishes
    from schemas.extraction import Conversation

    session, first, last = question.session, question.first, question.last
    whole = Conversation(session_id=session.session_id, first_new=first, messages=session.conversation)
    yield from ((session, wish) for wish in wishes(whole) if wish.quote_number <= last)


def _offline(run: Run) -> "list[tuple[Session, Candidate]]":
    """The candidates of the sessions that no model reads."""
    from jobs.resolution.recorded import add_picks

    sessions = [session for session in run.inputs.transcripts if run.models.way_of(session.sources) == OFFLINE]
    read = [read for session in sessions if not session.machine for read in _read_offline(session)]
    return list(add_picks(sessions, read))


def _read_offline(session: Session) -> "Iterator[tuple[Session, Candidate]]":
    from jobs.extraction import extract_with_doubts
    from pipeline.entries.voice.off_record import on_record
    from schemas.extraction import Conversation

    for piece in session.pieces:
        seen = on_record(session.before(piece.end))
        said = seen.conversation
        new = [message for message in said if message.time in piece]
        if any(message.origin is Origin.OWNER for message in new):
            whole = Conversation(session_id=session.session_id, first_new=new[0].number, messages=said)
            numbers = {message.number for message in new}
            candidates = extract_with_doubts(whole).candidates
            yield from ((seen, candidate) for candidate in candidates if candidate.quote_number in numbers)


JOB = Job(
    name="micro_sync",
    purpose="Writes down what the owner decided, ruled or asked to remember, with the words it rests on.",
    schedule=Schedule("0 */3 * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True, overflow="memory/recent/{day}-{volume}.md", capacity=300),
    run=run,
    on_request=True,
    relink=relink,
    reading=Reading(READING, review),
)
