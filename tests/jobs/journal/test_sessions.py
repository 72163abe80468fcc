"""The lines of an agent's memory that a fact of a session ends."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.facts.relations import ENDS, slot_relation
from jobs.journal.sessions import judge_of
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.same_thing import Weights
from jobs.session_facts.claims import CheckedFact, check_facts
from pipeline.agents.standing import MemoryLine, stand
from pipeline.facts.names import EntityNames
from schemas.entry import Entry, Kind, Source
from schemas.memory_change import SECTIONS, BrainSection, ChangeWord, MemoryChange, Operation
from schemas.session_answer import SessionFact
from schemas.window import Window
from tests.support.builders.job_run import job_run
from tests.support.marks import examples
from tests.support.ports.memory_source import conversation

AT = datetime(2026, 3, 4, 11, 5, tzinfo=UTC)
RUN = job_run(Window(start=AT - timedelta(hours=1), end=AT + timedelta(hours=1)))
KINDS = {BrainSection.USER: Kind.REMEMBER, BrainSection.PREFERENCES: Kind.RULE}
SAYINGS = st.sampled_from(
    (
        *("I live in Porto", "I live in Lisbon now", "I don't live in Porto any more", "Teraz mieszkam w Krakowie"),
        *(
            "the access logs are kept for 14 days",
            "keep the access logs for 30 days",
            "the invoices are kept for 30 days",
        ),
        *("the rent is 40 euro", "the rent is now 55 euro", "never deploy on friday", "from now on deploy on friday"),
    )
)
ADDED = st.sampled_from((Operation.CORE, Operation.PREFERENCE, Operation.DECISION))
CHANGES = st.lists(st.tuples(ADDED, SAYINGS, st.integers(-3, 3)), max_size=8)


@settings(max_examples=examples(60))
@given(CHANGES, CHANGES, ADDED, SAYINGS)
def test_a_fact_ends_what_a_comparison_with_all_lines_finds(
    before: list[tuple[Operation, str, int]],
    rows: list[tuple[Operation, str, int]],
    operation: Operation,
    said: str,
) -> None:
    """No line is passed over, whichever lines the judge has seen before; a line of later words is never ended."""
    checked = _checked(operation, said)
    judge = judge_of(RUN, [checked], ())
    judge(checked, _lines(before))

    lines = _lines(rows)
    earlier = [line for line in lines if line.at <= AT]
    expected = [line for line in earlier if _ends(checked, line, earlier)]
    assert expected == judge(checked, lines)


def _lines(rows: Sequence[tuple[Operation, str, int]]) -> list[MemoryLine]:
    changes = [
        MemoryChange(
            id=f"j-0000000{number}",
            operation=operation,
            text=text,
            at=AT + timedelta(days=days),
            word=ChangeWord.OWNER,
            quote=text,
            session_id=f"s-{number}",
            number=1,
        )
        for number, (operation, text, days) in enumerate(rows)
    ]
    return list(stand(changes).lines.values())


def _checked(operation: Operation, said: str) -> CheckedFact:
    session = conversation("now", AT, [("owner", said)])
    fact = SessionFact.model_validate(
        {"operation": operation, "text": said, "quote": said, "quote_number": 1, "confidence": 0.9}
    )
    [checked] = check_facts(RUN, session, [fact])
    assert isinstance(checked, CheckedFact)
    return checked


def _ends(checked: CheckedFact, line: MemoryLine, lines: Sequence[MemoryLine]) -> bool:
    own = _entry(checked.fact.text, SECTIONS[checked.fact.operation], "now", AT)
    other = _entry(line.text, line.section, line.change.session_id if line.change else "", line.at)
    slots = slot_relation(EntityNames(), own.quote, other.quote)
    weights = Weights((one.text for one in lines), more=(statement(own), statement(other)))
    return slots in ENDS if slots else relation(own, other, weights) is Relation.REPLACES


def _entry(text: str, section: BrainSection, session: str, at: datetime) -> Entry:
    standing = text.startswith(("never", "from now on")) and section is not BrainSection.USER
    return Entry(
        id=f"{session} {text}",
        title=text,
        kind=Kind.RULE if standing else KINDS.get(section, Kind.DECISION),
        date=at,
        source=Source(session_id=session, session_path="", message_range=(1, 1), entry_ids=(f"{session} 1",)),
        quote=text,
        conclusion=text,
        confidence=1.0,
    )
