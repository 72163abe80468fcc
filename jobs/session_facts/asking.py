"""Extractions from the sessions of an episode for the memory of its agent."""

from jobs.reading.asking import ask_pieces
from jobs.session_facts.offline import read as read_offline
from pipeline.entries.voice.off_record import on_record
from pipeline.job import OFFLINE, Run
from schemas.session_answer import MOST_SENTENCES, SessionExtraction
from schemas.transcript import Session


def extractions(run: Run) -> list[tuple[Session, SessionExtraction]]:
    """The extraction of each session, without words that are off the record; the sentences are of its end."""
    kept = [on_record(session) for session in run.inputs.transcripts if not session.machine]
    sessions = [session for session in kept if any(message.time in run.window for message in session.conversation)]
    answers = ask_pieces(run, run.inputs.transcripts)
    extracted = list[tuple[Session, SessionExtraction]]()
    for one in sessions:
        if run.models.way_of(one.sources) == OFFLINE:
            extracted.append((one, read_offline(one, run.window)))
        else:
            own = [answer for question, answer in answers if question.session.path == one.path]
            facts = tuple(fact for answer in own for fact in answer.facts)
            sentences = tuple(sentence for answer in own for sentence in answer.sentences)
            extracted.append((one, SessionExtraction(facts=facts, sentences=sentences[-MOST_SENTENCES:])))
    return extracted
