"""The summaries of entities' pages. Code decides what they may say; a model, where one is asked, words it.

The answer is a list of operations on sentences. Whatever it is, a sentence that rests on a fact that holds no more
goes, one that says what its facts do not say is left out and counted, and one that nothing touches stays as it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain

from jobs.bank.editing import edited
from jobs.bank.known import ordered
from jobs.bank.summary import StandingSummary, SummaryTopic, offline_summary, standing_summaries
from jobs.bank.summary_draft import SummaryDraft
from pipeline.drafts import ItemDraft, Skip
from pipeline.job import OFFLINE, Run, Task
from schemas.bank_summary import SummaryEdits

_SENTENCES = 5
"""The most sentences of a summary that a model words."""
_FACTS = 40
"""The most facts in a question: the surest."""
_NO_ANSWER = SummaryEdits()


def summaries(run: Run, topics: Sequence[SummaryTopic]) -> tuple[dict[str, ItemDraft], list[Skip]]:
    """The summaries of the long pages by the keys of their entities, and what was not done of a model's answers."""
    long = [topic for topic in topics if topic.is_long]
    if run.background == OFFLINE:
        return {topic.entity.key: offline_summary(topic) for topic in long}, []
    standing = standing_summaries(run.pages, run.removed)
    drafts = [_draft(topic, standing.get(topic.entity.key, StandingSummary())) for topic in long]
    answers = _answers(run, [draft for draft in drafts if draft.is_due])
    made = {draft.topic.entity.key: _made(draft, answers.get(draft.topic.entity.key)) for draft in drafts}
    return {key: item for key, (item, _) in made.items()}, [skip for _, skips in made.values() for skip in skips]


def _draft(topic: SummaryTopic, standing: StandingSummary) -> SummaryDraft:
    """With its facts in the order of a page, so that a change of confidence asks nothing anew."""
    return SummaryDraft(topic, standing, tuple(ordered(topic.strongest(_FACTS))))


def _answers(run: Run, drafts: Sequence[SummaryDraft]) -> dict[str, SummaryEdits]:
    """The answers about summaries, by the keys of their entities; none where no model may see a fact.

    Where several models see each a part of the facts, the sentences of all of them stand together.
    """
    tasks = [(draft.topic.entity.key, task) for draft in drafts for task in _tasks(run, draft)]
    answers = defaultdict[str, list[SummaryEdits]](list)
    for (key, _), answer in zip(tasks, run.ask([task for _, task in tasks]) if tasks else (), strict=True):
        answers[key].append(answer)
    return {
        key: _NO_ANSWER if any(one is _NO_ANSWER for one in given) else _joined(given) for key, given in answers.items()
    }


def _tasks(run: Run, draft: SummaryDraft) -> Iterator[Task[SummaryEdits]]:
    """The questions about a summary, none about facts that all hold secrets."""
    sources = {name: run.sources_of(fact.session_id) for name, fact in draft.shown.items()}
    parts = [ids for _, ids in run.by_reader(sources)]
    for ids in parts:
        question = draft.question(ids, max(1, _SENTENCES // len(parts)), run.masked)
        if question.facts:
            of_all = frozenset[str]().union(*(sources[name] for name in ids))
            yield Task(
                "entity_pages", _prompt(), question, SummaryEdits, _no_answer, of_all, background=True, optional=True
            )


def _joined(answers: Sequence[SummaryEdits]) -> SummaryEdits:
    return SummaryEdits(operations=tuple(chain.from_iterable(answer.operations for answer in answers)))


def _made(draft: SummaryDraft, answer: SummaryEdits | None) -> tuple[ItemDraft, Sequence[Skip]]:
    """A summary, and what was not done of the answer about it. Without an answer, the next run asks again."""
    if answer is None or answer is _NO_ANSWER:
        return draft.render(draft.valid, draft.standing.worded), [] if answer is None else [Skip("not_worded")]
    sentences, skips = edited(answer, draft, _SENTENCES)
    return draft.render(sentences, draft.mark), skips


def _no_answer() -> SummaryEdits:
    """What stands for an answer where there is none: the sentences stay as far as they hold."""
    return _NO_ANSWER


@cache
def _prompt() -> str:
    return files("jobs").joinpath("entity_pages.md").read_text(encoding="utf-8")
