"""What becomes of labelled sentences in three languages, each the only message of the owner in a session."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jobs.session_facts.claims import read
from jobs.voice.forgetting import clears, forgotten_facts
from pipeline.entries.voice.off_record import on_record
from schemas.memory_change import Operation
from schemas.transcript import Origin, Session
from schemas.window import Window
from tests.support.ports.memory_source import conversation

FILE = Path(__file__).parent / "labelled.txt"
"""A line is a kind and a sentence; with a `?` behind the kind, a known miss. Who asks to see the memory changes nothing
by that: this kind is obeyed elsewhere, as `none` is nowhere."""
AT = datetime(2026, 3, 3, 8, tzinfo=UTC)
WINDOW = Window(start=AT, end=AT + timedelta(hours=1))
OBEYED = {"remember", "forget", "clear", "off_record"}


def heard(said: str) -> Iterator[str]:
    """What is obeyed of a sentence, by kind."""
    session: Session = conversation("s", AT, [("owner", said), ("assistant", "OK.")])
    kept = on_record(session)
    if not any(message.origin is Origin.OWNER for message in kept.messages):
        yield "off_record"
    yield from ("clear" if clears(fact.quote) else "forget" for fact in forgotten_facts(kept, WINDOW))
    for fact in read(kept, WINDOW).facts:
        yield "remember" if fact.operation is Operation.CORE else str(fact.operation)


def test_what_is_obeyed() -> None:
    """All wrong rows are listed; a known miss that is obeyed by now is wrong too, as its mark is."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    wrong = []
    for kind, said in (line.split(" | ") for line in lines):
        obeyed = [kind] if kind in OBEYED else []
        if obeyed != (got := list(heard(said))):
            wrong.append(f"{kind} | {said} | {got}")
    assert [] == wrong
