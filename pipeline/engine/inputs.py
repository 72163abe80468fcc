"""The part of the workspace that a job sees: the files that it declared to read, and nothing else."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import chain

from pipeline.engine.context import Engine
from pipeline.engine.verification import as_written, in_force, project_of, written_blocks
from pipeline.entries.standing import Fold, fold
from pipeline.facts.corrected import with_corrections, without_archived
from pipeline.facts.names import PAGES, EntityNames, names_in
from pipeline.job import Document, Job, Noted, NotedItem
from pipeline.ledger.changes import STANDING
from pipeline.markdown.blocks import block_names
from pipeline.markdown.entries import parse_entries
from pipeline.markdown.items import render_page
from pipeline.workspace.families import Slots, TargetFile, TargetFiles, concrete
from pipeline.workspace.layout import LISTS, glob_of, patterns_of
from schemas.entry import Entry, Status, Trust
from schemas.fact import Fact

FamilyOf = Callable[[Job], TargetFiles]
_CORRECTION = b"\n- corrects: "
"""A file without it has no correction."""
_ARCHIVED = b"\n- status: archived"
"""A file without it, in any case, has no entry that a person has archived."""


@dataclass(frozen=True)
class InputFiles:
    """The files that one partition of a job reads; `family_of` keeps what was parsed.

    Of documents and items it shows those that pass `file_filter` alone.
    """

    engine: Engine
    job: Job
    slots: Slots
    family_of: FamilyOf
    file_filter: Callable[[str], bool] = lambda _: True

    def documents(self, patterns: Sequence[str]) -> Iterator[Document]:
        """The whole files that match patterns."""
        for path in self._paths(patterns):
            yield Document(path, (self.engine.workspace.read(path) or b"").decode(errors="replace"))

    def _paths(self, patterns: Sequence[str]) -> Iterator[str]:
        for pattern in patterns:
            yield from filter(self.file_filter, self.engine.workspace.select(self.concrete(pattern), whole=True))

    def _look(self, patterns: Sequence[str]) -> Iterator[tuple[str, os.stat_result]]:
        for pattern in patterns:
            for path, status in self.engine.workspace.look(self.concrete(pattern), whole=True).items():
                if self.file_filter(path):
                    yield path, status

    def items(self, patterns: Sequence[str]) -> Iterator[NotedItem]:
        """The list items of ours in the files that match patterns, in the order of the files and in them.

        An item that the ledger did not write into the file, or that was changed since, may be anybody's: it is no item.
        """
        held = self.engine.ledger.changes.held
        for path, status in self._look(patterns):
            written = (ours.standing for ours in held.refresh().of(path))
            known = {(at.block.name, at.block.digest) for at in written if at.state in STANDING}
            for block in self.engine.blocks(path, status):
                if block.item and block.intact and (block.name, block.digest) in known:
                    yield NotedItem(path, block.name, block.text)

    def facts_in_force(self, patterns: Sequence[str]) -> Iterator[Fact]:
        """The facts as `corrected_facts` gives them, without those that say the same as an archived entry."""
        entries = self._fold_where(_ARCHIVED, _CORRECTION)
        return with_corrections(without_archived(self.facts(patterns), entries), entries)

    def corrected_facts(self, patterns: Sequence[str]) -> Iterator[Fact]:
        """The facts as `facts` gives them, with the words of the corrections of entries that say the same."""
        return with_corrections(self.facts(patterns), self._fold_where(_CORRECTION))

    def _fold_where(self, *marks: bytes) -> Fold:
        """The standing of all entries, if one of the marks stands in a file; else of none."""
        jobs = [job for job in self.engine.writers if not job.writes.listed]
        patterns = [glob_of(pattern) for job in jobs for pattern in patterns_of(job.writes)]
        looked = (self.engine.workspace.look(pattern, whole=True).items() for pattern in patterns)
        places = [place for files in looked for place in files]
        if not any(self.engine.having(mark, *place) for mark in marks for place in places):
            return fold(())
        files = [file for job in jobs for file in self.family_of(job).files()]
        return fold(entry for _, _, entry in self._entries_in_files(files))

    def facts(self, patterns: Sequence[str]) -> Iterator[Fact]:
        """The facts in the files that match patterns, in the order of the files and in them.

        A fact that the ledger did not write into the file, or that was changed since, is of other hands. In a file
        without a day in its name these are of no day, which is `date.min`. In the open conflict of a merge they are
        none.
        """
        for path, status in self._look(patterns):
            if path not in LISTS:
                yield from self.engine.facts(path, status)

    def by_people(self) -> Iterator[Document]:
        """The text of people in the files that the job reads for it."""
        for path in self._paths(self.job.reads.by_people):
            yield Document(path, _text_by_people(self.engine, path))

    def read_entries(self) -> Iterator[Noted]:
        """The entries in the files that the job reads for them; those that do not verify are marked."""
        patterns = [self.concrete(pattern) for pattern in self.job.reads.entries]
        if not patterns:
            return
        for job in (job for job in self.engine.jobs if job.writes.append):
            family = self.family_of(job)
            mine = [path for path in family.paths() if any(fnmatchcase(path, pattern) for pattern in patterns)]
            files = [file for path in mine if (file := family.file(path))]
            said_in = self.engine.catalog.project_lookup()
            for path, stated, entry in self._entries_in_files(files):
                yield Noted(entry, path, stated, project_of(entry, said_in))

    def _entries_in_files(self, files: Sequence[TargetFile]) -> Iterator[tuple[str, float, Entry]]:
        """The entries of files, each as far as it is believed, with its path and the confidence that it states."""
        changes, doubted = self.engine.ledger.changes, self._find_doubted(files)
        compared = files if doubted else ()
        written = written_blocks(changes, {block.name for file in compared for block, _ in file.blocks})
        whole = as_written((block for file in compared for block in file.blocks), written)
        for place, (block, entry) in ((file, part) for file in files for part in file.blocks):
            believed = place.path not in doubted
            sure = entry if believed else in_force(block, entry, written, self.engine.catalog, whole)
            if sure:
                shown = sure.quote_alone() if sure.trust is Trust.QUOTED else sure
                yield place.path, (entry or sure).confidence, shown

    def _find_doubted(self, files: Iterable[TargetFile]) -> set[str]:
        """The paths of the files of which some block is not ours word for word, or stands in several."""
        held = self.engine.ledger.changes.held.refresh()
        differing = held.find_differing(files)
        return {file.path for file in differing if not file.digests <= held.live_alone_in(file.path)}

    def own_entries(self, files: Sequence[TargetFile]) -> Iterator[Entry]:
        """All entries in the job's own files; unverified ones are marked.

        An entry with a true quote under a name that the ledger never had counts as unverified: it may have been put
        there so that the quoted words are passed over.
        """
        if self.job.writes.listed:  # its items are no entries
            return
        if not self._find_doubted(files):
            yield from chain.from_iterable(file.entries for file in files)
            return
        for _, _, entry in self._entries_in_files(files):
            strange = entry.trust is Trust.QUOTED and not self.engine.ledger.changes.known_names([entry.id])
            yield entry.as_unverified() if strange else entry

    def fingerprints(self, patterns: Sequence[str]) -> dict[str, list[str]]:
        """The hashes by which a change of inputs is noticed: each file with a hash of the text that the job sees.

        `patterns` choose the files; without patterns, all inputs of the job count. The corrections of entries that the
        job reads count always.
        """
        reads = self.job.reads
        facts = list(self.facts_in_force(reads.facts) if self.job.is_fold else self.facts(reads.facts))
        if reads.facts and not facts and not reads.without_facts:
            return {}
        wanted = patterns or (*reads.documents, *reads.entries)
        seen = [(path, self.engine.seen_text(path, status)) for path, status in self._look(wanted)]
        if reads.facts and not facts and sum(text.has_entry for _, text in seen) < reads.without_facts:
            return {}
        hashes = {path: text.digest.copy() for path, text in seen}
        if patterns:
            hashes |= {path: sha256(text.encode()) for path, text in self._texts_of_corrections().items()}
        else:
            pages = (page for page in self.by_people() if page.text.strip())
            hashes |= {page.path: sha256(page.text.encode()) for page in pages}
            for item in self.items(reads.items):
                hashes.setdefault(item.path, sha256()).update(f"{item.name} {item.text}\n".encode())
            for fact in facts:
                hashes.setdefault(fact.path, sha256()).update(f"{fact.model_dump_json()}\n".encode())
        return {path: [digest.hexdigest()] for path, digest in hashes.items()}

    def _texts_of_corrections(self) -> dict[str, str]:
        """The corrections of ours in the files of the entries that the job reads, by path.

        Beside them the names of entries that a person has archived there.
        """
        texts = dict[str, str]()
        for pattern in self.job.reads.entries:
            for path, status in self.engine.workspace.look(self.concrete(pattern), whole=True).items():
                data = self.engine.having(_CORRECTION, path, status) or self.engine.having(_ARCHIVED, path, status)
                written = written_blocks(self.engine.ledger.changes, block_names(data)).blocks if data else frozenset()
                blocks = [(block, entry, (block.name, block.digest) in written) for block, entry in parse_entries(data)]
                made = [block.text for block, _, is_ours in blocks if is_ours and _CORRECTION.decode() in block.text]
                others = [(block, entry) for block, entry, is_ours in blocks if entry and not is_ours]
                made += [block.name for block, entry in others if entry.status is Status.ARCHIVED]
                if made:
                    texts[path] = "\n".join(made)
        return texts

    def concrete(self, pattern: str) -> str:
        """A pattern with the slots of the partition put in; an empty slot matches any value."""
        times = ("day", "week", "month") if self.slots.day else ()
        return concrete(glob_of(pattern, keep=(*times, "agent") if self.slots.agent else times), self.slots)


def entries_of(engine: Engine) -> Fold:
    """The standing of all entries."""
    own = (
        entry
        for job in engine.writers
        if not job.writes.listed
        for entry in InputFiles(engine, job, Slots(), engine.family).own_entries(engine.family(job).files())
    )
    return fold(own)


_SUMMARY = "summary"
"""The name of the item."""


def all_facts(engine: Engine) -> list[Fact]:
    """The facts of all files in which a job reads facts, in the order of the files, in the words that hold."""
    readers = [job for job in engine.jobs if job.reads.facts]
    patterns = tuple(dict.fromkeys(pattern for job in readers for pattern in job.reads.facts))
    return list(InputFiles(engine, readers[0], Slots(), engine.family).corrected_facts(patterns)) if readers else []


def names_by_people(engine: Engine) -> EntityNames:
    """The names of entities, as people gave them."""
    return names_in(pages_by_people(engine))


def pages_by_people(engine: Engine) -> list[tuple[str, str]]:
    """The texts of people in the pages of entities, each with its path; not pages in which nobody wrote."""
    texts = [(path, _text_by_people(engine, path)) for path in engine.workspace.select(PAGES)]
    return [(path, text) for path, text in texts if text.strip()]


def _text_by_people(engine: Engine, path: str) -> str:
    data, ours = engine.workspace.read(path) or b"", engine.ledger.changes.ever_in(path)
    return render_page(data, (), ours=ours).decode(errors="replace")


def page_summaries(engine: Engine) -> list[tuple[str, str]]:
    """The summaries that the pages of entities begin with, each as it was written: a path with a text."""
    readers = [job for job in engine.jobs if job.reads.facts]
    items = InputFiles(engine, readers[0], Slots(), engine.family).items((PAGES,)) if readers else ()
    return [(item.path, item.text) for item in items if item.name == _SUMMARY]
