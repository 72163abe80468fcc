"""The checks of the machine under a workspace: rights, disk, clock, locks and the leftovers of crashes."""

import os
import re
import shlex
import shutil
import socket
import stat
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from glob import glob
from operator import attrgetter
from pathlib import Path

from pipeline.backup.note import read_note
from pipeline.clock import to_the_minute
from pipeline.doctor.run_check import NAMED
from pipeline.engine.context import Engine
from pipeline.engine.recovery import recover
from pipeline.errors import PipelineError, WriteFailed
from pipeline.index.context import Indexing
from pipeline.job import Job
from pipeline.ports.index import IndexStore
from pipeline.reports.status import lock_reports
from pipeline.settings.load import secret_settings
from pipeline.settings.locate import SETTINGS_FILE, variable_of
from pipeline.workspace.atomic import is_alive, sweep
from pipeline.workspace.layout import LISTS, glob_of, patterns_of
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import LARGEST, read_regular, why_unsuitable
from schemas.checkup import CheckResult, Health
from schemas.reports.status import LockReport

PRIVATE, PRIVATE_FILE = 0o700, 0o600
WAIT_SECONDS = 5.0
"""The seconds to wait for the process that uses the index; most hold it for moments."""
_YOUNG_WORKSPACE = timedelta(days=7)
"""The time after the first run in which nobody is told to back up."""
LATE_BACKUP = 2
"""How many times the wanted days a back-up may be old."""


def close_to_others(path: Path) -> str:
    """Give the rights to a folder of ours, or to the settings file, to its owner alone."""
    mode = PRIVATE if path.is_dir() else PRIVATE_FILE
    try:
        path.chmod(mode)
        kept = path.stat().st_mode & 0o777 == mode
    except OSError as error:
        raise WriteFailed(str(path), error.strerror or str(error)) from error
    if not kept:
        why = "its disk keeps no rights of files"
        raise WriteFailed(str(path), why)
    return f"{path} is open to you alone now"


def remove_siblings(root: Path, folders: Sequence[str]) -> str:
    """Remove the temporary files that killed runs left beside the pages; those of living processes stay."""
    before = [file for folder in folders for file in siblings(root / folder)]
    for folder in folders:
        sweep(root / folder)
    gone = [file for file in before if not file.exists()]
    return f"removed {len(gone)} temporary file(s)"


def siblings(folder: Path) -> list[Path]:
    """The temporary files that runs, alive or killed, have left beside the pages of a folder."""
    return sorted(folder.glob(".*.md.*.tmp"))


def complete_writes(engine: Engine, job: Job) -> str:
    """Complete or remove the half-written blocks of a crash in a job's files, as its next run would."""
    run_id = engine.new_run_id(engine.clock.now())
    with engine.locks.hold((job.name, *job.locks), run_id, engine.clock.now() + job.timeout):
        mended = recover(engine.workspace, engine.ledger, engine.family(job).owns)
    return f"mended {', '.join(mended)}" if mended else "nothing stood half written; the intention is cleared"


def drop_index(indexing: Indexing) -> str:
    """Remove an index that is damaged."""
    with indexing.latch.hold(WAIT_SECONDS):
        indexing.store.drop()
        indexing.vectors.drop()
    return "removed the damaged index; `memory doctor reindex`, or the next search, makes it anew"


def drop_words_index(latch: Latch, store: IndexStore, subject: str, maker: str) -> str:
    """Remove a damaged index of words alone, of a `subject`; `maker` names the command that builds it again.

    The vectors of the files stay, and so does what is kept of transcripts.
    """
    with latch.hold(WAIT_SECONDS):
        store.drop()
    return f"removed the damaged index of {subject}; {maker} makes it anew"


def tidy_index(indexing: Indexing, seconds: float = WAIT_SECONDS) -> str:
    """Remove the leftovers of killed builds of an index, and compact its vectors."""
    with indexing.latch.hold(seconds):
        indexing.store.tidy()
        indexing.vectors.settle()
    return "removed what was left over"


SCARCE, FULL = 500_000_000, 50_000_000
"""Free bytes below which the disk is reported as nearly full, and below which a run may fail: a build of the index of a
large workspace takes hundreds of megabytes, a run a few."""
SKEW = timedelta(minutes=5)
"""The difference between clocks from which it is reported: some machines set theirs rarely."""
_OTHERS = 0o077
_READ_WHOLE = (
    *LISTS,
    "checks.toml",
    "memory/.locks/*.*",
    ".memory/*.json",
    ".memory/*.lock",
    ".memory/*/*.json",
    ".memory/*/*.lock",
    ".memory/service/socket",
)
"""The files that are read as a whole, beside those of the jobs."""
_IN_PARTS = (".memory/state.db", ".memory/state.db-*")
_FIX = "`memory doctor --fix` does it"


def check_files(engine: Engine) -> Iterator[CheckResult]:
    """Check for paths that should be files or folders and are not: the code that needs them refuses."""
    root = engine.workspace.root
    families = [engine.family(job) for job in engine.jobs]
    whole = [glob_of(pattern) for family in families for pattern in patterns_of(family.target)]
    patterns = {**dict.fromkeys((*whole, *_READ_WHOLE), LARGEST), **dict.fromkeys(_IN_PARTS)}
    candidates = [
        (path, most)
        for pattern, most in patterns.items()
        for path in sorted(glob(pattern, root_dir=root))  # noqa: PTH207 - a Path does not find a link to nowhere
    ]
    unsuitable = {path: why for path, most in candidates if (why := _why_unsuitable(root / path, most))}
    inner = [Path("memory/.locks"), *(Path(folder) for family in families for folder in family.folders())]
    folders = {str(ancestor) for folder in inner for ancestor in (folder, *folder.parents)}
    taken = [path for path in sorted(folders) if os.path.lexists(root / path) and not (root / path).is_dir()]
    unsuitable |= dict.fromkeys(taken, "it is no folder; take it away, or put the folder back")
    for path, why in unsuitable.items():
        advice = "What needs it is not run until then; nothing is lost."
        yield CheckResult("files", Health.FAIL, f"{path} cannot be read: {why}", advice)
    if not unsuitable:
        yield CheckResult("files", Health.OK, "what is read as a file is one")


def _why_unsuitable(file: Path, largest: int | None) -> str:
    try:
        return why_unsuitable(file, largest)
    except OSError as error:
        return error.strerror or str(error)


def check_rights(engine: Engine) -> Iterator[CheckResult]:
    """Check that we may write, and that others may not read our state folder."""
    root, state = engine.workspace.root, engine.workspace.state_folder
    if os.statvfs(root).f_flag & os.ST_RDONLY:
        advice = "Mount it so that it can be written; a page can be read as it is."
        yield CheckResult("rights", Health.FAIL, f"{root} lies on a disk that is mounted read-only", advice)
        return
    folders = [path for path in (root, root / "memory", state) if path.exists()]
    closed = [path for path in folders if not os.access(path, os.W_OK | os.X_OK)]
    closed += [path for path in sorted(state.glob("state.db*")) if not os.access(path, os.W_OK)]
    for path in closed:
        rights = "rwx" if path.is_dir() else "rw"
        advice = f"`chmod u+{rights} {shlex.quote(str(path))}`, as its owner"
        yield CheckResult("rights", Health.FAIL, f"{path} may not be written", advice)
    if state.stat().st_mode & _OTHERS:
        message = f"{state} is open to others on this machine, and holds what the transcripts hold"
        advice = f"`chmod 700 {shlex.quote(str(state))}`; {_FIX}."
        yield CheckResult("rights", Health.WARN, message, advice, partial(close_to_others, state))
    elif not closed:
        yield CheckResult("rights", Health.OK, "we may write, and what is derived is closed to others")


def check_exposed_keys(engine: Engine) -> Iterator[CheckResult]:
    """Check for keys in a settings file that others may read. Keys of the environment are not in it."""
    file = engine.workspace.root / SETTINGS_FILE
    if not file.exists() or not file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        return
    text, mend = read_regular(file).decode(), partial(close_to_others, file)
    for path, secret in sorted(secret_settings(engine.settings).items()):
        if (value := secret.get_secret_value()) and value in text:
            message = f"others on this machine may read {'.'.join(path)} in {SETTINGS_FILE}"
            advice = f"`chmod 600 {shlex.quote(str(file))}`; {_FIX}. Or use {variable_of(path)}."
            yield CheckResult("api_key", Health.WARN, message, advice, mend)


def check_disk(engine: Engine) -> Iterator[CheckResult]:
    """Check the free space of the disk."""
    free = shutil.disk_usage(engine.workspace.root).free
    health = Health.OK if free >= SCARCE else Health.WARN if free >= FULL else Health.FAIL
    advice = "" if health is Health.OK else "Make room; `memory doctor reindex --full` makes a large index small."
    yield CheckResult("disk", health, f"{free // 1_000_000:,} MB are free", advice)


_FOREIGN = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|virtiofs|vboxsf|fuse(?:\.(?!(?:gocrypt|cry|enc|merger)fs).+)?"
)
"""The types of file systems that may lie on another machine; `fuseblk` and encrypted folders are disks of this one."""
_ESCAPE = re.compile(r"\\([0-7]{3})")


def check_mount(root: Path, mounts: str) -> Iterator[CheckResult]:
    """Check whether the workspace lies on a disk of this machine, by the table of mounts (`/proc/mounts`)."""
    folder, rows = root.resolve(), [line.split(" ") for line in mounts.splitlines()]
    places = [(_ESCAPE.sub(lambda match: chr(int(match[1], 8)), row[1]), row[2]) for row in rows if row[2:]]
    around = [mounted for mounted in places if folder.is_relative_to(mounted[0])]
    # The deepest counts; of two that are mounted at one place, the last.
    for place, kind in sorted(around, key=lambda mounted: len(mounted[0]))[-1:]:
        if _FOREIGN.fullmatch(kind):
            message = f"the workspace lies on {kind}, mounted at {place}, where locks and databases may not hold"
            advice = "Use it from one machine alone, or move it to a disk of this machine."
            yield CheckResult("disk", Health.WARN, message, advice)


def table_of_mounts() -> str:
    """The table of mounts of this machine; empty where the system has none."""
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def check_clock(engine: Engine) -> Iterator[CheckResult]:
    """Compare the clock with the last run and the newest message."""
    now = engine.clock.now()
    clock, here = to_the_minute(now, "UTC"), f"{engine.local_now():%Y-%m-%d %H:%M %Z}, {engine.zone}"
    try:
        last = next((run.ended or run.began for run in engine.ledger.runs.latest(limit=1)), now)
        last_times = [record.last for record in engine.catalog.listing() if record.last]
    except PipelineError:  # another check reports it
        yield CheckResult("clock", Health.OK, f"{here}; without the ledger there is nothing to compare it with")
        return
    if last > now + SKEW:
        ahead = f"the clock says {clock} UTC, and the last run was at {to_the_minute(last, 'UTC')}"
        yield CheckResult(
            "clock", Health.FAIL, ahead, "Set the clock (`timedatectl`): until then no new time becomes due."
        )
    elif last_times and max(last_times) > now + SKEW:
        ahead = f"the newest message is of {to_the_minute(max(last_times), 'UTC')} UTC, and the clock says {clock}"
        advice = "The clock of this machine, or of the one that wrote it, is wrong; what is of later is read then."
        yield CheckResult("clock", Health.WARN, ahead, advice)
    else:
        yield CheckResult("clock", Health.OK, here)


def check_host(engine: Engine) -> Iterator[CheckResult]:
    """Check that no other machine runs the workspace."""
    if owner := engine.locks.other_host:
        message = f"the workspace is run by {owner}, and this is {socket.gethostname()}, another machine"
        yield CheckResult("host", Health.FAIL, message, f"Stop the runs on {owner}, then `memory run --take-over`.")


def check_backup(engine: Engine) -> Iterator[CheckResult]:
    """Check how old the last back-up is; only one that a person makes regularly can be late."""
    known = sorted(read_note(engine.workspace).backups.values(), key=attrgetter("at"))
    if not known:
        began = engine.ledger.runs.first_began()
        if began is None or engine.clock.now() - began <= _YOUNG_WORKSPACE:
            yield CheckResult("backup", Health.OK, "none was made yet; `memory backup DIR` makes one")
            return
        advice = "`memory backup DIR` makes one; without it a lost disk takes with it what no transcript proves."
        yield CheckResult("backup", Health.WARN, "none was made yet", advice)
        return
    last, age = known[-1], engine.clock.now() - known[-1].at
    message = f"the last is of {to_the_minute(last.at, engine.zone)}, in {last.folder}"
    if last.every and age > LATE_BACKUP * timedelta(days=last.every):
        advice = f"You wanted one every {last.every} day(s). `memory backup {shlex.quote(last.folder)}` makes it."
        yield CheckResult("backup", Health.WARN, message, f"{advice} Look whether its timer runs.")
    else:
        yield CheckResult("backup", Health.OK, message)


def check_locks(engine: Engine) -> Iterator[CheckResult]:
    """Check for locks that are held too long, or that cannot be looked at."""
    held = lock_reports(engine, thorough=True)
    troubled = [check for lock in held if (check := _lock_trouble(engine, lock))]
    yield from troubled
    if closed := [file.stem for file in engine.workspace.lock_folder.glob("*.lock") if not os.access(file, os.W_OK)]:
        message = f"without the right to write them nobody can tell whether they are held: {', '.join(sorted(closed))}"
        yield CheckResult("locks", Health.WARN, message, "Look again once the workspace can be written.")
    elif not troubled:
        names = ", ".join(lock.lock for lock in held)
        yield CheckResult("locks", Health.OK, f"held: {names}" if names else "nobody holds one")


def _lock_trouble(engine: Engine, lock: LockReport) -> CheckResult | None:
    file = shlex.quote(str(engine.workspace.lock_folder / f"{lock.lock}.lock"))
    if not lock.pid:
        message = f"{lock.lock} is held by a process that did not write its name into its file"
        return CheckResult(
            "locks", Health.FAIL, message, f"`fuser -v {file}` tells which process has it; end that one."
        )
    if lock.deadline and lock.deadline < engine.clock.now():
        message = f"{lock.lock} is held beyond its deadline ({lock.holder})"
        return CheckResult(
            "locks", Health.WARN, message, f"If it hangs, `kill {lock.pid}`; what it had not finished stays due."
        )
    return None


def check_leftovers(engine: Engine) -> Iterator[CheckResult]:
    """Check for temporary files of killed runs."""
    folders = sorted({folder for job in engine.jobs for folder in engine.family(job).folders()})
    root = engine.workspace.root
    left = [file for folder in folders for file in siblings(root / folder) if _is_orphan(file.name)]
    mend = partial(remove_siblings, root, folders)
    for number, file in enumerate(left[:NAMED]):
        message = f"{file.relative_to(root)} was left by a run that was killed"
        yield CheckResult(
            "leftovers", Health.WARN, message, f"The next run removes it; {_FIX}.", None if number else mend
        )
    if len(left) > NAMED:
        yield CheckResult("leftovers", Health.WARN, f"{len(left) - NAMED} more were left by runs that were killed")


def _is_orphan(name: str) -> bool:
    maker = name.split(".")[-2]
    return maker.isdecimal() and not is_alive(int(maker))


def check_torn_writes(engine: Engine) -> Iterator[CheckResult]:
    """Check for writes that a process intended before it died; while its job is running, they are the run's own.

    A write that the system refused is none of these, unless a part of it was written or the ledger was refused too.
    """
    intended = {change.path for change in engine.ledger.changes.intended_changes()}
    for job in engine.jobs:
        paths = sorted(filter(engine.family(job).owns, intended))
        if paths and not engine.locks.is_held(job.name):
            message = (
                f"a run of {job.name} was killed, or refused by the system, while it wrote {', '.join(paths[:NAMED])}"
            )
            advice = f"The next `memory run {job.name}` completes it or takes it out; {_FIX}."
            yield CheckResult("torn writes", Health.WARN, message, advice, partial(complete_writes, engine, job))
