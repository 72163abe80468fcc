"""Extractions from the sessions of an episode for the memory of its agent."""

from collections.abc import Sequence
from itertools import chain

from jobs.reading.asking import ask_pieces
from jobs.session_facts.offline import read as read_offline
from pipeline.entries.voice.off_record import on_record
from pipeline.job import OFFLINE, Run
from schemas.session_answer import MOST_SENTENCES, SessionAnswer, SessionExtraction
from schemas.transcript import Session


def extractions(run: Run) -> list[tuple[Session, SessionExtraction]]:
    """The extraction of each session, without words that are off the record; the sentences are of its end."""
    kept = [on_record(session) for session in run.inputs.transcripts if not session.machine]
    sessions = [session for session in kept if any(message.time in run.window for message in session.conversation)]
    answers = ask_pieces(run, run.inputs.transcripts)
    return [
        (one, read_offline(one, run.window))
        if run.models.way_of(one.sources) == OFFLINE
        else (one, _join_extractions([said for question, said in answers if question.session.path == one.path]))
        for one in sessions
    ]


def _join_extractions(answers: Sequence[SessionAnswer]) -> SessionExtraction:
    facts = chain.from_iterable(answer.facts for answer in answers)
    sentences = chain.from_iterable(answer.sentences for answer in answers)
    return SessionExtraction(facts=tuple(facts), sentences=tuple(sentences)[-MOST_SENTENCES:])
