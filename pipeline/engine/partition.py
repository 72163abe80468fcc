"""A partition from its inputs to its files: gather, call the job, commit."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.clock import spoken
from pipeline.drafts import BlockDraft, Draft, EntryDraft, ItemDraft, JudgedProposal, Notice, Skip, StatusDraft
from pipeline.engine.absence import Missing, missing, note_seen, refuse_where_away
from pipeline.engine.agent_gate import pass_gate, waiting_proposals
from pipeline.engine.append import AppendDraft, Committer, name_of
from pipeline.engine.context import Engine
from pipeline.engine.deletions import MANY, Removals, notice_deletions, notice_removals, regain
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.engine.inputs import FamilyOf, InputFiles
from pipeline.engine.partitioning import Partitioning
from pipeline.engine.rewrite import Pages, Render
from pipeline.engine.suggestions import keep, keep_aliases, keep_new
from pipeline.errors import FileAway, PageRefused
from pipeline.events import Event
from pipeline.job import Answer, Inputs, Job, Refusals, Run, Task, WaitingProposal, WrittenFiles
from pipeline.ledger.changes import KnownBlock
from pipeline.model.ask import CLIPPED, Asker
from pipeline.process.cancellation import CancellationToken
from pipeline.workspace.declined import read_declined
from pipeline.workspace.families import Slots, TargetFile, TargetFiles
from pipeline.workspace.file_access import page_name, same_page
from pipeline.workspace.forgotten import PATH as FORGOTTEN
from pipeline.workspace.forgotten import read_forgotten
from pipeline.workspace.unlinked import read_unlinked
from schemas.entry import Entry
from schemas.outcome import NO_ROOM, Ending, Outcome, Rejection
from schemas.transcript import Session
from schemas.window import PartitionKey, Window

_LISTED = f"{FORGOTTEN} lists them, to allow them again"


@dataclass(frozen=True)
class Partition:
    """A partition, about to be run under `run_id`. The caller holds the locks; `family_of` keeps what was parsed."""

    partitioning: Partitioning
    family_of: FamilyOf
    key: PartitionKey
    run_id: str

    @property
    def engine(self) -> Engine:
        """The engine that it is run on."""
        return self.partitioning.engine

    @property
    def job(self) -> Job:
        """The job that it is of."""
        return self.partitioning.job

    @property
    def slots(self) -> Slots:
        """The values of the braces in the job's patterns."""
        return self.partitioning.slots(self.key)

    @property
    def family(self) -> TargetFiles:
        """The files that the job writes."""
        return self.family_of(self.job)

    @property
    def inputs(self) -> InputFiles:
        """The files that the job reads."""
        return InputFiles(self.engine, self.job, self.slots, self.family_of, self.partitioning.file_filter(self.key))

    def has_other_inputs(self, *, proposed: bool = True) -> bool:
        """Whether there is something to read besides transcripts: a request, files of entries, or what agents proposed.

        Documents are read as they stand now, so only the last window looks at them. Not `proposed` says that no
        proposal waits.
        """
        reads, window = self.job.reads, self.key.window
        is_last = window.end + (window.end - window.start) > self.engine.clock.now()
        patterns = (*reads.entries, *(reads.documents if is_last else ()))
        files = self.engine.workspace.select
        standing = any(files(self.inputs.concrete(pattern), whole=True) for pattern in patterns)
        return standing or bool(self.partitioning.request(self.key) or (proposed and self._waiting_proposals))

    @property
    def blank(self) -> Outcome:
        """The outcome of a run without a result."""
        return Outcome(
            job=self.job.name,
            subject=self.key.subject,
            key=self.key.key,
            window=self.key.window,
            ending=Ending.EMPTY,
            run_id=self.run_id,
            backfill=self.engine.backfill,
            reading=self.job.reading.version if self.job.reading else 0,
        )

    def work(self, sessions: Sequence[Session], asker: Asker) -> Outcome:
        """Run the job and write its drafts."""
        work = self._work_on_entries if self.job.writes.append else self._work_on_pages
        ended = work(sessions, asker)
        # The parts of a model's answers that their schemas refused: no job has seen them.
        _emit_rejections(self.engine, asker.unfit)
        skipped = {**ended.skipped, CLIPPED: asker.clipped_labels} if asker.clipped_labels else ended.skipped
        ended = ended.model_copy(update={"rejected": (*ended.rejected, *asker.unfit), "skipped": skipped})
        return _with_warnings(ended, _model_warnings(sessions, asker))

    def _work_on_pages(self, sessions: Sequence[Session], asker: Asker) -> Outcome:
        self._refuse_where_away()
        pages, today = self._pages(), self.engine.local_now().date()
        paths = [path for page in pages.values() for path in page.paths()]
        removals = notice_removals(self.engine, [*paths, *self.job.reads.by_people], today)
        self.engine.safe_point()
        run = self._gather_run(sessions, asker)
        ended = self._rewrite_pages(run, pages) if self.family.has_pages else self._render_page(run, pages[""])
        return _with_warnings(ended, _page_warnings(removals, ended.rejected))

    def _pages(self) -> dict[str, Pages]:
        """The pages of the partition, by name: the existing ones of a family of named pages, else the only page."""
        if not self.family.has_pages:
            return {"": self._page("")}
        # The slots of the partition as far as a path of the family has them.
        own = self.family.slots_of(self.family.path(self.family.page_slots(self.slots, "x"))) or Slots()
        known = filter(None, map(self.family.slots_of, self.family.paths()))
        mine = [slots for slots in known if replace(slots, page="", part="") == replace(own, page="", part="")]
        return {name: self._page(name) for name in (slots.page or slots.part for slots in mine)}

    def _page(self, name: str) -> Pages:
        return Pages(self.engine, self.family, self.run_id, self.family.page_slots(self.slots, name))

    def _work_on_entries(self, sessions: Sequence[Session], asker: Asker) -> Outcome:
        files = self.family.files()
        # First: an older text of a block, which `regain` takes as it is, tells that its file is an earlier version.
        gone = notice_deletions(self.engine, self.family, files, self.engine.local_now().date())
        regain(self.engine, self.family, files)
        again = Committer(self.engine.workspace, self.engine.ledger, self.family, self.run_id).append_again()
        self.engine.safe_point()
        # Entries that are away are not seen by the job; they must not be written again.
        away = frozenset(block.identity for block in gone.away if block.identity)
        files = self.family.files() if again else files
        run = self._gather_run(sessions, asker, files, away)
        drafts = list(self.job.run(run))
        self.engine.safe_point()
        ended = self._append_drafts(run.written.entries, drafts, gone, files)
        if again:
            paths = dict.fromkeys([*(block.path for block in again), *ended.paths])
            ended = ended.model_copy(update={"ending": Ending.DONE, "paths": tuple(paths)})
        return _with_warnings(ended, _entry_warnings(gone, again, sessions))

    def _refuse_where_away(self) -> None:
        """Make no page of a part of its inputs."""
        engine = self.engine
        if self.job.is_fold and not engine.allow_shrink:
            # A fold is not rendered without one of its pages that is gone, unless that was undone.
            known = engine.ledger.keyed.find(self.job.name, self.key)
            paths = engine.ledger.keyed.inputs(known) if known else []
            lines = {path: len(engine.ledger.changes.standing_in(path)) for path in paths}
            if away := [path for path in paths if lines[path] and not engine.workspace.has_path(path)]:
                raise FileAway(away, sum(lines[path] for path in away))
        reads = self.job.reads
        for job in (job for job in engine.jobs if job.writes.append):
            read = (*reads.entries, *(reads.facts if job.writes.listed else ()))  # a fact is a list item
            patterns = [self.inputs.concrete(pattern) for pattern in read]
            if not patterns:
                continue
            family = self.family_of(job)
            files = family.files()
            gone = missing(engine.workspace, engine.ledger.changes, family, files)
            with engine.ledger.store.transaction():
                note_seen(engine.workspace, engine.ledger.changes, family, files, engine.clock.now())
            if not engine.allow_shrink:
                refuse_where_away(gone, patterns)

    def _gather_run(
        self,
        sessions: Sequence[Session],
        asker: Asker,
        files: Sequence[TargetFile] = (),
        away: frozenset[str] = frozenset(),
    ) -> Run:
        """The values for the job; `files` are those that it appends to, and `away` what stands in none of them now."""
        engine, read, reads = self.engine, self.inputs, self.job.reads
        forgotten = read_forgotten(engine.workspace)
        ask = _Untimed(asker, engine.safe_point) if engine.settings.model.programs else asker
        return Run(
            key=self.key.key,
            window=self.key.window,
            day=self.slots.day or engine.local_now().date(),
            now=engine.local_now(),
            models=engine.models(asker, ask),
            inputs=Inputs(
                transcripts=without_forgotten(engine.workspace, sessions),
                documents=tuple(read.documents(reads.documents)),
                entries=tuple(read.read_entries()),
                by_people=tuple(read.by_people()),
                items=tuple(read.items(reads.items)),
                facts=tuple((read.facts_in_force if self.job.is_fold else read.facts)(reads.facts)),
                proposals=self._waiting_proposals,
                kinds=engine.catalog.kinds,
            ),
            written=WrittenFiles(
                entries=tuple(read.own_entries(files)),
                number=self.slots.number,
                ordinal=self.partitioning.ordinal(self.key),
            ),
            refusals=Refusals(
                forgotten=away | {known for gone in forgotten for known in (gone.identity, gone.entry_id) if known},
                removed=frozenset(gone.entry_id for gone in forgotten if "#" in gone.entry_id),
                unlinked=frozenset(read_unlinked(engine.workspace)),
                declined=read_declined(engine.workspace).has_identity,
            ),
            agent=engine.agent(self.key.subject),
            request=self.partitioning.request(self.key),
        )

    @cached_property
    def _waiting_proposals(self) -> tuple[WaitingProposal, ...]:
        """The proposals of agents for the job that reads entries; a request has nothing to do with them."""
        if self.job.reading is None or self.partitioning.request(self.key):
            return ()
        return tuple(waiting_proposals(self.engine, self.key.window))

    def _append_drafts(
        self, known: Sequence[Entry], drafts: Sequence[Draft], gone: Missing, files: Sequence[TargetFile]
    ) -> Outcome:
        """Append the drafts of a run to these files."""
        committer = Committer(self.engine.workspace, self.engine.ledger, self.family, self.run_id)
        gated = pass_gate(self.engine, self.job, self.key.subject, self.run_id, drafts)
        new = [*(draft for draft in drafts if isinstance(draft, EntryDraft | BlockDraft)), *gated.written]
        # Also of blocks that cannot be read.
        taken = {block.name for block in gone.away}.union(*(file.names for file in files)) if new else set[str]()
        blocks = [_with_free_name(draft, taken) for draft in new]
        paths = committer.append(self.slots, blocks)
        # An entry that is away may supersede another one, so no status is certain now.
        states = [] if gone.away else [draft for draft in drafts if isinstance(draft, StatusDraft)]
        paths += committer.set_status(states)
        # Behind the entries: what stands is not suggested.
        suggested = keep_new(self.engine, self.job, self.run_id, drafts, known) + keep(self.engine, gated.staged)
        if judged := [draft.proposal_id for draft in drafts if isinstance(draft, JudgedProposal)]:
            with self.engine.ledger.store.transaction():
                self.engine.ledger.entry_proposals.judge(judged)
        drafts = [*drafts, *gated.refused]
        return self._outcome(drafts, paths, written=tuple(map(name_of, blocks)), suggested=suggested)

    def _render_page(self, run: Run, page: Pages) -> Outcome:
        """Bring the only page up to date; the job runs again when the page changes meanwhile."""
        drafts = list[Draft]()

        def render(current: str) -> Sequence[ItemDraft]:
            drafts[:] = self.job.run(replace(run, written=replace(run.written, current=current)))
            self.engine.safe_point()
            return self._page_items(drafts)

        return self._outcome_of_pages(drafts, page.rewrite(render))

    def _rewrite_pages(self, run: Run, pages: dict[str, Pages]) -> Outcome:
        """Bring all pages up to date; a page that the job does not name any more loses our items."""
        shown = {name: page.visible_text() for name, page in pages.items()}
        drafts = self.job.run(replace(run, written=replace(run.written, pages=shown)))
        self.engine.safe_point()
        wanted: dict[str, list[ItemDraft]] = {name: [] for name in pages}
        for draft in self._page_items(drafts):
            name = page_name(draft.page) if draft.page else ""
            wanted.setdefault(next((other for other in wanted if same_page(other, name)), name), []).append(draft)
        changed = dict[str, list[str]]()
        for name, items in wanted.items():
            changed |= (pages.get(name) or self._page(name)).rewrite(_render_items(items))
        suggested = keep_aliases(self.engine, self.job, self.run_id, drafts)
        return self._outcome_of_pages(drafts, changed, suggested)

    def _page_items(self, drafts: Sequence[Draft]) -> list[ItemDraft]:
        """The items for pages, once all of them name a page as the family has it."""
        items, family = [draft for draft in drafts if isinstance(draft, ItemDraft)], self.job.writes.family
        for item in items:
            lacks_page = "{page}" in family and not item.page.strip()
            if lacks_page or (item.page and not self.family.has_pages):
                raise PageRefused(self.job.name, family, item.page)
        return items

    def _outcome_of_pages(
        self, drafts: Sequence[Draft], changed: Mapping[str, Sequence[str]], suggested: tuple[str, ...] = ()
    ) -> Outcome:
        """The outcome with the names of the items in the pages that changed."""
        names = tuple(name for part in changed.values() for name in part)
        return self._outcome(drafts, list(changed), items=names, suggested=suggested)

    def _outcome(self, drafts: Sequence[Draft], paths: Sequence[str], **names: tuple[str, ...]) -> Outcome:
        """The outcome of a run that changed these files; `names` are those of the entries, items and suggestions."""
        rejected = tuple(draft for draft in drafts if isinstance(draft, Rejection))
        _emit_rejections(self.engine, rejected)
        return self.blank.model_copy(
            update={
                "ending": Ending.DONE if paths or names.get("suggested") else Ending.EMPTY,
                "paths": tuple(dict.fromkeys(paths)),
                "skipped": dict(Counter(draft.reason for draft in drafts if isinstance(draft, Skip))),
                "rejected": rejected,
                "notices": tuple(draft.text for draft in drafts if isinstance(draft, Notice)),
                **names,
            }
        )


def _render_items(items: Sequence[ItemDraft]) -> Render:
    return lambda _: items


def _with_free_name(draft: AppendDraft, taken: AbstractSet[str]) -> AppendDraft:
    """The draft under a free id: a block that cannot be read, which no job sees, may have the id already."""
    if name_of(draft) not in taken:
        return draft
    free = f"{name_of(draft)}-{draft.identity[-6:]}"
    if isinstance(draft, EntryDraft):
        return replace(draft, entry=draft.entry.model_copy(update={"id": free}))
    return replace(draft, name=free)


def key_in_words(key: str, window: Window, zone: str) -> str:
    """A key for people: a day, a week or a month as it is, any other window by its times."""
    return spoken(window.start, window.end, zone) if "/" in key else key


def _entry_warnings(gone: Missing, again: Sequence[KnownBlock], sessions: Sequence[Session]) -> Iterator[str]:
    """The warnings about entries that are gone or were written again, and about damaged lines of transcripts."""
    if deleted := gone.deleted:  # also about one, for it may be an accident
        others = len({block.path for block in deleted}) - 1
        files = f"{deleted[0].path} and {others} other file(s)" if others else deleted[0].path
        entries = "1 entry that we wrote is" if len(deleted) == 1 else f"{len(deleted)} entries that we wrote are"
        yield f"{entries} gone from {files}, and not written again; {_LISTED}"
    if gone.away:
        first, others = gone.files_away[0], len(gone.files_away) - 1
        more = f" and {others} other file(s) are gone or damaged" if others else ""
        yield (
            f"{first} {gone.faults.get(first, 'is gone as a whole')}{more}, with {len(gone.away)} recorded entries: "
            "they count as away, neither forgotten nor written again. Bring the file back; if you deleted it, run once "
            "with --allow-shrink"
        )
    yield _written_again_warning(again)
    # A line that holds no whole record: a write into the transcript was cut.
    damaged = {session.session_path: lines for session in sessions if (lines := session.skipped.get("bad_line", 0))}
    for path, lines in list(damaged.items())[:1]:
        more = f" and of {len(damaged) - 1} other transcript(s)" if len(damaged) > 1 else ""
        yield f"{lines} line(s) of {path}{more} could not be read: what was said in them is not known"


def _written_again_warning(again: Sequence[KnownBlock]) -> str:
    """The warning about blocks that an earlier version of a file took away, which a person may have wished."""
    if not again:
        return ""
    parts = "1 part was" if len(again) == 1 else f"{len(again)} parts were"
    return (
        f"{parts} gone from {again[0].path}, as when an editor, a sync or a backup puts an earlier version of it "
        f"there, or a half of it; written again, this once: {', '.join(block.name for block in again)}. If you took it "
        "out, do so again"
    )


def _page_warnings(removals: Removals, rejected: Sequence[Rejection]) -> Iterator[str]:
    """The warnings about lines that are gone from pages, and about entries without room there."""
    names = removals.taken_out
    if len(names) >= MANY:  # people prune pages, so a few lines give no warning
        page = names[0].partition("#")[0]
        yield f"{len(names)} lines that were taken out of {page} stay out of it from now on; {_LISTED}"
    yield _written_again_warning(removals.lost)
    if emptied := ", ".join(removals.emptied):  # what people wrote there is not ours to bring back
        yield f"{emptied} was empty and is written anew; bring it back if you had written there yourself"
    if waiting := sum(rejection.reason == NO_ROOM for rejection in rejected):
        yield f"{waiting} entries found no room on the page; `memory doctor adopt` shows what takes it"


def _model_warnings(sessions: Sequence[Session], asker: Asker) -> Iterator[str]:
    """The warnings about questions that were too long for the model or its server, and about sources without a model.

    Of such a source the owner has not said that no model shall see it.
    """
    if asker.divided:
        asked = "a question was" if asker.divided == 1 else f"{asker.divided} questions were"
        yield f"{asked} longer than the model's context and answered in parts; a longer context reads better"
    read = frozenset[str]().union(*(session.sources for session in sessions if not session.machine))
    if names := sorted(asker.readers.undecided_sources(read)) if asker.readers else []:
        yield (
            f"no model may see the words of {', '.join(names)}, which were read without one; `memory config model "
            "allow` lets a program see them"
        )


def _with_warnings(outcome: Outcome, warnings: Iterable[str]) -> Outcome:
    """The outcome with warnings behind those that it has; some of these are empty."""
    every = list(filter(None, (outcome.warning, *warnings)))
    return outcome.model_copy(update={"warning": "; ".join(every)})


@dataclass(frozen=True)
class _Untimed:
    """`Models.ask` of a program: an answer takes minutes, within a limit of its own, and none of the job's time."""

    asker: Asker
    safe_point: CancellationToken

    def __call__(self, tasks: Sequence[Task[Answer]]) -> list[Answer]:
        with self.safe_point.stop_clock():
            return self.asker(tasks)


def _emit_rejections(engine: Engine, rejected: Sequence[Rejection]) -> None:
    for rejection in rejected:
        engine.emit(Event.REJECTED, reason=rejection.reason, session=rejection.session_id, number=rejection.number)
