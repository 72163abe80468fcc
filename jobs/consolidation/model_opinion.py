"""The questions to a model about a week, in parts of limited size, and the trusted part of its answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from jobs.consolidation.inputs import Material
from jobs.consolidation.page import SUBJECT
from jobs.consolidation.plan_page import plain_text
from jobs.consolidation.relations import Tie
from jobs.reading.asking import read_prompt
from jobs.resolution.judging import model_judge
from jobs.resolution.linking import EntryPair, proposals
from jobs.resolution.relation import statement
from jobs.resolution.same_thing import Weights
from pipeline.job import Run, Task
from pipeline.language.tokens import count_tokens
from schemas.entry import Entry
from schemas.judgement import Judged, Judgement, ModelQuestion, Worth

TOKENS = 12_000
"""The most tokens of the entries in one question."""

CONTEXT = 4_000
"""The part of `TOKENS` for hot entries, which every question repeats, to be compared with the new ones."""

TEXT = 600
"""The most characters of a conclusion in a question."""

WHY = 160
"""The most characters of a model's reason in a plan."""


@dataclass(frozen=True)
class Opinion:
    """The trusted part of a model's judgement. `value` is 0 to 1 and `subject` a heading, each by entry id.

    `ties` are the pairs that it judged; `None` when code has to judge them.
    """

    value: Mapping[str, float]
    subject: Mapping[str, str]
    ties: tuple[Tie, ...] | None


NO_OPINION = Opinion({}, {}, None)
"""The opinion without a model."""


def consult(run: Run, material: Material) -> Opinion:
    """The opinion of models on new and hot entries, each of those that it may see.

    The pairs that they name, and those that code proposes, are judged once more, as `micro_sync` has them judged.
    """
    ids = {material.reference(entry_id): entry_id for entry_id in material.noted}
    asked = [entry_id for entry_id in dict.fromkeys((*material.hot, *material.fresh)) if material.is_active(entry_id)]
    sources = {entry_id: run.models.sources_of_entry(material.entries[entry_id]) for entry_id in asked}
    questions = [
        question
        for _, part in run.models.by_reader(sources)
        for question in _questions(
            material.last_day,
            [_judged_entry(run, material, entry_id) for entry_id in part if entry_id in material.hot],
            [_judged_entry(run, material, entry_id) for entry_id in part if entry_id not in material.hot],
        )
    ]
    readable = [
        frozenset[str]().union(*(sources[ids[entry.id]] for entry in question.entries)) for question in questions
    ]
    prompt = read_prompt("weekly_plan")
    tasks = [
        Task("weekly_plan", prompt, question, Judgement, Judgement, names, background=True)
        for question, names in zip(questions, readable, strict=True)
    ]
    worth: dict[str, Worth] = {}
    pairs = list[EntryPair]()
    for question, answer in zip(questions, run.models.ask(tasks) if tasks else (), strict=True):
        named = {judged.id: ids[judged.id] for judged in question.entries}
        for rated in answer.worth:
            if rated.id in named:
                worth.setdefault(named[rated.id], rated)
        pairs += _named_pairs(answer, {shown: material.entries[entry_id] for shown, entry_id in named.items()})
    subjects = {
        name: subject for name, rated in worth.items() if (subject := plain_text(rated.subject)[:SUBJECT].strip())
    }
    values = {name: rated.value for name, rated in worth.items()}
    return Opinion(values, subjects, tuple(_judge_pairs(run, material, pairs)))


def _questions(today: date, hot: Sequence[Judged], new: Sequence[Judged]) -> Iterator[ModelQuestion]:
    """Questions that together have all entries; all begin with the same hot ones, up to `CONTEXT` tokens."""
    context, size, asked = list[Judged](), 0, list[Judged]()
    for judged in hot:
        tokens = _count_judged(judged)
        fits = not asked and size + tokens <= CONTEXT
        (context if fits else asked).append(judged)
        size += tokens if fits else 0
    piece, used = list(context), size
    for judged in (*asked, *new):
        tokens = _count_judged(judged)
        if used + tokens > TOKENS and len(piece) > len(context):
            yield ModelQuestion(today=today.isoformat(), entries=tuple(piece))
            piece, used = list(context), size
        piece.append(judged)
        used += tokens
    if piece:
        yield ModelQuestion(today=today.isoformat(), entries=tuple(piece))


def _judge_pairs(run: Run, material: Material, named: Sequence[EntryPair]) -> Iterator[Tie]:
    """The ties of new entries with each other and with all that hold, as far as a model names or code proposes them."""
    fresh = frozenset(material.fresh)
    holding = [entry for entry_id, entry in material.entries.items() if material.is_active(entry_id)]
    new = [entry for entry in holding if entry.id in fresh]
    ranked = proposals(new, [entry for entry in holding if entry.id not in fresh], named)
    entries = {member.id: member for entry, others in ranked for member in (entry, *others)}
    judge = model_judge(run, ranked, Weights(map(statement, entries.values())))
    for later, others in ranked:
        for earlier in others:
            if link := judge.link_of(later, earlier):
                yield Tie(later.id, earlier.id, link.kind, plain_text(link.grounds)[:WHY])


def _named_pairs(answer: Judgement, named: Mapping[str, Entry]) -> Iterator[EntryPair]:
    """The pairs that a model named, in time."""
    for pair in (*answer.same, *answer.contradictions):
        if pair.later in named and pair.earlier in named and pair.later != pair.earlier:
            pairs = named[pair.earlier], named[pair.later]
            earlier, later = sorted(pairs, key=lambda entry: (entry.moment, entry.id))
            yield later, earlier


def _judged_entry(run: Run, material: Material, entry_id: str) -> Judged:
    """An entry for a model, without secrets: a person may have written its words into a file."""
    entry, masked = material.entries[entry_id], run.models.masked
    return Judged(
        id=material.reference(entry_id),
        kind=entry.kind,
        date=f"{entry.date:%Y-%m-%d}",
        title=masked(entry.title)[:TEXT],
        conclusion=masked(entry.conclusion)[:TEXT],
        hot=entry_id in material.hot,
    )


def _count_judged(judged: Judged) -> int:
    return count_tokens(judged.model_dump_json())
