"""The review of what earlier versions wrote: what today's reading would not write is put before a person.

Nothing is taken away: until somebody decides, an entry stays in its file with another status, and a link as it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pipeline.corrections.correction import KEEPING, LINKS, REVIEWING, carried_out, holding, rewritten
from pipeline.corrections.links import TakenLink, fallen
from pipeline.engine.context import Engine
from pipeline.job import OFFLINE, Inputs, Job, Models, Run, WrittenFiles
from pipeline.ledger.changes import KnownBlock
from pipeline.ledger.runs import RunRecord
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.entries import list_entries
from pipeline.reports.placed_entries import PlacedEntry
from schemas.entry import Entry, Status, Trust
from schemas.outcome import Ending
from schemas.suggestion import StandingEntry, StandingLink
from schemas.transcript import Session
from schemas.window import Window

_MODEL = "model"
"""The way of a run that asked a model, whichever it was."""

_ALL = 1_000_000


@dataclass(frozen=True)
class WrittenEntry:
    """An entry of ours with its path and block, the job that writes its file, and its run, if it is known."""

    entry: Entry
    path: str
    block: KnownBlock
    job: Job
    run: RunRecord | None

    @property
    def waits(self) -> bool:
        """Whether its file says that it is in review."""
        return self.entry.status is Status.IN_REVIEW


def written_entries(engine: Engine, places: Iterable[PlacedEntry]) -> Iterator[WrittenEntry]:
    """The entries that are to be judged: ours, not changed by a person, which none has accepted, kept or archived.

    After a lost ledger nothing is known to be ours word for word: then those alone whose files say that they wait.
    """
    ledger = engine.ledger
    keeping = (run.outcome for run in ledger.runs.latest(KEEPING, _ALL) if run.undone is None)
    kept = {entry_id for outcome in keeping if outcome for entry_id in outcome.items}
    blocks = {block.name: block for block in ledger.changes.live()}
    jobs = [(job, engine.family(job)) for job in engine.jobs if job.reading]
    run_of = cache(ledger.runs.find)
    for place in places:
        entry, block = place.entry, blocks.get(place.entry.id)
        job = next((job for job, family in jobs if family.owns(place.path)), None)
        if block is None or job is None or place.adopted or entry.status is Status.ARCHIVED or entry.id in kept:
            continue
        one = WrittenEntry(entry, place.path, block, job, run_of(block.run_id))
        accepted = one.run is not None and ledger.requests.find(one.run.key) is not None
        as_written = entry.trust.level > Trust.QUOTED.level
        if (as_written or one.waits) and not accepted:
            yield one


def objections(engine: Engine, written: Iterable[WrittenEntry]) -> tuple[dict[str, str], int]:
    """The reasons for which entries would not be written today, by id, and how many cannot be read.

    The runs come in the order of their time, so that each session is read once, as by a back-fill.
    """
    by_run = dict[str, list[WrittenEntry]]()
    for entry in sorted(written, key=lambda entry: (entry.entry.date, entry.entry.id)):
        by_run.setdefault(entry.block.run_id, []).append(entry)
    reasons, unread = dict[str, str](), 0
    for group in by_run.values():
        sessions = {entry.entry.id: engine.catalog.cited_session(entry.entry.source) for entry in group}
        here = [entry for entry in group if sessions[entry.entry.id]]
        unread += len(group) - len(here)
        cited = {session.session_id: session for session in sessions.values() if session}
        if here:
            reasons |= _objections_of_run(engine, here, list(cited.values()))
    return reasons, unread


def _objections_of_run(engine: Engine, group: Sequence[WrittenEntry], sessions: Iterable[Session]) -> Mapping[str, str]:
    """The reasons for which entries of a run would not be written today: judged by its window and its way."""
    job, record, now = group[0].job, group[0].run, engine.clock.now()
    window = record.window if record else Window(start=now, end=now)
    # As far as the ledger knows: a run without a question to a model was offline.
    outcome = record.outcome if record else None
    way = OFFLINE if outcome and not outcome.asked + outcome.cached else _MODEL
    run = Run(
        key=REVIEWING,
        window=window,
        day=engine.local_now().date(),
        now=engine.local_now(),
        models=Models(engine.asker(offline=True), way),
        inputs=Inputs(tuple(engine.catalog.as_known(session, window) for session in sessions)),
        written=WrittenFiles(tuple(entry.entry for entry in group)),
    )
    return job.reading.review(run) if job.reading else {}


NOT_LINKED = "not_linked"
"""The reason of a link that today's judgement would not make."""


@dataclass(frozen=True)
class ReviewedEntry:
    """An entry that today's reading would not write, and the reason."""

    written: WrittenEntry
    reason: str

    @property
    def entry(self) -> Entry:
        """The entry as it stands."""
        return self.written.entry


@dataclass(frozen=True)
class Reviewed:
    """The result of a review. `unread` counts the entries whose source is gone: these stay as they are.

    `run_id` is the run that made suggestions of all, or empty.
    """

    entries: tuple[ReviewedEntry, ...]
    links: tuple[TakenLink, ...]
    unread: int
    run_id: str = ""

    def __bool__(self) -> bool:
        """Whether there is anything to decide."""
        return bool(self.entries or self.links)


def review(engine: Engine) -> Reviewed:
    """The entries and links that would not be written today, and that nobody has been asked about.

    No model is asked, and no file changes.
    """
    places, asked = list_entries(engine), engine.ledger.suggestions.has
    written = list(written_entries(engine, places))
    new = [entry for entry in written if not (entry.waits and asked(_suggest_entry(entry)))]
    reasons, unread = objections(engine, new)
    entries = tuple(
        ReviewedEntry(entry, reasons.get(entry.entry.id, Status.IN_REVIEW.value))
        for entry in new
        if entry.entry.id in reasons or entry.waits
    )
    known = {place.entry.id: place.entry for place in places}
    doubted = {entry.entry.id for entry in written if entry.waits} | {finding.entry.id for finding in entries}
    links = (link for link in fallen(engine) if doubted.isdisjoint({link.carrier, link.target}))
    return Reviewed(entries, tuple(link for link in links if not asked(_suggest_link(engine, link, known))), unread)


def suggest(engine: Engine) -> Reviewed:
    """Make suggestions of all that a review comes to, in one run; entries are in review until they are decided.

    Raises:
        WorkspaceError: somebody kept writing to a file; the system refuses; somebody is at work on the files.
    """
    with holding(engine, REVIEWING) as run_id:
        reviewed = review(engine)
        if reviewed:
            carried_out(engine, REVIEWING, run_id, lambda: _suggest_entries(engine, run_id, reviewed))
            return replace(reviewed, run_id=run_id)
    note_nothing(engine)
    return reviewed


def note_nothing(engine: Engine) -> None:
    """Note that a review came to nothing, where the ledger has it that one is due."""
    if is_due(engine):
        run_id = engine.new_run_id(engine.clock.now())
        carried_out(engine, REVIEWING, run_id, lambda: {"ending": Ending.EMPTY})


def is_due(engine: Engine) -> bool:
    """Whether entries stand that an earlier version of the reading wrote, with no review since."""
    last, runs = engine.ledger.runs.last_success(REVIEWING), engine.ledger.runs
    since = last.began if last else None
    return any(job.reading and runs.wrote_before(job.name, job.reading.version, since) for job in engine.jobs)


def _suggest_entries(engine: Engine, run_id: str, reviewed: Reviewed) -> Mapping[str, object]:
    """Give the entries their status, and keep the suggestions; what of the outcome is known."""
    before = {place.entry.id: place.entry for place in list_entries(engine)}
    waits = {finding.entry.id for finding in reviewed.entries}
    after = {
        entry_id: entry.model_copy(update={"status": Status.IN_REVIEW}) if entry_id in waits else entry
        for entry_id, entry in before.items()
    }
    paths = rewritten(engine, run_id, (before, after))
    made = [
        *(_suggest_entry(finding.written, finding.reason) for finding in reviewed.entries),
        *(_suggest_link(engine, link, before) for link in reviewed.links),
    ]
    with engine.ledger.store.transaction():
        for suggestion in made:
            engine.ledger.suggestions.keep(replace(suggestion, run_id=run_id), engine.clock.now())
    return {"paths": tuple(paths), "suggested": tuple(one.id for one in made), "items": tuple(sorted(waits))}


def _suggest_entry(written: WrittenEntry, reason: str = "") -> KeptSuggestion:
    """The suggestion to keep an entry, or to take it out; its links name other entries, and are no part of it."""
    bare = written.entry.model_copy(update={**dict.fromkeys(LINKS, ()), "grounds": ""})
    return KeptSuggestion(written.job.name, StandingEntry(entry=bare), written.block.identity, reason, "")


def _suggest_link(engine: Engine, link: TakenLink, known: Mapping[str, Entry]) -> KeptSuggestion:
    """The suggestion to keep a link, or to take it apart."""
    text = known[link.target].conclusion if link.target in known else ""
    about = StandingLink(entry=known[link.carrier], kind=link.kind, target=link.target, target_text=text)
    job = next(job.name for job in engine.jobs if job.relink)
    return KeptSuggestion(job, about, f"{link.carrier} {link.kind} {link.target}", NOT_LINKED, "")
