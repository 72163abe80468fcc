"""The upgrade of a workspace to the program that is installed, and the way back."""

import shutil
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pipeline.app.index import open_index
from pipeline.clock import SystemClock
from pipeline.errors import PipelineError, WriteFailed
from pipeline.errors.workspaces import ActsWouldBeLost, DatabaseInUse, NothingToPutBack
from pipeline.index.sync.stamp import difference, identity_now, read_stamp
from pipeline.kept_upgrades import KeptUpgrade, kept_upgrades
from pipeline.ledger.store import ReadOnlyStore, is_alone, schema_steps
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.store.opening import FILE, FOLDER
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from pipeline.workspace.locks import Locks
from schemas.reports.upgrade import ReturnReport

_LEDGER, _STORE = "ledger", "store"
_SUGGESTIONS_SINCE = 6
"""The version of the ledger since which it has suggestions."""
_NEWER = ".newer"
"""Ends the name of a file that was taken out of use by going back."""


def ledger_version(root: Path) -> int | None:
    """The version of a workspace's ledger, which is not upgraded; `None` without a ledger.

    Raises:
        LedgerDamaged: the file cannot be used.
        WorkspaceError: the system refuses.
    """
    ledger = Workspace(root).state_folder / LEDGER_FILE
    if not ledger.exists():
        return None
    with closing(ReadOnlyStore(ledger)) as store:
        return int(store.value("PRAGMA user_version"))


def steps_from(version: int) -> tuple[str, ...]:
    """The steps from a version of the ledger to that of this program, each with what it brings, in a sentence."""
    sentences = []
    for number, step in enumerate(schema_steps()[version:], version + 1):
        comment = [line.removeprefix("-- ") for line in step.strip().splitlines() if line.startswith("-- ")]
        sentences.append(f"{number}: {' '.join(comment)}")
    return tuple(sentences)


def remade_files(root: Path, context: ProcessContext) -> tuple[str, ...]:
    """The derived files that the next search makes anew, because this program builds them in another way."""
    with suppress(PipelineError), open_index(root, context) as opened:
        with opened.indexing.store.reading() as reader:
            stamp = read_stamp(reader) if reader else None
        if stamp and (why := difference(stamp.identity, identity_now(opened.indexing))):
            return (f"the index ({why})",)
    return ()


def plan_return(root: Path) -> ReturnReport:
    """Tell what going back to the newest copy of the ledger from before an upgrade would lose.

    Raises:
        LedgerDamaged: a file cannot be used.
        WorkspaceError: there is no copy; the system refuses.
    """
    state = Workspace(root).state_folder
    kept = next((upgrade for upgrade in kept_upgrades(state) if upgrade.database == _LEDGER), None)
    if kept is None:
        raise NothingToPutBack(str(state))
    with closing(ReadOnlyStore(kept.file)) as copy:
        known = {*copy.column("SELECT id FROM runs")}
        waiting = {*copy.column("SELECT id FROM suggestions")} if kept.before >= _SUGGESTIONS_SINCE else set()
        undone = {*copy.column("SELECT id FROM runs WHERE undone IS NOT NULL")}
    ledger, runs, acts = state / LEDGER_FILE, 0, Counter[str]()
    if ledger.exists():
        with closing(ReadOnlyStore(ledger)) as store:
            jobs = {job.name for job in discover()}
            since = [row for row in store.rows("SELECT id, job, undone FROM runs") if row["id"] not in known]
            runs = sum(row["job"] in jobs for row in since)
            acts += Counter(row["job"] for row in since if row["job"] not in jobs)
            taken_back = {*store.column("SELECT id FROM runs WHERE undone IS NOT NULL")} - undone
            acts += Counter({"undo": len(taken_back), "decide": len(waiting - _open_suggestions(store))})
    lost = tuple(f"{number} {act}" for act, number in sorted((+acts).items()))
    newer = tuple(f"{saved}{_NEWER}" for file, saved in _pairs(root, kept.moment) if file.exists())
    return ReturnReport(kept.before, kept.moment, runs, lost, newer)


def go_back(root: Path, *, losing_acts: bool) -> ReturnReport:
    """Put back the ledger from before the newest upgrade, and the store if it was upgraded with it.

    The newer files are kept beside the copies. Markdown files stay as they are.

    Raises:
        LedgerDamaged: a file cannot be used.
        WorkspaceError: the owner decided things since, and `losing_acts` does not allow to lose that; a job runs, or
            another process has a database open; there is no copy; the system refuses.
    """
    jobs, now = discover(), SystemClock().now()
    names = ["upgrade", *(name for job in jobs for name in (job.name, *job.locks))]
    with Locks(Workspace(root).lock_folder).hold(names, "none", now + max(job.timeout for job in jobs)):
        report = plan_return(root)
        if report.acts and not losing_acts:
            moment = f"{report.moment:%Y-%m-%d %H:%M} UTC"
            raise ActsWouldBeLost(moment, ", ".join(report.acts))
        pairs = _pairs(root, report.moment)
        for file, _ in pairs:
            if file.exists() and not is_alone(file):
                raise DatabaseInUse(str(file))
        try:
            for file, kept in reversed(pairs):  # the ledger last: until then this can be done again
                if file.exists():
                    shutil.copy2(file, kept.with_name(kept.name + _NEWER))
                kept.replace(file)  # at once: a kill before it leaves the newer file in use
        except OSError as error:
            raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error
        return replace(report, done=True)


def _pairs(root: Path, moment: datetime) -> list[tuple[Path, Path]]:
    """The files in use with the copies that take their place, the ledger first: the newest of each database.

    A store that was upgraded before the copy of the ledger was made belongs to it, and stays.
    """
    files = {_LEDGER: Workspace(root).state_folder / LEDGER_FILE, _STORE: root / FOLDER / FILE}
    newest = dict[str, KeptUpgrade]()
    for kept in kept_upgrades(Workspace(root).state_folder):
        newest.setdefault(kept.database, kept)
    wanted = (newest[name] for name in files if name in newest)
    return [(files[one.database], one.file) for one in wanted if one.database == _LEDGER or one.moment >= moment]


def _open_suggestions(store: ReadOnlyStore) -> set[str]:
    columns = {row["name"] for row in store.rows("PRAGMA table_info(suggestions)")}
    only = " WHERE declined IS NULL" if "declined" in columns else ""
    return {*store.column(f"SELECT id FROM suggestions{only}")}  # noqa: S608 - a column's name
