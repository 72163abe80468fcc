"""The items of the page that an agent reads first, and the entries without room on it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from hashlib import sha256

from jobs.consolidation.inputs import names_in_force, select_counting, soundly_linked
from jobs.consolidation.page import ABOUT, TITLE, PageCandidate, arrange, heading, subject_of
from jobs.consolidation.plan_page import read_plans
from jobs.consolidation.verdicts import Plan, Rank, Ruling, Verdict, hot_verdicts, promotions
from pipeline.drafts import Draft, ItemDraft
from pipeline.entries.project_names import heading_of, is_bound, names_project
from pipeline.entries.reference import item_name
from pipeline.entries.standing import Fold, fold
from pipeline.job import Noted, Run
from pipeline.markdown.blocks import find_blocks
from schemas.entry import Kind, Trust
from schemas.hot_page import PATH
from schemas.outcome import Rejection

NO_ROOM = "no_room"
"""The reason of a rejection: an entry that belongs on the page is not on it."""


def page(run: Run) -> Sequence[Draft]:
    """The items of the page, and a rejection for each entry that found no room.

    Without a plan there are none; only a request for a first page gives its head, where no page stands.
    """
    state = fold(version.entry for version in run.inputs.entries)
    names = names_in_force(state.states, state)
    known = read_plans(run.inputs.documents, names)
    # A plan of a week that is not over is forged. The time of `run.now` serves for nothing else.
    plans = [plan for plan in known if plan.week < f"{run.now:%G-W%V}"]
    if not plans:
        return [TITLE, ABOUT] if run.request and not run.written.current.strip() else []
    removed = {name.removeprefix(f"{PATH}#") for name in run.refusals.removed}
    removed |= {item_name(state.in_force(old)) for old in state.corrected if item_name(old) in removed}
    last = max(plan.week for plan in plans)
    # The end of that week: a local midnight, also after a change of the clocks.
    until = datetime.combine(date.fromisoformat(last) + timedelta(weeks=1), time(), run.now.tzinfo)
    seen = [version for version in run.inputs.entries if version.entry.date < until]
    placed = place_in_projects(standing(plans, run.inputs.entries, until), seen)
    off = projects_without_room(placed)
    elsewhere = [candidate for candidate in placed if candidate.project in off]
    pinned = _pinned_entries(run, state, names)
    lines = [ItemDraft(name, PageCandidate(version).item.text) for name, version in pinned.items()]
    known_there = {version.entry.id for version in pinned.values()}
    shown = [one for one in placed if one.project not in off and one.noted.entry.id not in known_there]
    arrangement = arrange(run.written.current, removed, shown, project_links(elsewhere, last))
    out = [candidate.noted.entry for candidate in (*arrangement.left_out, *elsewhere)]
    return [
        *arrangement.items,
        *lines,
        *(
            Rejection(
                reason=NO_ROOM,
                session_id=entry.source.session_id,
                number=entry.source.message_range[0],
                detail=entry.id,
            )
            for entry in out
        ),
    ]


def _pinned_entries(run: Run, state: Fold, names: Mapping[str, str]) -> dict[str, Noted]:
    """The entries that hold of the lines that a person has pinned, by the names of the items.

    Such a line stays in its place whatever a plan says; of a corrected entry it says the new words.
    """
    active, pinned = {entry.id for entry in state.active()}, dict[str, Noted]()
    counting = select_counting(run.inputs.entries, state)
    for block in find_blocks(run.written.current.encode()):
        version = counting.get(names.get(block.name, "")) if block.item and block.is_pinned else None
        if version and version.entry.id in active and version.entry.trust is not Trust.UNVERIFIED:
            pinned[block.name] = version
    return pinned


def standing(plans: Sequence[Plan], noted: Iterable[Noted], until: datetime) -> list[PageCandidate]:
    """The entries that belong on the page, in the order of their placing: by seniority, then by score.

    A verdict is not enough: an entry has to verify, and to be active with all entries from before `until`.
    """
    seen = [version for version in noted if version.entry.trust is not Trust.UNVERIFIED and version.entry.date < until]
    verified = soundly_linked(seen)
    state = fold(version.entry for version in verified)
    counted, active = select_counting(verified, state), {entry.id for entry in state.active()}
    shown = {entry_id: verdict for entry_id, verdict in hot_verdicts(plans).items() if entry_id in active}
    subjects = _supported_subjects(plans, counted, shown)
    return [
        PageCandidate(counted[entry_id], subjects[entry_id], rank)
        for entry_id, rank in _ranks(plans, shown.values(), subjects)
    ]


def _supported_subjects(plans: Sequence[Plan], counted: Mapping[str, Noted], shown: Iterable[str]) -> dict[str, str]:
    """The subjects of the shown entries, where the entries ever promoted under a subject have its words."""
    together: dict[str, list[Noted]] = defaultdict(list)
    for verdict in promotions(plans):
        if verdict.entry_id in counted:
            together[verdict.subject].append(counted[verdict.entry_id])
    wanted = _subjects(plans)
    return {
        entry_id: subject_of(wanted[entry_id], counted[entry_id], [counted[entry_id], *together[wanted[entry_id]]])
        for entry_id in shown
    }


def _ranks(
    plans: Sequence[Plan], shown: Iterable[Verdict], subjects: Mapping[str, str]
) -> Iterator[tuple[str, tuple[Rank, Rank]]]:
    """The shown entries with their ranks: of the first promotion ever under the heading, and of their own last one."""
    promoted = promotions(plans)
    own = {verdict.entry_id: verdict.rank for verdict in promoted}
    first = {heading(verdict.subject).name: verdict.rank for verdict in reversed(promoted)}
    for verdict in shown:
        rank = own.get(verdict.entry_id, verdict.rank)
        yield verdict.entry_id, (first.get(heading(subjects[verdict.entry_id]).name, rank), rank)


def _subjects(plans: Iterable[Plan]) -> Mapping[str, str]:
    """The heading of each entry: that of its promotion, so that it does not change while the entry stays."""
    subjects: dict[str, str] = {}
    for plan in sorted(plans, key=lambda plan: plan.week):
        for verdict in plan.verdicts:
            if verdict.ruling is Ruling.PROMOTED:
                subjects.setdefault(verdict.entry_id, verdict.subject)
            else:
                subjects.pop(verdict.entry_id, None)
    return subjects


MOST = 5
"""The most projects with a section: those of which the newest lines are."""

NOT_KNOWN = "not known"
"""Stands for the project of words that are about the one they were said in, where that is not known."""

ELSEWHERE = heading("Projects that are not on this page")
_SEVERAL = 2
_OF_WORK = frozenset({Kind.DECISION, Kind.ARCHITECTURE})


def place_in_projects(candidates: Sequence[PageCandidate], noted: Iterable[Noted]) -> list[PageCandidate]:
    """The candidates with the projects that they are about, those about none first; `noted` are all entries."""
    if len({version.project for version in noted if version.project}) < _SEVERAL:
        return list(candidates)
    placed = [replace(candidate, project=project_of(candidate.noted)) for candidate in candidates]
    return sorted(placed, key=lambda candidate: bool(candidate.project))


def project_of(noted: Noted) -> str:
    """The project that an entry is about: what was decided or built there, and what its words bind to it.

    A rule, or what is to be remembered, holds everywhere if its words do not say otherwise.
    """
    entry = noted.entry
    words = f"{entry.quote}\n{entry.conclusion}" if noted.as_written else entry.quote
    if is_bound(words):
        return noted.project or NOT_KNOWN
    of_work = noted.as_written and entry.kind in _OF_WORK
    return noted.project if of_work or names_project(words, noted.project) else ""


def projects_without_room(candidates: Sequence[PageCandidate]) -> frozenset[str]:
    """The projects beyond `MOST`, which have no section."""
    latest = {
        candidate.project: candidate.noted.entry.date
        for candidate in sorted(candidates, key=lambda candidate: candidate.noted.entry.date)
    }
    alive = sorted(latest.keys() - {"", NOT_KNOWN}, key=lambda project: (latest[project], project), reverse=True)
    return frozenset(alive[MOST:])


def project_links(candidates: Iterable[PageCandidate], plan: str) -> list[ItemDraft]:
    """A line for each project without a section: how many lines it has, and the weekly plan that tells of them."""
    lines = list[ItemDraft]()
    for project, count in Counter(candidate.project for candidate in candidates).items():
        entries = "1 entry" if count == 1 else f"{count} entries"
        text = f"- {heading_of(project)}: {entries} ([{plan}](memory/archive/weekly-{plan}.md))"
        lines.append(ItemDraft(f"o-{sha256(project.encode()).hexdigest()[:8]}", text))
    return [ELSEWHERE, *sorted(lines, key=lambda line: line.text)] if lines else []
