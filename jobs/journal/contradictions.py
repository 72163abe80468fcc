"""Which standing lines a fact of a session takes the place of, and which later line has taken its place already."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from jobs.brain.order import ordered
from jobs.facts.relations import ENDS, of_slots
from jobs.resolution import judging
from jobs.resolution.judging import PairLink, model_judge, near
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.similarity import Weights
from jobs.session_facts.claims import CheckedFact
from jobs.session_facts.offline import is_standing_order
from pipeline.agents.standing import MemoryLine
from pipeline.facts.names import EntityNames
from pipeline.job import OFFLINE, Run
from schemas.entry import Entry, Kind, Source
from schemas.memory_change import SECTIONS, BrainSection, Operation

SHOWN = 80
"""The most lines of an agent's memory in a question: those that come first in the brain."""

Judge = Callable[[CheckedFact, Sequence[MemoryLine]], list[MemoryLine]]
"""From a fact and the lines that stand to those of which the fact says that they hold no more."""


def judge_of(run: Run, facts: Sequence[CheckedFact], lines: Iterable[MemoryLine]) -> Judge:
    """The judge of a session: code, or a model that has seen what the agent knows; code for what it was not shown."""
    shown = ordered(lines)[:SHOWN] if run.background != OFFLINE and facts else []
    asked = {line.id for line in shown}
    linked = _model_judge(run, facts, shown) if shown else None

    def judge(fact: CheckedFact, standing: Sequence[MemoryLine]) -> list[MemoryLine]:
        earlier, own = [line for line in standing if line.at <= fact.claim.message.time], _of_fact(fact)
        return [
            line
            for line in earlier
            if (
                _is_end(linked(own, _of_line(line)))
                if linked and line.id in asked
                else _ends(own, _of_line(line), earlier)
            )
        ]

    return judge


def _model_judge(run: Run, facts: Sequence[CheckedFact], lines: Sequence[MemoryLine]) -> judging.Judge:
    """The judge that has shown a model all facts beside these lines; code's where the model has no answer that fits."""

    def by_code(later: Entry, earlier: Entry) -> PairLink | None:
        return PairLink(Relation.REPLACES, "") if _ends(later, earlier, lines) else None

    known = [_shown(run, _of_line(line)) for line in lines]
    ranked = [(_shown(run, _of_fact(fact)), known) for fact in facts]
    return model_judge(run, ranked, Weights(()), known=SHOWN, otherwise=by_code)


def _shown(run: Run, entry: Entry) -> Entry:
    """An entry as a model may see it: at its local time, and without secrets, for lines are text of files."""
    words = {name: run.masked(getattr(entry, name)) for name in ("title", "quote", "conclusion")}
    return entry.model_copy(update={**words, "date": entry.date.astimezone(run.now.tzinfo)})


def _is_end(link: PairLink | None) -> bool:
    return link is not None and link.kind is Relation.REPLACES


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
