"""Corrections of links between entries: one is taken apart for good, or all that do not stand are judged again.

Each is a run of no job, which `memory undo` takes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations

from pipeline.corrections.correction import LINKS, RELINKING, UNLINKING, Versions, carried_out, holding, rewritten
from pipeline.engine.context import Engine
from pipeline.engine.inputs import InputFiles
from pipeline.entries.standing import bar_between
from pipeline.errors.corrections import LinkOfCorrection, LinkOfPerson, NotLinked
from pipeline.job import Job, Refusals, Run, WrittenFiles
from pipeline.ledger.evidence import run_of_block
from pipeline.model.ask import Asker
from pipeline.reports.entries import entry_named, fold_entries, list_entries
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.workspace.families import Slots
from pipeline.workspace.unlinked import PATH, note_unlinked, read_unlinked
from schemas.entry import Entry, Status
from schemas.links import LinkBar
from schemas.window import Window


@dataclass(frozen=True)
class TakenLink:
    """A link as it stood: `carrier` is the entry with the line, `kind` the line, `grounds` what it rested on."""

    carrier: str
    kind: str
    target: str
    grounds: str = ""


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
        CorrectionRefused: there is no link between the two; one corrects the other.
        LinkOfPerson: the link stands in an entry that a person changed.
        Held: somebody is at work on the files.
    """
    return unlink_all(engine, [(one, other)])


def unlink_all(engine: Engine, pairs: Sequence[tuple[str, str]]) -> LinksCorrected:
    """Take the links of several pairs of entries apart, in one run; as `unlink`, which has the errors."""
    with holding(engine, UNLINKING) as run_id:
        every = list_entries(engine)
        now, places = fold_entries(every), {place.entry.id: place for place in every}
        counting = {place.entry.id: place for place in every if now.counts(place.entry)}
        named = [[counting.get(given) or entry_named(engine, given) for given in pair] for pair in pairs]
        for earlier, later in chain.from_iterable(map(permutations, named)):
            if now.corrected.get(earlier.entry.id) == later.entry.id:
                run = run_of_block(engine.ledger.store, later.entry.id)
                raise LinkOfCorrection(later.entry.id, earlier.entry.id, run)
        links = list(dict.fromkeys(link for one, other in named for link in _links_of(one, other, places)))
        for link in links:
            place = places[link.carrier]
            if place.adopted or not place.is_verified:
                raise LinkOfPerson(link.carrier, link.target, place.path)
        before = {name: place.entry for name, place in places.items()}
        known = [(before[link.carrier], before[link.target]) for link in links if link.target in before]
        bars = {frozenset(bar.ids): bar for bar in (bar_between(*pair) for pair in known)}
        return _write_correction(engine, (UNLINKING, run_id), (before, _without(before, links)), list(bars.values()))


def _links_of(first: PlacedEntry, second: PlacedEntry, places: Mapping[str, PlacedEntry]) -> list[TakenLink]:
    """The links between two entries, each also as the other entry has it, in its line `superseded_by`."""
    links = [*_links_between(first.entry, second.entry), *_links_between(second.entry, first.entry)]
    if not links:
        raise NotLinked(first.entry.id, second.entry.id)
    for link in list(links):
        other, mirror = places.get(link.target), TakenLink(link.target, "superseded_by", link.carrier)
        is_mirrored = other is not None and link.carrier in other.entry.superseded_by
        if link.kind == "supersedes" and is_mirrored and mirror not in links:
            links.append(mirror)
    return links


def relink(engine: Engine) -> LinksCorrected | None:
    """Judge the links anew that today's judgement would not make; `None` when there is none.

    Raises:
        ModelUnavailable: the configured model fails; nothing was changed.
        BudgetSpent: nothing is left to ask it with.
        Held: somebody is at work on the files.
    """
    with holding(engine, RELINKING) as run_id:
        asker = engine.asker()
        before = {place.entry.id: place.entry for place in list_entries(engine)}
        wanted = {entry.id: entry for entry in entries_to_relink(engine, asker)}
        if not wanted:
            return None
        try:
            return _write_correction(engine, (RELINKING, run_id), (before, before | wanted), ())
        finally:
            engine.ledger.spending.note(run_id, asker.usages)


def fallen(engine: Engine) -> list[TakenLink]:
    """The links that today's judgement would not make; no model is asked."""
    wanted = entries_to_relink(engine, engine.asker(offline=True))
    before = {place.entry.id: place.entry for place in list_entries(engine)} if wanted else {}
    return list(_unique_links(link for entry in wanted for link in _links_removed(before[entry.id], entry)))


def entries_to_relink(engine: Engine, asker: Asker) -> list[Entry]:
    """The entries that are to have other links, by the jobs that write entries."""
    return [entry for job in engine.jobs if job.relink for entry in job.relink(_run(engine, job, asker))]


def _run(engine: Engine, job: Job, asker: Asker) -> Run:
    """The parts of a run that a judgement of links needs."""
    now, files = engine.clock.now(), engine.family(job).files()
    return Run(
        key=RELINKING,
        window=Window(start=now, end=now),
        day=engine.local_now().date(),
        now=engine.local_now(),
        models=engine.models(asker),
        written=WrittenFiles(tuple(InputFiles(engine, job, Slots(), engine.family).own_entries(files))),
        refusals=Refusals(unlinked=frozenset(read_unlinked(engine.workspace))),
    )


def _links_between(entry: Entry, other: Entry) -> list[TakenLink]:
    """The links in one entry to another, and those that were made along with one."""
    target = other.id
    links = [TakenLink(entry.id, key, target, entry.grounds) for key in LINKS if target in getattr(entry, key)]
    if entry.supersedes[:1] == (target,):
        links += [TakenLink(entry.id, "supersedes", name, entry.grounds) for name in entry.supersedes[1:]]
    return links


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


def _write_correction(
    engine: Engine, run: tuple[str, str], versions: Versions, bars: Sequence[LinkBar]
) -> LinksCorrected:
    """Write the list and the entries as one run."""
    (name, run_id), (before, after) = run, versions

    def work() -> Mapping[str, object]:
        note_unlinked(engine.workspace, bars, engine.local_now().date())
        paths = (*rewritten(engine, run_id, versions), *([PATH] if bars else []))
        return {"paths": paths, "items": tuple("|".join(bar.ids) for bar in bars)}

    outcome = carried_out(engine, name, run_id, work)
    return LinksCorrected(
        run_id=run_id,
        removed=_unique_links(link for entry_id in after for link in _links_removed(before[entry_id], after[entry_id])),
        made=_unique_links(link for entry_id in after for link in _links_removed(after[entry_id], before[entry_id])),
        paths=outcome.paths,
    )


def _unique_links(links: Iterable[TakenLink]) -> tuple[TakenLink, ...]:
    """The links, each as one of its entries has it."""
    given = list(links)
    shown = {(link.target, link.carrier) for link in given if link.kind == "supersedes"}
    return tuple(link for link in given if link.kind != "superseded_by" or (link.carrier, link.target) not in shown)


def _links_removed(before: Entry, after: Entry) -> list[TakenLink]:
    """The links of one version of an entry that another one does not have."""
    return [
        TakenLink(before.id, key, target, before.grounds)
        for key in LINKS
        for target in getattr(before, key)
        if target not in getattr(after, key)
    ]
