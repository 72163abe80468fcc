"""Pairs of entries that a model judges: what it is asked, and what comes of its answers."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from jobs.micro_sync import JOB
from jobs.resolution import resolve
from jobs.resolution.grounds import MODEL
from pipeline.drafts import EntryDraft
from pipeline.job import Answer, Run, Task
from pipeline.ports.engine import Question
from pipeline.reports.entries import list_entries
from pipeline.testing.memory_source import conversation
from pipeline.testing.scripted_model import ScriptedModel
from pipeline.testing.shown_rows import read_shown
from schemas.entry import Entry, Kind
from schemas.extraction import Candidate
from schemas.links import LinkJudgement, LinkQuestion, LinkVerdict
from schemas.session_answer import SessionAnswer
from schemas.window import Window
from tests.support.workspaces.workbench import MORNING, Workbench, endings

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SAME, REPLACES, _PART, NARROWS, DIFFERENT = LinkVerdict

LABELLED = [
    ("The bike shed opens at seven in the morning.", "From May the bike shed opens at six in the morning.", REPLACES),
    ("The choir rehearses in the old chapel.", "The choir leaves the old chapel for the school hall.", REPLACES),
    ("Guests of the hut pay 40 euro a night.", "Guests of the hut who are under ten pay 20 euro.", NARROWS),
    ("The blue kiln is fired on Mondays.", "The small kiln is fired on Mondays too.", DIFFERENT),
    ("No phone is used at the workshop table.", "Again: no phone at the workshop table.", SAME),
    ("Warsztat przyjmuje rowery do osiemnastej.", "Warsztat przyjmuje rowery do siedemnastej.", REPLACES),
    ("Chleb żytni pieczemy w piątki.", "Chleb żytni pieczemy w piątki, tak jak było.", SAME),
    ("Czynsz za salę dużą płaci chór.", "Czynsz za salę małą płaci teatr.", DIFFERENT),
    ("Nikt nie wchodzi do sali bez butów na zmianę.", "Do sali w sobotę wchodzą goście bez butów.", NARROWS),
    ("茶室每天九点开门。", "茶室每天改到八点开门。", REPLACES),
    ("仓库钥匙放在前台。", "仓库钥匙还是放在前台。", SAME),
    ("床位 95 元一晚。", "床位改成 99 元一晚。", REPLACES),
    ("红色花盆每周浇水一次。", "蓝色花盆每周浇水一次。", DIFFERENT),
]


class Scripted:
    """A model that judges the pairs of the labelled set as they are labelled, and keeps what it was asked."""

    def __init__(self) -> None:
        self.verdicts = {(earlier, later): verdict for earlier, later, verdict in LABELLED}
        self.asked: list[LinkQuestion] = []
        self.prompts: set[str] = set()

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        """The judgement of each pair."""
        questions = [cast("LinkQuestion", task.input) for task in tasks]
        self.asked += questions
        self.prompts |= {task.prompt for task in tasks}
        return [cast("Answer", self._judged(question)) for question in questions]

    def _judged(self, question: LinkQuestion) -> LinkJudgement:
        verdict = self.verdicts.get((question.earlier.quote, question.later.quote), DIFFERENT)
        return LinkJudgement(verdict=verdict, reason="as\n labelled")


def ruled(text: str, number: int = 1) -> Candidate:
    """A rule that the owner stated with exactly these words."""
    return Candidate(kind=Kind.RULE, title=text, quote=text, quote_number=number, conclusion=text, confidence=0.9)


def written(model: Scripted, texts: Sequence[str], known: Sequence[Entry] = (), day: int = 0) -> list[Entry]:
    """The entries of a run in which the owner says each text in a session of its own, on a day."""
    sessions = [
        conversation(f"s{day}-{place}", START + timedelta(days=day, minutes=place), [("owner", text)])
        for place, text in enumerate(texts)
    ]
    candidates = [ruled(text) for text in texts]
    window = Window(start=START, end=START + timedelta(days=60))
    run = Run(
        "k",
        window,
        START.date(),
        window.end,
        (),
        (),
        tuple(known),
        frozenset(),
        model,
        way="scripted",
        background="scripted",
    )
    drafts = resolve(run, zip(sessions, candidates, strict=True))
    return [draft.entry for draft in drafts if isinstance(draft, EntryDraft)]


@pytest.mark.parametrize(("earlier", "later", "verdict"), LABELLED)
def test_a_link_is_what_the_model_judged(earlier: str, later: str, verdict: LinkVerdict) -> None:
    """In three languages: what replaces and what repeats is linked, with the reason; what narrows is not."""
    model = Scripted()
    (old,) = written(model, [earlier])
    (new,) = written(model, [later], [old], day=9)

    assert [(earlier, later)] == [(asked.earlier.quote, asked.later.quote) for asked in model.asked]
    assert new.supersedes == ((old.id,) if verdict is REPLACES else ())
    assert new.reinforces == ((old.id,) if verdict is SAME else ())
    linked = verdict in {REPLACES, SAME}
    assert new.grounds == (f"{MODEL} scripted judged `{verdict.value}`: as labelled" if linked else "")


def test_all_pairs_of_a_run_are_asked_about_at_once() -> None:
    """Each with the same instructions, which a server can keep; and no pair of two things that share no matter."""
    model = Scripted()
    known = written(model, [earlier for earlier, _, _ in LABELLED])
    model.asked.clear()
    written(model, [later for _, later, _ in LABELLED], known, day=9)
    pairs = {(asked.earlier.quote, asked.later.quote) for asked in model.asked}

    assert {(earlier, later) for earlier, later, _ in LABELLED} <= pairs
    assert len(pairs) == len(model.asked) < 2 * len(LABELLED)
    assert len(model.prompts) == 1


def test_a_late_entry_gives_way_to_what_the_model_judged_its_successor() -> None:
    """The pair is asked about in time order, whichever of the two is written first."""
    model = Scripted()
    earlier, later, _ = LABELLED[0]
    (new,) = written(model, [later], day=9)
    (old,) = written(model, [earlier], [new])

    assert (old.superseded_by, old.grounds != "") == ((new.id,), True)
    assert [(earlier, later)] == [(asked.earlier.quote, asked.later.quote) for asked in model.asked]


def test_two_of_one_answer_are_not_asked_about() -> None:
    """What a reader lists of one session holds at its end: neither replaces the other."""
    model = Scripted()
    earlier, later, _ = LABELLED[0]
    talk = conversation("one", START, [("owner", earlier), ("owner", later)])
    proposals = [(talk, ruled(earlier, 1)), (talk, ruled(later, 2))]
    window = Window(start=START, end=START + timedelta(days=60))
    run = Run(
        "k", window, START.date(), window.end, (), (), (), frozenset(), model, way="scripted", background="scripted"
    )
    entries = [draft.entry for draft in resolve(run, proposals) if isinstance(draft, EntryDraft)]

    assert ([(), ()], []) == ([entry.supersedes for entry in entries], model.asked)


def test_a_model_that_fails_to_judge_leaves_the_run_waiting(new_bench: NewBench) -> None:
    """As where it fails to read: nothing is written, and the time stays due; given up, code judges."""

    def answer(question: Question) -> SessionAnswer:
        if question.name != "session":
            ScriptedModel.failing().answer(question)
        given = read_shown(question.input)
        new = [one for one in given.messages if one.number >= given.first_new]
        return SessionAnswer(entries=tuple(ruled(one.text, one.number) for one in new))

    bench: Workbench = new_bench(jobs=(JOB,), model=ScriptedModel(answer))
    for place, text in enumerate(("loki keeps its logs for 30 days", "loki keeps its logs for 14 days")):
        bench.say(conversation(f"s{place}", MORNING + timedelta(hours=4 * place), [("owner", text)]))
    outcomes = bench.run_due()

    assert "waiting" in endings(outcomes)
    assert ["loki keeps its logs for 30 days"] == [place.entry.title for place in list_entries(bench.engine)]
