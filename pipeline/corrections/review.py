"""The review of what earlier versions wrote: what today's reading would not write is put before a person.

Nothing is taken away: until somebody decides, an entry stays in its file with another status, and a link as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline.corrections.correction import LINKS, REVIEWING, carried_out, holding, rewritten
from pipeline.corrections.links import TakenLink, fallen
from pipeline.corrections.second_reading import WrittenEntry, objections, written_entries
from pipeline.engine.context import Engine
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.entries import list_entries
from schemas.entry import Entry, Status
from schemas.outcome import Ending
from schemas.suggestion import StandingEntry, StandingLink

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
    """What a review comes to. `unread` counts the entries whose source is gone: these stay as they are.

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
    new = [one for one in written if not (one.waits and asked(_of_entry(one)))]
    reasons, unread = objections(engine, new)
    entries = tuple(
        ReviewedEntry(one, reasons.get(one.entry.id, Status.IN_REVIEW.value))
        for one in new
        if one.entry.id in reasons or one.waits
    )
    known = {place.entry.id: place.entry for place in places}
    doubted = {one.entry.id for one in written if one.waits} | {one.entry.id for one in entries}
    links = (link for link in fallen(engine) if doubted.isdisjoint({link.carrier, link.target}))
    return Reviewed(entries, tuple(link for link in links if not asked(_of_link(engine, link, known))), unread)


def suggest(engine: Engine) -> Reviewed:
    """Make suggestions of all that a review comes to, in one run; entries are in review until they are decided.

    Raises:
        WorkspaceError: somebody kept writing to a file; the system refuses; somebody is at work on the files.
    """
    with holding(engine, REVIEWING) as run_id:
        reviewed = review(engine)
        if reviewed:
            carried_out(engine, REVIEWING, run_id, lambda: _suggested(engine, run_id, reviewed))
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


def _suggested(engine: Engine, run_id: str, reviewed: Reviewed) -> Mapping[str, object]:
    """Give the entries their status, and keep the suggestions; what of the outcome is known."""
    before = {place.entry.id: place.entry for place in list_entries(engine)}
    waits = {one.entry.id for one in reviewed.entries}
    after = {
        entry_id: entry.model_copy(update={"status": Status.IN_REVIEW}) if entry_id in waits else entry
        for entry_id, entry in before.items()
    }
    paths = rewritten(engine, run_id, (before, after))
    made = [
        *(_of_entry(one.written, one.reason) for one in reviewed.entries),
        *(_of_link(engine, link, before) for link in reviewed.links),
    ]
    with engine.ledger.store.transaction():
        for suggestion in made:
            engine.ledger.suggestions.keep(replace(suggestion, run_id=run_id), engine.clock.now())
    return {"paths": tuple(paths), "suggested": tuple(one.id for one in made), "items": tuple(sorted(waits))}


def _of_entry(written: WrittenEntry, reason: str = "") -> KeptSuggestion:
    """The suggestion to keep an entry, or to take it out; its links name other entries, and are no part of it."""
    bare = written.entry.model_copy(update={**dict.fromkeys(LINKS, ()), "grounds": ""})
    return KeptSuggestion(written.job.name, StandingEntry(entry=bare), written.block.identity, reason, "")


def _of_link(engine: Engine, link: TakenLink, known: Mapping[str, Entry]) -> KeptSuggestion:
    """The suggestion to keep a link, or to take it apart."""
    text = known[link.target].conclusion if link.target in known else ""
    about = StandingLink(entry=known[link.carrier], kind=link.kind, target=link.target, target_text=text)
    job = next(job.name for job in engine.jobs if job.relink)
    return KeptSuggestion(job, about, f"{link.carrier} {link.kind} {link.target}", NOT_LINKED, "")
