"""Corrections of links between entries: one is taken apart for good, or all that do not stand are judged again.

Each is a run of no job, which `memory undo` takes back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.clock import local_day
from pipeline.corrections.inventory import take_inventory
from pipeline.corrections.undo_blocks import Names, take_back_blocks
from pipeline.engine.append import Committer, FieldUpdate
from pipeline.engine.context import Engine
from pipeline.engine.inputs import Inputs
from pipeline.engine.recovery import recover
from pipeline.entries.bars import bar_between
from pipeline.entries.standing import fold
from pipeline.errors import NothingToUndo, PipelineError
from pipeline.errors.links import LinkOfPerson, NotLinked
from pipeline.job import Job, Run
from pipeline.ledger.runs import RunRecord
from pipeline.model.ask import Asker
from pipeline.reports.entries import PlacedEntry, entry_named, list_entries
from pipeline.workspace.families import Slots
from pipeline.workspace.unlinked import LOCK, PATH, allow_links, note_unlinked, read_unlinked
from schemas.entry import Entry, Status
from schemas.links import LinkBar
from schemas.outcome import Ending, Outcome
from schemas.partition import PartitionKey
from schemas.window import Window

UNLINKING, RELINKING = "unlink", "relink"
"""The names of the runs in the ledger; they are no jobs."""

LINKS = ("supersedes", "superseded_by", "reinforces")


@dataclass(frozen=True)
class TakenLink:
    """A link as it stood: `carrier` is the entry with the line, `kind` the line, `grounds` what it rested on."""

    carrier: str
    kind: str
    target: str
    grounds: str = ""


Versions = tuple[Mapping[str, Entry], Mapping[str, Entry]]
"""Entries by id, as they are and as they are to be."""


@dataclass(frozen=True)
class LinksCorrected:
    """The result of a correction: the links that went and those that came, and the files that changed."""

    run_id: str
    removed: tuple[TakenLink, ...]
    made: tuple[TakenLink, ...]
    paths: tuple[str, ...]


def unlink(engine: Engine, one: str, other: str) -> LinksCorrected:
    """Take the links between two entries apart; no run links them again, until the correction is undone.

    Entries that were replaced along with one of them, because they say the same, are freed too.

    Raises:
        UnknownEntry: nothing has one of the ids.
        NotLinked: there is no link between the two.
        LinkOfPerson: the link stands in an entry that a person changed.
        Held: somebody is at work on the files.
    """
    with _holding(engine, UNLINKING) as run_id:
        places = {place.entry.id: place for place in list_entries(engine)}
        first, second = entry_named(engine, one), entry_named(engine, other)
        links = [*_links_between(first.entry, second.entry), *_links_between(second.entry, first.entry)]
        if not links:
            raise NotLinked(first.entry.id, second.entry.id)
        links += [mirror for link in links if (mirror := _mirrored(link, places)) and mirror not in links]
        _refuse_adopted(places, links)
        before = {name: place.entry for name, place in places.items()}
        known = [(before[link.carrier], before[link.target]) for link in links if link.target in before]
        bars = {frozenset(bar.ids): bar for bar in (bar_between(*pair) for pair in known)}
        return _corrected(engine, (UNLINKING, run_id), (before, _without(before, links)), list(bars.values()))


def relink(engine: Engine) -> LinksCorrected | None:
    """Judge the links anew that today's judgement would not make; `None` when there is none.

    Raises:
        ModelUnavailable: the configured model fails; nothing was changed.
        BudgetSpent: nothing is left to ask it with.
        Held: somebody is at work on the files.
    """
    with _holding(engine, RELINKING) as run_id:
        asker = engine.asker()
        before = {place.entry.id: place.entry for place in list_entries(engine)}
        wanted = {entry.id: entry for entry in judged(engine, asker)}
        if not wanted:
            return None
        try:
            return _corrected(engine, (RELINKING, run_id), (before, before | wanted), ())
        finally:
            engine.ledger.spending.note(run_id, asker.usages)


def fallen(engine: Engine) -> list[TakenLink]:
    """The links that today's judgement would not make; no model is asked."""
    wanted = judged(engine, engine.asker(offline=True))
    before = {place.entry.id: place.entry for place in list_entries(engine)} if wanted else {}
    return list(_once(link for entry in wanted for link in _gone(before[entry.id], entry)))


def judged(engine: Engine, asker: Asker) -> list[Entry]:
    """The entries that are to have other links, by the jobs that write entries."""
    return [entry for job in engine.jobs if job.relink for entry in job.relink(_run(engine, job, asker))]


def undo_links(engine: Engine, record: RunRecord) -> tuple[Names, Names, Names]:
    """Take back a correction of links; the names of the blocks removed, restored, and left as they are.

    Raises:
        NothingToUndo: it was undone.
        ChangedMeanwhile: somebody kept writing to a file.
        Held: somebody is at work on the files.
    """
    with _holding(engine, record.job):
        now = engine.ledger.runs.find(record.run_id)
        if now is None or now.undone or now.outcome is None:
            raise NothingToUndo(record.run_id, "has been undone" if now and now.undone else "changed nothing")
        pairs = {frozenset(name.split("|")) for name in now.outcome.items}
        allow_links(engine.workspace, pairs)
        parts = [take_back_blocks(engine, change) for change in reversed(engine.ledger.changes.of_run(record.run_id))]
        with engine.ledger.store.transaction():
            engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
    removed, restored, left = ([name for part in parts for name in part[place]] for place in range(3))
    return tuple(removed), tuple(restored), tuple(left)


@contextmanager
def _holding(engine: Engine, name: str) -> Iterator[str]:
    """Hold the locks of the writers of entries and of the list; the id of the run."""
    jobs, now = _writers(engine), engine.clock.now()
    run_id = engine.new_run_id(now)
    names = [LOCK, name, *(lock for job in jobs for lock in (job.name, *job.locks))]
    with engine.locks.hold(names, run_id, now + max(job.timeout for job in jobs)):
        for job in jobs:
            recover(engine.workspace, engine.ledger, engine.family(job).owns)
            take_inventory(engine, job)
        yield run_id


def _writers(engine: Engine) -> list[Job]:
    return [job for job in engine.jobs if job.writes.append]


def _run(engine: Engine, job: Job, asker: Asker) -> Run:
    """As much of a run as a judgement of links needs."""
    now, family = engine.clock.now(), engine.family(job)
    inputs = Inputs(engine, job, Slots(), engine.family)
    return Run(
        key=RELINKING,
        window=Window(start=now, end=now),
        day=engine.local_now().date(),
        now=engine.local_now(),
        transcripts=(),
        documents=(),
        entries=tuple(inputs.own_entries(family.files())),
        forgotten=frozenset(),
        ask=asker,
        way=asker.way,
        background=asker.background,
        bars=frozenset(read_unlinked(engine.workspace)),
    )


def _mirrored(link: TakenLink, places: Mapping[str, PlacedEntry]) -> TakenLink | None:
    """The same link as the other entry has it, in its line `superseded_by`."""
    other = places.get(link.target)
    if link.kind != "supersedes" or other is None or link.carrier not in other.entry.superseded_by:
        return None
    return TakenLink(link.target, "superseded_by", link.carrier)


def _links_between(entry: Entry, other: Entry) -> list[TakenLink]:
    """The links in one entry to another, and those that were made along with one."""
    target = other.id
    links = [TakenLink(entry.id, key, target, entry.grounds) for key in LINKS if target in getattr(entry, key)]
    if target == next(iter(entry.supersedes), ""):
        links += [TakenLink(entry.id, "supersedes", name, entry.grounds) for name in entry.supersedes[1:]]
    return links


def _refuse_adopted(places: Mapping[str, PlacedEntry], links: Sequence[TakenLink]) -> None:
    for link in links:
        place = places[link.carrier]
        if place.adopted or not place.verified:
            raise LinkOfPerson(link.carrier, link.target, place.path)


def _without(entries: Mapping[str, Entry], links: Sequence[TakenLink]) -> dict[str, Entry]:
    left = dict(entries)
    for link in links:
        entry = left[link.carrier]
        kept = tuple(name for name in getattr(entry, link.kind) if name != link.target)
        update: dict[str, object] = {link.kind: kept}
        if link.kind == "superseded_by" and not kept and entry.status is Status.SUPERSEDED:
            update["status"] = Status.ACTIVE
        bare = entry.model_copy(update=update)
        linked = any(getattr(bare, key) for key in LINKS)
        left[link.carrier] = bare if linked else bare.model_copy(update={"grounds": ""})
    return left


def _corrected(engine: Engine, run: tuple[str, str], versions: Versions, bars: Sequence[LinkBar]) -> LinksCorrected:
    """Write the list and the entries as one run, which is begun in the ledger before and ended after."""
    (name, run_id), (before, after), now = run, versions, engine.clock.now()
    partition = PartitionKey(key=f"{name}-{local_day(now, engine.zone)}", window=Window(start=now, end=now))
    engine.ledger.runs.begin(run_id, name, partition, now)
    outcome = Outcome(job=name, key=partition.key, window=partition.window, ending=Ending.FAILED, run_id=run_id)
    try:
        note_unlinked(engine.workspace, bars, engine.local_now().date())
        paths = [path for job in _writers(engine) for path in _written(engine, job, run_id, _updates(before, after))]
        done = {"ending": Ending.DONE, "paths": (*paths, *([PATH] if bars else []))}
        outcome = outcome.model_copy(update=done | {"items": tuple("|".join(bar.ids) for bar in bars)})
    except PipelineError as error:
        outcome = outcome.model_copy(update={"warning": str(error)})
        raise
    finally:
        engine.ledger.runs.end(outcome, engine.clock.now())
    changed = [name for name in after if name in before]
    return LinksCorrected(
        run_id=run_id,
        removed=_once(link for entry_id in changed for link in _gone(before[entry_id], after[entry_id])),
        made=_once(link for entry_id in changed for link in _gone(after[entry_id], before[entry_id])),
        paths=outcome.paths,
    )


def _written(engine: Engine, job: Job, run_id: str, updates: Mapping[str, FieldUpdate]) -> list[str]:
    return Committer(engine.workspace, engine.ledger, engine.family(job), run_id).set_fields(updates)


def _updates(before: Mapping[str, Entry], after: Mapping[str, Entry]) -> dict[str, FieldUpdate]:
    """The new fields of the entries whose links or whose standing is another one."""
    states, then = fold(after.values()).states, fold(before.values()).states
    updates = dict[str, FieldUpdate]()
    for entry_id, entry in after.items():
        old = before[entry_id]
        changed = (key for key in (*LINKS, "grounds") if getattr(entry, key) != getattr(old, key))
        fields: dict[str, object] = {key: getattr(entry, key) for key in changed}
        if states[entry_id].status is not then[entry_id].status:
            fields |= {"status": states[entry_id].status, "superseded_by": states[entry_id].superseded_by}
        if fields:
            updates[entry_id] = fields
    return updates


def _once(links: Iterable[TakenLink]) -> tuple[TakenLink, ...]:
    """The links, each as one of its entries has it."""
    given = list(links)
    shown = {(link.target, link.carrier) for link in given if link.kind == "supersedes"}
    return tuple(link for link in given if link.kind != "superseded_by" or (link.carrier, link.target) not in shown)


def _gone(before: Entry, after: Entry) -> list[TakenLink]:
    """The links of one version of an entry that another one does not have."""
    return [
        TakenLink(before.id, key, target, before.grounds)
        for key in LINKS
        for target in getattr(before, key)
        if target not in getattr(after, key)
    ]
