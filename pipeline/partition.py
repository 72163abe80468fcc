"""One partition from its inputs to its files: gather, call the job, commit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from zoneinfo import ZoneInfo

from pipeline.asking import Asker
from pipeline.clock import local_day
from pipeline.commit import Committer
from pipeline.deletions import notice_deletions
from pipeline.engine import Engine
from pipeline.events import Event
from pipeline.family import Family
from pipeline.forgotten import read_forgotten
from pipeline.job import Document, Draft, EntryDraft, Job, Run, SectionDraft, Skip, StatusDraft
from pipeline.pages import rewrite_page
from pipeline.verification import is_verified, trusted, written_blocks
from schemas.entry import Entry
from schemas.outcome import Ending, Outcome, Rejection
from schemas.transcript import Session
from schemas.window import Window


@dataclass(frozen=True)
class Partition:
    """A job's window, about to be run under `run_id`. The caller holds the locks."""

    engine: Engine
    job: Job
    family: Family
    window: Window
    run_id: str

    @property
    def day(self) -> date:
        """The local day of the window; windows are cut at midnight, so there is one."""
        return local_day(self.window.start, self.engine.zone)

    def work(self, blank: Outcome, sessions: Sequence[Session], asker: Asker) -> Outcome:
        """Do it; `blank` with what came of it.

        Raises:
            PipelineError: nothing more was written than the ledger knows of.
        """
        if self.job.writes.append:
            notice_deletions(self.engine, self.family, local_day(self.engine.clock.now(), self.engine.zone))
        self.engine.safe_point()
        run = self._gathered(sessions, asker)
        if self.job.writes.append:
            drafts = list(self.job.run(run))
            self.engine.safe_point()
            return self._appended(blank, drafts)
        return self._rewritten(blank, run)

    def _gathered(self, sessions: Sequence[Session], asker: Asker) -> Run:
        engine = self.engine
        documents = [
            Document(path, (engine.workspace.read(path) or b"").decode(errors="replace"))
            for pattern in self.job.reads.documents
            for path in engine.workspace.select(pattern)
        ]
        return Run(
            key=partition_key(self.window, engine.zone),
            window=self.window,
            day=self.day,
            now=engine.local_now(),
            transcripts=tuple(sessions),
            documents=tuple(documents),
            entries=tuple(self._entries()) if self.job.writes.append else (),
            forgotten=frozenset(gone.identity for gone in read_forgotten(engine.workspace) if gone.identity),
            ask=asker,
        )

    def _entries(self) -> Iterator[Entry]:
        """All entries of the family; those that do not verify are marked, so that they have no say."""
        written = written_blocks(self.engine.ledger.changes)
        for file in self.family.files():
            for block, entry in file.blocks:
                if entry:
                    verified = is_verified(block, entry, written, self.engine.catalog)
                    yield trusted(entry, verified=verified)

    def _appended(self, blank: Outcome, drafts: Sequence[Draft]) -> Outcome:
        committer = Committer(self.engine.workspace, self.engine.ledger, self.family, self.run_id)
        present = {block.name for file in self.family.files() for block, _ in file.blocks}
        entries = [_named_apart(draft, present) for draft in drafts if isinstance(draft, EntryDraft)]
        paths = committer.append(self.day, entries)
        paths += committer.set_status([draft for draft in drafts if isinstance(draft, StatusDraft)])
        return _outcome(self.engine, blank, drafts, [draft.entry.id for draft in entries], paths)

    def _rewritten(self, blank: Outcome, run: Run) -> Outcome:
        path, drafts = self.family.path(self.day), list[Draft]()

        def render(current: str) -> Sequence[SectionDraft]:
            drafts[:] = self.job.run(replace(run, current=current))
            return [draft for draft in drafts if isinstance(draft, SectionDraft)]

        names = rewrite_page(self.engine, self.run_id, path, render)
        return _outcome(self.engine, blank, drafts, names, [path] if names else [])


def _named_apart(draft: EntryDraft, taken: AbstractSet[str]) -> EntryDraft:
    """The draft under an id that is free: a block that cannot be read, which no job sees, may hold its own."""
    if draft.entry.id not in taken:
        return draft
    free = f"{draft.entry.id}-{draft.identity[-6:]}"
    return replace(draft, entry=draft.entry.model_copy(update={"id": free}))


def partition_key(window: Window, zone: str) -> str:
    """How people name a window: its local start and end."""
    return "/".join(
        moment.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes") for moment in (window.start, window.end)
    )


def _outcome(
    engine: Engine, blank: Outcome, drafts: Sequence[Draft], written: Sequence[str], paths: Sequence[str]
) -> Outcome:
    rejected = tuple(draft for draft in drafts if isinstance(draft, Rejection))
    for each in rejected:
        engine.emit(Event.REJECTED, reason=each.reason, session=each.session_id, number=each.number)
    return blank.model_copy(
        update={
            "ending": Ending.DONE if paths else Ending.EMPTY,
            "written": tuple(written),
            "paths": tuple(dict.fromkeys(paths)),
            "skipped": dict(Counter(draft.reason for draft in drafts if isinstance(draft, Skip))),
            "rejected": rejected,
        }
    )
