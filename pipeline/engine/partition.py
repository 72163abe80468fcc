"""One partition from its inputs to its files: gather, call the job, commit."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from zoneinfo import ZoneInfo

from pipeline.clock import local_day, spoken
from pipeline.engine.absence import Missing, missing, note_seen, refuse_where_away
from pipeline.engine.append import Committer
from pipeline.engine.context import Engine
from pipeline.engine.deleted_entries import notice_deletions, regain
from pipeline.engine.removed_items import MANY, notice_removals
from pipeline.engine.rewrite import Pages
from pipeline.engine.verification import Written, believed, written_blocks
from pipeline.events import Event
from pipeline.job import Document, Draft, EntryDraft, ItemDraft, Job, Noted, Period, Run, Skip, StatusDraft
from pipeline.ledger.changes import KnownBlock
from pipeline.markdown.items import render_page
from pipeline.model.ask import Asker
from pipeline.workspace.families import Family, FamilyFile, concrete, iso_week
from pipeline.workspace.tombstones import PATH as FORGOTTEN
from pipeline.workspace.tombstones import read_forgotten
from schemas.entry import Entry, Trust
from schemas.outcome import NO_ROOM, Ending, Outcome, Rejection
from schemas.transcript import Session
from schemas.window import Window

_LISTED = f"{FORGOTTEN} lists them, to allow them again"


@dataclass(frozen=True)
class Partition:
    """A job's window, about to be run under `run_id`. The caller holds the locks; `family_of` keeps what was parsed."""

    engine: Engine
    job: Job
    family_of: Callable[[Job], Family]
    window: Window
    run_id: str

    @property
    def day(self) -> date:
        """The local day of the window, or its first."""
        return local_day(self.window.start, self.engine.zone)

    @property
    def family(self) -> Family:
        """The files that the job writes."""
        return self.family_of(self.job)

    def work(self, blank: Outcome, sessions: Sequence[Session], asker: Asker) -> Outcome:
        """Do it; `blank` with what came of it.

        Raises:
            PipelineError: nothing more was written than the ledger knows of.
        """
        if self.job.writes.append:
            return self._work_on_entries(blank, sessions, asker)
        self._refuse_where_away()
        pages, today = Pages(self.engine, self.family, self.run_id, self.day), self.engine.local_now().date()
        removals = notice_removals(self.engine, [*pages.paths(), *self.job.reads.by_people], today)
        told = [_removed(removals.taken_out), _written_again(removals.lost)]
        self.engine.safe_point()
        return _warned(self._rewritten(blank, self._gathered(sessions, asker, []), pages), told)

    def _work_on_entries(self, blank: Outcome, sessions: Sequence[Session], asker: Asker) -> Outcome:
        regain(self.engine, self.family.files())
        gone = notice_deletions(self.engine, self.family, self.family.files(), self.engine.local_now().date())
        again = Committer(self.engine.workspace, self.engine.ledger, self.family, self.run_id).append_again()
        self.engine.safe_point()
        run = self._gathered(sessions, asker, self.family.files())
        # What is away cannot be seen by the job; it must not be said again.
        away = frozenset(block.identity for block in gone.away if block.identity)
        drafts = list(self.job.run(replace(run, forgotten=run.forgotten | away)))
        self.engine.safe_point()
        ended = self._appended(blank, drafts, gone)
        if again:
            paths = dict.fromkeys([*(block.path for block in again), *ended.paths])
            ended = ended.model_copy(update={"ending": Ending.DONE, "paths": tuple(paths)})
        return _warned(ended, [_deleted(gone.deleted), _away(gone), _written_again(again)])

    def _refuse_where_away(self) -> None:
        """Make no page of a part of what it rests on."""
        engine = self.engine
        patterns = [concrete(pattern, self.day) for pattern in self.job.reads.entries]
        for family in (self.family_of(job) for job in engine.jobs if patterns and job.writes.append):
            files = family.files()
            gone = missing(engine.workspace, engine.ledger.changes, family, files)
            note_seen(engine.workspace, engine.ledger.changes, files, engine.clock.now())
            if not engine.allow_shrink:
                refuse_where_away(gone, patterns)

    def _gathered(self, sessions: Sequence[Session], asker: Asker, files: Sequence[FamilyFile]) -> Run:
        """What the job is given; `files` are those it appends to."""
        engine, forgotten = self.engine, read_forgotten(self.engine.workspace)
        return Run(
            key=partition_key(self.job, self.window, engine.zone),
            window=self.window,
            day=self.day,
            now=engine.local_now(),
            transcripts=tuple(sessions),
            documents=tuple(self._documents(self.job.reads.documents)),
            entries=tuple(self._entries(files)),
            forgotten=frozenset(gone.identity for gone in forgotten if gone.identity),
            ask=asker,
            noted=tuple(self._noted()),
            by_people=tuple(self._by_people()),
            removed=frozenset(gone.entry_id for gone in forgotten if "#" in gone.entry_id),
            way=asker.way,
        )

    def _documents(self, patterns: Sequence[str]) -> Iterator[Document]:
        for pattern in patterns:
            for path in self.engine.workspace.select(concrete(pattern, self.day), whole=True):
                yield Document(path, (self.engine.workspace.read(path) or b"").decode(errors="replace"))

    def _by_people(self) -> Iterator[Document]:
        for document in self._documents(self.job.reads.by_people):
            data = self.engine.workspace.read(document.path) or b""
            ours = self.engine.ledger.changes.ever_in(document.path)
            yield Document(document.path, render_page(data, (), ours=ours).decode(errors="replace"))

    def _noted(self) -> Iterator[Noted]:
        """The entries in the files that the job reads for them; those that do not verify are marked."""
        patterns = [concrete(pattern, self.day) for pattern in self.job.reads.entries]
        written = written_blocks(self.engine.ledger.changes) if patterns else Written()
        for job in (each for each in self.engine.jobs if patterns and each.writes.append):
            family = self.family_of(job)
            mine = [path for path in family.paths() if any(fnmatchcase(path, pattern) for pattern in patterns)]
            for file in map(family.file, mine):
                yield from self._in_file(file, written) if file else ()

    def _in_file(self, file: FamilyFile, written: Written) -> Iterator[Noted]:
        for block, entry in file.blocks:
            if entry:
                sure = believed(block, entry, written, self.engine.catalog)
                yield Noted(sure.quote_alone() if sure.trust is Trust.QUOTED else sure, file.path, entry.confidence)

    def _entries(self, files: Sequence[FamilyFile]) -> Iterator[Entry]:
        """All entries in the files; those that have no say are marked.

        That is also one which quotes the owner truly under a name that the ledger has never known: it may have been put
        there so that we pass over the words which it quotes.
        """
        changes = self.engine.ledger.changes
        written, names = (written_blocks(changes), changes.names()) if files else (Written(), frozenset())
        for entry in (noted.entry for file in files for noted in self._in_file(file, written)):
            strange = entry.trust is Trust.QUOTED and entry.id not in names
            yield entry.unverified() if strange else entry

    def _appended(self, blank: Outcome, drafts: Sequence[Draft], gone: Missing) -> Outcome:
        committer = Committer(self.engine.workspace, self.engine.ledger, self.family, self.run_id)
        new = [draft for draft in drafts if isinstance(draft, EntryDraft)]
        present = {block.name for file in self.family.files() for block, _ in file.blocks} if new else frozenset[str]()
        entries = [_named_apart(draft, present | {block.name for block in gone.away}) for draft in new]
        paths = committer.append(self.day, entries)
        # What is away may say why another entry does not hold, so its status is nobody's to tell now.
        states = [] if gone.away else [draft for draft in drafts if isinstance(draft, StatusDraft)]
        paths += committer.set_status(states)
        ended = _outcome(self.engine, blank, drafts, paths)
        return ended.model_copy(update={"written": tuple(draft.entry.id for draft in entries)})

    def _rewritten(self, blank: Outcome, run: Run, pages: Pages) -> Outcome:
        drafts = list[Draft]()

        def render(current: str) -> Sequence[ItemDraft]:
            drafts[:] = self.job.run(replace(run, current=current))
            self.engine.safe_point()
            return [draft for draft in drafts if isinstance(draft, ItemDraft)]

        changed = pages.rewrite(render)
        names = tuple(name for part in changed.values() for name in part)
        return _outcome(self.engine, blank, drafts, list(changed)).model_copy(update={"items": names})


def _named_apart(draft: EntryDraft, taken: AbstractSet[str]) -> EntryDraft:
    """The draft under an id that is free: a block that cannot be read, which no job sees, may hold its own."""
    if draft.entry.id not in taken:
        return draft
    free = f"{draft.entry.id}-{draft.identity[-6:]}"
    return replace(draft, entry=draft.entry.model_copy(update={"id": free}))


def partition_key(job: Job, window: Window, zone: str) -> str:
    """How people name a window: its local start and end, its day, or its ISO week."""
    if job.schedule.period is not Period.TICK:
        day = local_day(window.start, zone)
        return iso_week(day) if job.schedule.period is Period.WEEK else day.isoformat()
    return "/".join(
        moment.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes") for moment in (window.start, window.end)
    )


def key_in_words(key: str, window: Window, zone: str) -> str:
    """A key as people say it: a day or a week as it is, any other window by its times."""
    return spoken(window.start, window.end, zone) if "/" in key else key


def _deleted(gone: Sequence[KnownBlock]) -> str:
    """What a person is told of entries that are gone from their files; also of one, for it may be an accident."""
    if not gone:
        return ""
    others = len({block.path for block in gone}) - 1
    files = f"{gone[0].path} and {others} other file(s)" if others else gone[0].path
    entries = "1 entry that we wrote is" if len(gone) == 1 else f"{len(gone)} entries that we wrote are"
    return f"{entries} gone from {files}, and not written again; {_LISTED}"


def _away(gone: Missing) -> str:
    """What a person is told of files that are gone as a whole."""
    if not gone.away:
        return ""
    others = len(gone.files_away) - 1
    files = f"{gone.files_away[0]} and {others} other file(s) are" if others else f"{gone.files_away[0]} is"
    return (
        f"{files} gone as a whole, with {len(gone.away)} recorded entries: they count as away, neither forgotten nor "
        "written again. Bring the file back; if you deleted it, run once with --allow-shrink"
    )


def _written_again(again: Sequence[KnownBlock]) -> str:
    """What a person is told of entries that an editor's old copy took away; for it may have been their wish."""
    if not again:
        return ""
    parts = "1 part was" if len(again) == 1 else f"{len(again)} parts were"
    return (
        f"{parts} gone that had just been written into {again[0].path}, as when an editor saves a copy that it loaded "
        f"before; written again, this once: {', '.join(block.name for block in again)}. If you took it out, do so again"
    )


def _removed(names: Sequence[str]) -> str:
    """What a person is told of lines that were taken out of pages; people prune those, so of many alone."""
    if len(names) < MANY:
        return ""
    return (
        f"{len(names)} lines that were taken out of {names[0].partition('#')[0]} stay out of it from now on; {_LISTED}"
    )


def _warned(outcome: Outcome, told: Sequence[str]) -> Outcome:
    """The outcome with what a person should know of it; `told` is of what is gone."""
    warnings = list(filter(None, told))
    if waiting := sum(each.reason == NO_ROOM for each in outcome.rejected):
        warnings.append(f"{waiting} entries found no room on the page; `memory adopt` shows what takes it")
    return outcome.model_copy(update={"warning": "; ".join(warnings)}) if warnings else outcome


def _outcome(engine: Engine, blank: Outcome, drafts: Sequence[Draft], paths: Sequence[str]) -> Outcome:
    rejected = tuple(draft for draft in drafts if isinstance(draft, Rejection))
    for each in rejected:
        engine.emit(Event.REJECTED, reason=each.reason, session=each.session_id, number=each.number)
    return blank.model_copy(
        update={
            "ending": Ending.DONE if paths else Ending.EMPTY,
            "paths": tuple(dict.fromkeys(paths)),
            "skipped": dict(Counter(draft.reason for draft in drafts if isinstance(draft, Skip))),
            "rejected": rejected,
        }
    )
