"""The judgement of pairs of entries, by a model or by code. Each link has its grounds, a sentence for people."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from jobs.reading.asking import read_prompt
from jobs.resolution.relation import Relation, relation, statement, verbatim, wording, wording_with_impact
from jobs.resolution.same_thing import Weights, features, quantities, replaces, same_message
from pipeline.job import OFFLINE, Run, Task
from pipeline.language.chinese import han_runs, letter_runs
from pipeline.language.folding import flat
from schemas.entry import NOT_STATED, Entry
from schemas.links import LinkAnswer, LinkedRows, LinkQuestion, LinkRow, LinkVerdict

NEW = 10
"""The most new entries in one question."""

KNOWN = 20
"""The most known entries in one question: the most similar to each new entry, in turn."""

TEXT = 800
"""The most characters of one text of an entry in a question."""

MODEL = "the model"
"""The first words of the grounds when a model judged the pair."""

SUBJECT_WORDS = 5
"""The most words of the subject in the grounds."""

REASON = 240
"""The most characters of a model's reason, or of the owner's words."""

_CLAUSE = re.compile(r"[.,](?!\d)|[;()\n\u2014\u3001\u3002\uff08\uff09\uff0c\uff1b]")

_OWN_FOLDERS = "~/."  # of agents: what is said there may be about any project

_RELATIONS = {
    LinkVerdict.REPLACES: Relation.REPLACES,
    LinkVerdict.REPLACES_PART: Relation.REPLACES_PART,
    LinkVerdict.SAME: Relation.REPEATS,
    LinkVerdict.NARROWS: None,
}

_VERDICTS = {relation: verdict for verdict, relation in _RELATIONS.items()}

Ranked = tuple[Entry, Sequence[Entry]]
"""A new entry, and the entries that it may be linked to, the most similar first."""


@dataclass(frozen=True)
class PairLink:
    """The relation of a later entry to an earlier entry, and its grounds."""

    kind: Relation
    grounds: str


LinkOf = Callable[[Entry, Entry], PairLink | None]
"""From a later and an earlier entry to their link; `None` where there is none."""


@dataclass(frozen=True)
class Judge:
    """The links of later entries to earlier entries.

    `refused` is the number of links in a model's answers that cannot be: of rows that were not shown, or may not be
    linked.
    """

    link_of: LinkOf
    refused: int = 0


def code_judge(weights: Weights) -> Judge:
    """The judge that needs no model."""
    return Judge(partial(_by_code, weights))


def _by_code(weights: Weights, later: Entry, earlier: Entry) -> PairLink | None:
    kind = relation(later, earlier, weights)
    return PairLink(kind, code_grounds(later, earlier, kind)) if kind else None


def judge_of(run: Run, weights: Weights, ranked: Callable[[], Iterable[Ranked]]) -> Judge:
    """The judge of a run; `ranked` are the entries to ask its model about, where it has a model."""
    return code_judge(weights) if run.models.background == OFFLINE else model_judge(run, list(ranked()), weights)


def model_judge(
    run: Run,
    ranked: Sequence[Ranked],
    weights: Weights,
    *,
    known: int = KNOWN,
    otherwise: LinkOf | None = None,
) -> Judge:
    """The judge that has asked models, and links only pairs of `ranked` that a question showed.

    A question has at most `NEW` new and `known` known entries. A pair with two verdicts has none. Where a model gives
    no answer that fits, `otherwise` judges, if that is given. Code judges the pairs that no model may see together.
    """
    sources = {
        member.id: run.models.sources_of_entry(member) for entry, others in ranked for member in (entry, *others)
    }
    parts = [(name, frozenset(ids)) for name, ids in run.models.by_reader(sources)]
    shown = list[_LinkRows]()
    for name, ids in parts:
        part = [(entry, [other for other in others if other.id in ids]) for entry, others in ranked if entry.id in ids]
        shown += [_LinkRows(name, part[start : start + NEW], known) for start in range(0, len(part), NEW)]
    shown = [question for question in shown if question.pairs]
    masked = run.models.masked
    answers = run.models.ask([question.task(otherwise, sources, masked) for question in shown]) if shown else []
    read = [question.read_answer(answer) for question, answer in zip(shown, answers, strict=True)]
    links = {
        pair: PairLink(kind, model_grounds(question.name, judged))
        for question, (verdicts, _) in zip(shown, read, strict=True)
        for pair, judged in verdicts.items()
        if (kind := _RELATIONS.get(judged.verdict))
    }
    pairs = {_later_first(entry, other) for entry, others in ranked for other in others}
    apart = {pair for pair in pairs if not any(ids.issuperset(pair) for _, ids in parts)}
    by_code = otherwise or partial(_by_code, weights)

    def link_of(later: Entry, earlier: Entry) -> PairLink | None:
        pair = later.id, earlier.id
        return by_code(later, earlier) if pair in apart else links.get(pair)

    return Judge(link_of, sum(refused for _, refused in read))


class _LinkRows:
    """The entries of a question as rows: `n1`, `n2` ... are new, `k1`, `k2` ... are known; each in order of time.

    `name` is that of the model that is asked.
    """

    def __init__(self, name: str, ranked: Sequence[Ranked], most: int) -> None:
        self.name = name
        new = {entry.id: entry for entry, _ in ranked}
        known = _take_in_turn([[other for other in others if other.id not in new] for _, others in ranked], most)
        open_to = [(entry, other) for entry, others in ranked for other in others if other.id in new | known]
        self.pairs = {_later_first(*pair) for pair in open_to if not same_message(*pair)}
        paired = {entry_id for pair in self.pairs for entry_id in pair}
        self._new = _rows("n", (entry for entry in new.values() if entry.id in paired))
        self._known = _rows("k", (entry for entry in known.values() if entry.id in paired))

    def task(
        self, otherwise: LinkOf | None, sources: Mapping[str, frozenset[str]], masked: Callable[[str], str]
    ) -> Task[LinkAnswer]:
        """The question; it has to be answered, unless there is a judge `otherwise`. `sources` are those of entries."""
        return Task(
            "micro_sync_links",
            read_prompt("micro_sync_links"),
            LinkQuestion(
                known=tuple(_row(ref, entry, masked) for ref, entry in self._known.items()),
                new=tuple(_row(ref, entry, masked) for ref, entry in self._new.items()),
            ),
            LinkAnswer,
            partial(self._answer_offline, otherwise),
            frozenset().union(*(sources[entry.id] for entry in (self._new | self._known).values())),
            background=True,
            optional=otherwise is not None,
        )

    def _answer_offline(self, link_of: LinkOf | None) -> LinkAnswer:
        """The answer of a judge that needs no model."""
        refs = {entry.id: (ref, entry) for ref, entry in (self._new | self._known).items()}
        links = [
            LinkedRows(later=later, earlier=earlier, verdict=_VERDICTS[link.kind])
            for (later, new), (earlier, known) in ((refs[pair[0]], refs[pair[1]]) for pair in sorted(self.pairs))
            if link_of and (link := link_of(new, known))
        ]
        return LinkAnswer(links=tuple(links))

    def read_answer(self, answer: LinkAnswer) -> tuple[dict[tuple[str, str], LinkedRows], int]:
        """The verdicts on the pairs, by their ids, and the number of refused links."""
        entries = self._new | self._known
        verdicts: dict[tuple[str, str], list[LinkedRows]] = defaultdict(list)
        for named in answer.links:
            later, earlier = entries.get(named.later.strip()), entries.get(named.earlier.strip())
            pair = (later.id, earlier.id) if later and earlier else ("", "")
            if later and earlier and later.moment == earlier.moment and pair not in self.pairs:
                pair = pair[::-1]
            verdicts[pair if pair in self.pairs else ("", "")].append(named)
        refused = verdicts.pop(("", ""), [])
        agreed = {pair: named[0] for pair, named in verdicts.items() if len({row.verdict for row in named}) == 1}
        return agreed, len(refused)


def _take_in_turn(ranked: Sequence[Sequence[Entry]], most: int) -> dict[str, Entry]:
    """The first of each list, then the second of each, up to a number of entries."""
    nearest: dict[str, Entry] = {}
    for row in zip_longest(*ranked):
        for entry in row:
            if entry and len(nearest) < most:
                nearest[entry.id] = entry
    return nearest


def _later_first(entry: Entry, other: Entry) -> tuple[str, str]:
    """The ids of the later and the earlier entry; of two entries of one moment the new `entry` is the later."""
    return (other.id, entry.id) if other.moment > entry.moment else (entry.id, other.id)


def _rows(letter: str, entries: Iterable[Entry]) -> dict[str, Entry]:
    ordered = sorted(entries, key=lambda entry: (entry.moment, entry.id))
    return {f"{letter}{number}": entry for number, entry in enumerate(ordered, start=1)}


def _row(ref: str, entry: Entry, masked: Callable[[str], str]) -> LinkRow:
    """The row of an entry, without secrets: a person may have written its words into a file."""
    return LinkRow(
        ref=ref,
        time=f"{entry.moment:%Y-%m-%d %H:%M}",
        kind=entry.kind,
        project="" if entry.project.startswith(_OWN_FOLDERS) else entry.project,
        title=masked(entry.title)[:TEXT],
        quote=masked(entry.quote)[:TEXT],
        conclusion=masked(entry.conclusion)[:TEXT],
        finding="" if entry.finding == NOT_STATED else masked(entry.finding)[:TEXT],
    )


def code_grounds(later: Entry, earlier: Entry, kind: Relation) -> str:
    """The grounds of a link that code makes."""
    shared = features(statement(later)) & features(statement(earlier))
    words = dict.fromkeys(word for word in letter_runs(flat(statement(later))) if features(word) & shared)
    pairs = sorted(feature for feature in shared if not letter_runs(feature))
    subject = ", ".join([*words, *pairs][:SUBJECT_WORDS])
    if kind is Relation.REPEATS:
        same = "the same words" if "" != verbatim(later) == verbatim(earlier) else f"the same subject ({subject})"
        return f"{same}, and nothing that changes it"
    part = "a part of it: " if kind is Relation.REPLACES_PART else ""
    if clause := _announcing_clause(later.quote):
        return f'{part}the owner says that it changes: "{clause}"'
    if slot := next(_changed_units(later, earlier), ""):
        return f"{part}the same subject ({subject}) with another value: {slot}"
    if clause := _announcing_clause(wording_with_impact(later)):
        return f'{part}it is put down as a change: "{clause}"'
    return f"{part}the same subject ({subject}), once with and once without a denial"


def model_grounds(name: str, judged: LinkedRows) -> str:
    """The grounds of a link that a model judged."""
    reason = " ".join(judged.reason.split())[:REASON]
    return f"{MODEL} {name} judged `{judged.verdict}`" + (f": {reason}" if reason else "")


def _announcing_clause(text: str) -> str:
    """The first clause with words of replacement, else the whole text when it has them; else empty."""
    clauses = (" ".join(clause.split()) for clause in (*_CLAUSE.split(text), text))
    return next((clause[:REASON] for clause in clauses if replaces(clause)), "")


def _changed_units(later: Entry, earlier: Entry) -> Iterator[str]:
    """The units of both entries whose values differ, with the values before and now."""
    now, before = quantities(wording(later)), quantities(wording(earlier))
    for unit in sorted(now.keys() & before.keys()):
        if not now[unit] & before[unit]:
            name = f" {unit}" if unit == "%" or han_runs(unit) else ""  # else it is but the beginning of a word
            yield f"{'/'.join(sorted(before[unit]))}{name}, now {'/'.join(sorted(now[unit]))}{name}"
