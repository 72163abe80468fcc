"""Which standing lines a fact of a session takes the place of, and which later line has taken its place already."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache, partial
from importlib.resources import files

from jobs.brain.order import ordered
from jobs.facts.relations import ENDS, of_slots
from jobs.resolution.judging import near
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.similarity import Weights
from jobs.session_facts.claims import CheckedFact
from jobs.session_facts.offline import is_standing_order
from pipeline.agents.standing import MemoryLine
from pipeline.facts.names import EntityNames
from pipeline.job import OFFLINE, Run, Task
from schemas.brain_question import MOST_REPLACED, BrainAnswer, BrainLine, BrainQuestion, NewFact, ReplacedLine
from schemas.entry import Entry, Kind, Source
from schemas.memory_change import SECTIONS, BrainSection, Operation

SHOWN = 80
"""The most lines of an agent's memory in a question: those that come first in the brain."""

Judge = Callable[[CheckedFact, Sequence[MemoryLine]], list[MemoryLine]]
"""From a fact and the lines that stand to those of which the fact says that they hold no more."""


def judge_of(run: Run, facts: Sequence[CheckedFact], lines: Iterable[MemoryLine]) -> Judge:
    """The judge of a session: code, or a model that has seen what the agent knows; code for what it was not shown."""
    shown = ordered(lines)[:SHOWN] if run.background != OFFLINE and facts else []
    named = _ask_model(run, facts, shown) if shown else frozenset()
    asked = {line.id for line in shown}

    def judge(fact: CheckedFact, standing: Sequence[MemoryLine]) -> list[MemoryLine]:
        earlier = [line for line in standing if line.at <= fact.claim.message.time]
        identity = fact.claim.identity
        return [
            line
            for line in earlier
            if ((identity, line.id) in named if line.id in asked else _ends(_of_fact(fact), _of_line(line), earlier))
        ]

    return judge


def outdated_by(fact: CheckedFact, lines: Iterable[MemoryLine]) -> bool:
    """Whether what was said later, and written down before, has taken the place of a fact."""
    own = _of_fact(fact)
    later = [line for line in lines if line.at > fact.claim.message.time]
    return any(_ends(_of_line(line), own, later) for line in later)


def _ends(later: Entry, earlier: Entry, among: Sequence[MemoryLine]) -> bool:
    """Whether code tells that of two sayings the later one ends the earlier one."""
    slots = of_slots(EntityNames(), later.quote, earlier.quote)
    if slots:
        return slots in ENDS
    weights = Weights([*(line.text for line in among), statement(later), statement(earlier)])
    return bool(near(later, [earlier], weights)) and relation(later, earlier, weights) is Relation.REPLACES


def _ask_model(run: Run, facts: Sequence[CheckedFact], lines: Sequence[MemoryLine]) -> frozenset[tuple[str, str]]:
    """The pairs of a fact, by its identity, and the id of a line that it replaces, as a model answers."""
    question = BrainQuestion(
        lines=tuple(BrainLine(id=line.id, day=f"{line.at:%Y-%m-%d}", text=run.masked(line.text)) for line in lines),
        facts=tuple(
            NewFact(
                number=number,
                day=f"{one.claim.message.time.astimezone(run.now.tzinfo):%Y-%m-%d}",
                text=one.fact.text,
                quote=one.claim.quote,
            )
            for number, one in enumerate(facts)
        ),
    )
    offline = partial(_code_answer, facts, lines)
    task = Task("agent_journal", _prompt(), question, BrainAnswer, offline, background=True, optional=True)
    [answer] = run.ask([task])
    pairs = ((pair.fact, pair.line) for pair in answer.replaced if 0 <= pair.fact < len(facts))
    return frozenset((facts[number].claim.identity, line) for number, line in pairs)


def _code_answer(facts: Sequence[CheckedFact], lines: Sequence[MemoryLine]) -> BrainAnswer:
    """The answer where the model has none that fits."""
    pairs = (
        ReplacedLine(fact=number, line=line.id)
        for number, fact in enumerate(facts)
        for line in lines
        if line.at <= fact.claim.message.time and _ends(_of_fact(fact), _of_line(line), lines)
    )
    return BrainAnswer(replaced=tuple(pairs)[:MOST_REPLACED])


@cache
def _prompt() -> str:
    return files("jobs").joinpath("agent_journal.md").read_text(encoding="utf-8")


def _of_fact(checked: CheckedFact) -> Entry:
    """A fact as the judge of links reads entries."""
    section, message = SECTIONS.get(checked.fact.operation, BrainSection.USER), checked.claim.message
    place = checked.claim.session.session_id, message.number
    return _entry(checked.claim.identity, (checked.fact.text, checked.claim.quote), section, place, message.time)


def _of_line(line: MemoryLine) -> Entry:
    """The same of a line; one without a quote counts as said by itself."""
    change = line.change
    quoted = change is not None and bool(change.quote) and change.operation is not Operation.CONFIRM
    place = (change.session_id, change.number) if change and quoted else (line.id, 0)
    return _entry(line.id, (line.text, change.quote if change and quoted else line.text), line.section, place, line.at)


def _entry(name: str, words: tuple[str, str], section: BrainSection, place: tuple[str, int], said: datetime) -> Entry:
    """The entry of a text and its quote, said at a place: a session and the number of a message."""
    text, quote = words
    session, number = place
    rule = section is BrainSection.PREFERENCES or is_standing_order(quote)
    kind = Kind.REMEMBER if section is BrainSection.USER else Kind.RULE if rule else Kind.DECISION
    source = Source(
        session_id=session, session_path="", message_range=(number, number), entry_ids=(f"{session} {number}",)
    )
    return Entry(id=name, title=text, kind=kind, date=said, source=source, quote=quote, conclusion=text, confidence=1.0)
