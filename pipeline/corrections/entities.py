"""Names of entities that a person puts together, or takes apart again, in the front matter of their pages.

Each is a run of no job, which `memory undo` takes back; the folds of facts are rendered at once.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from pipeline.backfill.plan import due_now, work_through
from pipeline.corrections.correction import carried_out, hold_jobs
from pipeline.corrections.undo_blocks import Receipt
from pipeline.engine.absence import put_ours
from pipeline.engine.append import ATTEMPTS
from pipeline.engine.context import Engine
from pipeline.engine.inputs import names_by_people
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.engine.recovery import intend_change
from pipeline.engine.runner import Runner
from pipeline.errors import ChangedMeanwhile, NothingToUndo
from pipeline.errors.corrections import FrontMatterUnclear, NotMerged, SameEntity
from pipeline.facts.names import Entity, PageNames, forms_of, front_of, same_name
from pipeline.facts.sections import FAMILY
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.ledger.runs import RunRecord
from pipeline.markdown.front_matter import FieldValue, front_matter, with_fields
from pipeline.reports.entities import entity_named, given_names, known_entities, page_path
from schemas.outcome import Outcome
from schemas.reports.entities import EntitiesCorrected

MERGING, SPLITTING = "merge", "split"
NAMINGS = frozenset({MERGING, SPLITTING})
"""The names of the runs in the ledger; they are no jobs."""

Fields = Mapping[str, FieldValue]


@dataclass(frozen=True)
class EntitiesNamed:
    """A merge or a split: its run, with the pages that it changed, and the runs that rendered what follows."""

    outcome: Outcome
    rendered: tuple[Outcome, ...]

    def report(self, name: str, other: str) -> EntitiesCorrected:
        """The report for programs; `name` and `other` as they were given."""
        return EntitiesCorrected(
            run_id=self.outcome.run_id,
            undo=f"memory undo {self.outcome.run_id}",
            name=name,
            other=other,
            paths=self.outcome.paths,
            rendered=tuple(path for outcome in self.rendered for path in outcome.paths),
            warnings=tuple(outcome.warning for outcome in self.rendered if outcome.warning),
        )


def change_names(engine: Engine, way: Literal["merge", "split"], name: str, other: str) -> EntitiesCorrected:
    """Put two names together, or take them apart; the report. Raises what `merge` and `split` raise."""
    return (merge if way == MERGING else split)(engine, name, other).report(name, other)


def merge(engine: Engine, name: str, other: str) -> EntitiesNamed:
    """Make `other`, with all of its names, an alias of `name`.

    Raises:
        UnknownEntity: nothing has one of the names.
        SameEntity: they are one already.
        FrontMatterUnclear: a page cannot be changed without a guess; nothing was written.
        Held: somebody is at work on the pages.
    """
    rebuild_if_lost(engine)  # before the ledger knows of a run, and so does not look lost any more
    with _hold_pages(engine, MERGING) as run_id:
        known, names = known_entities(engine), names_by_people(engine)
        one, two = entity_named(name, known, names), entity_named(other, known, names)
        if one.key == two.key:
            raise SameEntity(name, other)
        mine, theirs = _pages_of(one, engine), _pages_of(two, engine)
        aliases = [*(alias for page in mine for alias in page.aliases), two.name]
        aliases += [alias for page in theirs for alias in page.aliases]
        unique = dict[str, str]()
        for alias in aliases:
            unique.setdefault(same_name(alias), alias)
        unique.pop(same_name(one.name), None)
        stated = {} if any(page.stated for page in mine) else {"name": one.name}
        wanted: dict[str, Fields] = {page.path: {"name": None, "aliases": None} for page in theirs}
        path = mine[0].path if mine else page_path(engine, one)
        outcome = _carry_out(engine, MERGING, run_id, {**wanted, path: {**stated, "aliases": [*unique.values()]}})
    return EntitiesNamed(outcome, _render_facts(engine))


def split(engine: Engine, name: str, other: str) -> EntitiesNamed:
    """Take `other` out of the aliases of `name`, so that it is an entity of its own again.

    Raises:
        UnknownEntity: nothing has the name.
        NotMerged: `other` is no alias of it.
        FrontMatterUnclear: a page cannot be changed without a guess; nothing was written.
        Held: somebody is at work on the pages.
    """
    rebuild_if_lost(engine)  # as above
    with _hold_pages(engine, SPLITTING) as run_id:
        entity = entity_named(name, known_entities(engine), names_by_people(engine))
        wanted: dict[str, Fields] = {}
        for page in _pages_of(entity, engine):
            left = [alias for alias in page.aliases if same_name(alias) != same_name(other)]
            if len(left) < len(page.aliases):
                wanted[page.path] = {"aliases": left or None}
        if not wanted:
            raise NotMerged(name, other)
        outcome = _carry_out(engine, SPLITTING, run_id, wanted)
    return EntitiesNamed(outcome, _render_facts(engine))


def undo_naming(engine: Engine, record: RunRecord) -> tuple[Receipt, tuple[Outcome, ...]]:
    """Take back a merge or a split: the front matter is as it was before, where nobody has changed it since.

    The paths of the pages that were restored and left, and the runs that rendered what follows.
    """
    with _hold_pages(engine, record.job):
        now = engine.ledger.runs.find(record.run_id)
        if now is None or now.undone:
            raise NothingToUndo(record.run_id, "has been undone" if now else "is not known")
        changes = list(reversed(engine.ledger.changes.of_run(record.run_id)))
        restored = tuple(change.path for change in changes if _put_back(engine, change))
        with engine.ledger.store.transaction():
            engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
    left = tuple(change.path for change in changes if change.path not in restored)
    return Receipt(restored=restored, left=left), _render_facts(engine)


def _pages_of(entity: Entity, engine: Engine) -> list[PageNames]:
    """The pages in which people name an entity, the one that has its own name first."""
    forms = forms_of(names_by_people(engine), entity.name)
    mine = [page for page in given_names(engine) if same_name(page.name) in forms]
    return sorted(mine, key=lambda page: (same_name(page.name) != same_name(entity.name), page.path))


def _carry_out(engine: Engine, name: str, run_id: str, wanted: Mapping[str, Fields]) -> Outcome:
    """Change the front matter of pages, whose locks the caller holds; the outcome of the run."""
    for path, fields in wanted.items():  # all can be changed before one is
        _with(engine.workspace.read(path) or b"", path, fields)

    def work() -> Mapping[str, object]:
        return {"paths": tuple(path for path, fields in wanted.items() if _put_fields(engine, run_id, path, fields))}

    return carried_out(engine, name, run_id, work)


def _hold_pages(engine: Engine, name: str) -> AbstractContextManager[str]:
    """Hold the locks of the writers of the pages; the id of the run."""
    return hold_jobs(engine, [job for job in engine.jobs if job.writes.family == FAMILY], [name])


def _put_fields(engine: Engine, run_id: str, path: str, fields: Fields) -> bool:
    """Change the front matter of a page, noted in the ledger; whether it changed."""
    for _ in range(ATTEMPTS):
        before = engine.workspace.read(path)
        after = _with(before or b"", path, fields)
        if after == (before or b""):
            return False
        kind = ChangeKind.CREATE if before is None else ChangeKind.REPLACE
        with intend_change(
            engine.workspace, engine.ledger, Change(run_id, path, kind, after, {}, before=before)
        ) as change:
            if put_ours(engine.workspace, engine.ledger.changes, path, before, after or None):
                engine.ledger.changes.settle(change, ())
                return True
            engine.ledger.changes.drop(change.number)
    raise ChangedMeanwhile(path)


def _with(data: bytes, path: str, fields: Fields) -> bytes:
    after = with_fields(data, fields) if data else front_of(str(fields["name"]), fields["aliases"] or ()).encode()
    if after is None:
        raise FrontMatterUnclear(path)
    return after


def _put_back(engine: Engine, change: Change) -> bool:
    """Put the old front matter back; `False` when it is another one by now."""
    for _ in range(ATTEMPTS):
        data = engine.workspace.read(change.path)
        head = front_matter(data or b"")
        if head != front_matter(change.after):
            return False
        whole = front_matter(change.before or b"") + (data or b"")[len(head) :]
        left = whole if whole.strip() else None
        if put_ours(engine.workspace, engine.ledger.changes, change.path, data, left):
            return True
    raise ChangedMeanwhile(change.path)


def _render_facts(engine: Engine) -> tuple[Outcome, ...]:
    """Render the folds of facts; one that fails, or that another process renders, is due until it has run."""
    folds = [job for job in engine.jobs if job.is_fold and job.reads.facts]
    return tuple(work_through(Runner(engine), due_now(engine, folds)))
