"""The checks of a workspace, with advice. Each check is a small function that only reads."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path

from pipeline.app.engine import source_hints
from pipeline.clock import local_day, to_the_minute
from pipeline.corrections.full_page import full_page
from pipeline.doctor.run_check import NAMED
from pipeline.engine.absence import missing
from pipeline.engine.context import Engine
from pipeline.engine.edits import edits
from pipeline.engine.partition import key_in_words
from pipeline.entries.standing import Doubt, LinkFault
from pipeline.errors import LedgerDamaged, PipelineError
from pipeline.install import UnitFolder, move_unit, signature, user_units
from pipeline.integration.records import is_copied, other_workspaces, own_record
from pipeline.job import Job
from pipeline.ledger.evidence import written_paths
from pipeline.reports.placed_entries import EntryBook, PlacedEntry
from pipeline.reports.sources import source_reports
from pipeline.reports.status import JobStanding, again_command, backfill_command
from pipeline.settings.load import unknown_variables
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.workspaces import is_own_place, moved_from, note_place, own_list
from pipeline.transcripts.unreadable import advice_on, lasts
from pipeline.workspace.forgotten import read_forgotten
from schemas.checkup import CheckResult, Health
from schemas.entry import Trust
from schemas.reports.source_records import SourceUnreadable
from schemas.reports.status import AlarmCause
from schemas.settings import JobSettings, SourceSettings

READ_SESSIONS = 200  # the newest, whose skipped records are counted
HABIT = 5
QUIET_DAYS = 3
QUIET_TIMES = 2
"""A source is quiet when nothing came for more than so many days, and so many times its longest pause; that it has
a habit at all takes so many days with messages."""
WRITES_ELSEWHERE = "If its agent is in use, it may write elsewhere now: see `path` in memory.toml."
_RECENT_DAYS = 60  # days with messages; the pauses between them are compared
_KEY = re.compile(r"\d{4}-(?:W\d{2}|\d{2}-\d{2})")
_OF_A_CLOCK = {"schedule", "catch_up", "max_age"}
_FAILING = (AlarmCause.NO_SESSIONS, AlarmCause.UNKNOWN_RECORDS)
"""The alarms that are faults for certain; an empty folder may be right."""
_DAMAGED = ("bad_line", "line_too_long", "no_time")

_DOUBTS = {
    Doubt.UNKNOWN: "which is no entry",
    Doubt.ITSELF: "which is the entry itself",
    Doubt.AGAINST_TIME: "which is the later one of the two",
    Doubt.QUOTED: "but of one of them only the quote is known to be yours, so this link has no say",
    Doubt.UNVERIFIED: "but one of them is not verified, so this link has no say",
    Doubt.IN_REVIEW: "but the later one of the two waits for your decision, so this link has no say until then",
}


def check_settings(engine: Engine) -> Iterator[CheckResult]:
    """Check the zone and the start, and that the settings of jobs are used."""
    settings, file = engine.settings, engine.workspace.root / SETTINGS_FILE
    if "timezone" in settings.model_fields_set:
        yield CheckResult("timezone", Health.OK, settings.timezone)
    else:
        yield CheckResult(
            "timezone", Health.WARN, "not set, so days begin at midnight UTC", f"Set `timezone` in {file}."
        )
    if settings.start:
        yield CheckResult("start", Health.OK, f"time is due from {settings.start.isoformat()}")
    else:
        yield CheckResult("start", Health.WARN, "not set, so nothing becomes due by itself", f"Set `start` in {file}.")
    for job in engine.jobs:
        unused = sorted(_OF_A_CLOCK & settings.jobs.get(job.name, JobSettings()).model_fields_set)
        if unused and not job.clock:
            fault = f"{job.name} runs {job.when}, so this is not used: {', '.join(unused)}"
            yield CheckResult(f"jobs.{job.name}", Health.WARN, fault, f"Take it out of {file}.")


def check_environment(environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check that each variable of ours is a setting."""
    for name, meant in unknown_variables(environment).items():
        advice = f"If it was meant for us, write {meant}." if meant else "If it was meant for us, see its spelling."
        yield CheckResult("environment", Health.WARN, f"{name} is no setting", advice)


def check_sources(engine: Engine) -> Iterator[CheckResult]:
    """Check that there are sources, and that they can be read."""
    if not engine.settings.transcript_sources:
        advice = f"Add a [[sources]] table to {engine.workspace.root / SETTINGS_FILE}."
        yield CheckResult("sources", Health.FAIL, "there is nothing to read", advice)
    for source, report in zip(engine.settings.transcript_sources, source_reports(engine), strict=True):
        name, trouble = f"source {report.source}", report.unreadable
        if trouble and trouble.whole:
            yield from _unreadable_sources(engine, source, trouble)
            continue
        if report.sessions:
            counts = report.records.sentence
            yield CheckResult(name, Health.OK, f"{report.sessions} session(s) in {source.path}; {counts}")
        for alarm in report.alarms:
            yield CheckResult(
                name, Health.FAIL if alarm.cause in _FAILING else Health.WARN, alarm.sentence, alarm.advice
            )
        if trouble:
            yield from _unreadable_sources(engine, source, trouble)


def _unreadable_sources(engine: Engine, source: SourceSettings, trouble: SourceUnreadable) -> Iterator[CheckResult]:
    name, health = f"source {source.root_name}", Health.FAIL if lasts(trouble, engine.clock.now()) else Health.WARN
    message = trouble.sentence(to_the_minute(trouble.since, engine.zone))
    advice = advice_on(trouble, engine.workspace.root / Path(source.path).expanduser())
    advice += " Nothing is lost: its time is run again then."
    yield CheckResult(name, health, f"{source.path} {message}" if trouble.whole else message, advice)
    others = [file for file in engine.ledger.unreadable.of(source.root_name).values() if file.path != trouble.path]
    for file in others[: NAMED - 1]:
        yield CheckResult(name, health, f"{file.path} cannot be read either: {file.reason.rstrip('.')}")


def check_quiet_sources(engine: Engine) -> Iterator[CheckResult]:
    """Check for sources without a message for long."""
    for source, silence in silent_sources(engine).items():
        yield CheckResult(f"source {source}", Health.WARN, silence.sentence, WRITES_ELSEWHERE)


@dataclass(frozen=True)
class Silence:
    """An unusually long pause of a source, in `days` since a day; `usual` was its longest one before."""

    since: date
    days: int
    usual: int

    @property
    def sentence(self) -> str:
        """The pause, without a full stop."""
        return f"no message since {self.since}, {self.days} days; its longest pause before was {self.usual}"


def silent_sources(engine: Engine) -> dict[str, Silence]:
    """The sources with an unusually long pause since their newest message."""
    spoken, silent = dict[str, set[date]](), dict[str, Silence]()
    for record in engine.catalog.listing():
        days = {local_day(moment, engine.zone) for moment in (record.first, record.last) if moment}
        spoken.setdefault(record.source, set()).update(days)
    for source, known in spoken.items():
        days_known = sorted(known)[-_RECENT_DAYS:]
        usual = max(((later - day).days for day, later in pairwise(days_known)), default=0)
        silence = (engine.local_now().date() - days_known[-1]).days if days_known else 0
        if len(days_known) >= HABIT and silence > max(QUIET_DAYS, QUIET_TIMES * usual):
            silent[source] = Silence(days_known[-1], silence, usual)
    return silent


def check_unnamed_folders(engine: Engine, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Name the folders of transcripts on this machine that no setting names."""
    for hint in source_hints(engine.workspace.root, engine.settings, environment):
        yield CheckResult("sources", Health.OK, hint.sentence, hint.advice)


def check_records(engine: Engine) -> Iterator[CheckResult]:
    """Check how many records of the newest sessions were passed over."""
    newest = list(dict.fromkeys(record.session for record in reversed(engine.catalog.listing()) if record.session))
    skipped: Counter[str] = Counter()
    for session_id in newest[:READ_SESSIONS]:
        session = engine.catalog.session(session_id)
        skipped.update(session.skipped if session else {})
    damaged = any(skipped[reason] for reason in _DAMAGED)
    if skipped:
        message = ", ".join(f"{number} {reason}" for reason, number in skipped.most_common(2 * NAMED))
        advice = (
            "Lines that are no JSON, or have no time, are passed over; look at the newest files." if damaged else ""
        )
        yield CheckResult("records", Health.WARN if damaged else Health.OK, f"passed over: {message}", advice)


def check_ledger(
    engine: Engine, places: Callable[[], Sequence[PlacedEntry]], standings: Iterable[JobStanding]
) -> Iterator[CheckResult]:
    """Check the database of the ledger, and whether it was rebuilt."""
    message = engine.ledger.store.value("PRAGMA quick_check(1)")
    if message != "ok":
        raise LedgerDamaged(str(engine.ledger.store.path), str(message))
    ran, rebuilt = bool(engine.ledger.runs.latest(limit=1)), engine.ledger.rebuilds.latest()
    if ran or not (rebuilt or places()):
        since = f" since it was rebuilt from the files on {to_the_minute(rebuilt, engine.zone)}" if rebuilt else ""
        yield CheckResult("ledger", Health.OK, f"knows what was run{since}" if ran else "nothing has been run yet")
        return
    when = f", on {to_the_minute(rebuilt, engine.zone)}" if rebuilt else ""
    message = f"was lost and has been rebuilt from the files, as far as they tell{when}"
    unknown = any(standing.unknown for standing in standings)
    advice = "Undo, spend and cached answers are gone" + ("; see unknown time below." if unknown else ".")
    yield CheckResult("ledger", Health.WARN, message, advice)


def check_jobs(engine: Engine, standings: Iterable[JobStanding]) -> Iterator[CheckResult]:
    """Check the windows of the jobs: due, troubled or unknown."""
    for standing in standings:
        name = f"job {standing.job.name}"
        if standing.unknown:
            command = shlex.join(backfill_command(standing.job.name, standing.unknown, engine.zone))
            yield CheckResult(
                name, Health.WARN, "there is time that may or may not have been done", f"Run `{command}`."
            )
        for record in standing.troubled[:NAMED]:
            outcome, when = record.outcome, key_in_words(record.key, record.window, engine.zone)
            message = f"{when}, {outcome.ending}: {outcome.warning}" if outcome else when
            again = shlex.join(again_command(standing, record.window, engine.zone))
            advice = f"`memory show run {record.run_id}` tells more; `{again}` runs it again."
            yield CheckResult(name, Health.WARN, message, advice)
        if not standing.unknown and not standing.troubled:
            yield CheckResult(name, Health.OK, f"{len(standing.due)} window(s) due" if standing.due else "up to date")


def check_entries(book: EntryBook) -> Iterator[CheckResult]:
    """Count the entries, and name those that are not verified."""
    places, strange = book.texts, book.strange
    for place in strange[:NAMED]:
        message = f"{place.entry.id} ({place.path}:{place.line}) is not verified: its words are not known to be yours"
        yield CheckResult(
            "entries", Health.WARN, message, "We did not write it, or its source is gone; it is never promoted."
        )
    adopted = sum(place.adopted for place in places)
    quoted = sum(place.entry.trust is Trust.QUOTED for place in places)
    counts = {f"{quoted} of which only the quote is known to be yours": quoted, f"{len(strange)} not verified": strange}
    more = (text for text, count in counts.items() if count)
    message = ", ".join([f"{len(places)} in all", f"{adopted} changed by a person", *more])
    yield CheckResult("entries", Health.OK, message)


def check_changed_entries(engine: Engine) -> Iterator[CheckResult]:
    """Name entries that somebody changed since the last run."""
    for edit in edits(engine)[:NAMED]:
        message = f"{edit.entry.id} was changed in {edit.path}; until the next run the words that we wrote hold"
        yield CheckResult("changed entries", Health.OK, message)


def check_deleted_entries(engine: Engine) -> Iterator[CheckResult]:
    """Check for entries that we wrote and that are in no file any more."""
    for family in (engine.family(job) for job in engine.jobs if job.writes.append):
        gone = missing(engine.workspace, engine.ledger.changes, family, family.files())
        if gone.deleted:
            count, name = len(gone.deleted), gone.deleted[0].name
            message = f"{count} of {gone.known} that we wrote are in no file any more, such as {name}"
            advice = (
                "The next run that has something to read notes them in memory/forgotten.md, and they are not written "
                "again. If you did not delete them, bring the file back first."
            )
            yield CheckResult("deleted entries", Health.WARN, message, advice)
        for path in gone.files_away[:NAMED]:
            message = f"{path} is gone as a whole, with {sum(block.path == path for block in gone.away)} entries"
            advice = "Bring it back: nothing is concluded from that. If you deleted it, `memory run --allow-shrink`."
            yield CheckResult("deleted entries", Health.WARN, message, advice)


def check_pages(engine: Engine) -> Iterator[CheckResult]:
    """Check for pages of ours that are gone, although their time counts as done."""
    for job in (job for job in engine.jobs if not job.writes.append):
        family = engine.family(job)
        known = [path for path in written_paths(engine.ledger.store) if family.owns(path)]
        ours = [path for path in known if engine.ledger.changes.standing_in(path)]
        gone = [path for path in ours if not engine.workspace.locate(path).exists()]
        for path in gone[:NAMED]:
            yield CheckResult(
                "pages",
                Health.WARN,
                f"{path} is gone, though {job.name} wrote it",
                _restoring_advice(engine, job, path),
            )
        if len(gone) > NAMED:
            yield CheckResult("pages", Health.WARN, f"{len(gone) - NAMED} more pages of {job.name} are gone")


def check_page_room(engine: Engine) -> Iterator[CheckResult]:
    """Check whether `MEMORY.md` is full."""
    if full := full_page(engine):
        yield CheckResult("pages", Health.WARN, full.sentence, full.advice)


def _restoring_advice(engine: Engine, job: Job, path: str) -> str:
    if "{" not in job.writes.family:
        last = [stretch.window for stretch in engine.ledger.coverage.stretches(job.name)][-1:]
        command = shlex.join(backfill_command(job.name, last, engine.zone)) if last else f"memory run {job.name}"
        return f"Bring it back, or `{command}` makes it anew."
    key = _KEY.search(path)
    return f"Bring it back, or `memory undo {key[0] if key else 'RUN'}` and the command that it tells make it anew."


def check_links(engine: Engine, findings: Iterable[LinkFault]) -> Iterator[CheckResult]:
    """Check for links that have no effect."""
    # A forgotten entry has a stand-in in the links of other entries; that is not a fault.
    forgotten = {gone.entry_id for gone in read_forgotten(engine.workspace)}
    for finding in (fault for fault in findings if fault.target not in forgotten):
        message = f"{finding.entry_id} names {finding.target}, {_DOUBTS[finding.doubt]}"
        yield CheckResult("links", Health.WARN, message, "Correct the line in its file, or leave it: it does no harm.")


_MOVED = "`memory doctor --fix` mends what names the old folder: units of the service, your list, and connected agents."
_MOVED_BY_OTHERS = (
    "Your home does not know it, so --fix leaves that alone. If you moved it: `memory workspaces remove` the old name, "
    "`memory workspaces add` this folder, and `memory serve install --systemd` for its units."
)


def check_place(root: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check whether a workspace was moved: the units of its service and the person's list name the old folder then."""
    noted = moved_from(root)
    own = (noted if is_own_place(root, environment) else "") or _connected_place(root, environment)
    before = own or noted
    if not before:
        return
    units = UnitFolder(user_units(environment), before)
    named = [str(units.path / unit) for unit in units.ours()]
    with suppress(PipelineError):  # without a list there is nothing to mend in it
        workspaces = own_list(environment)
        if workspaces.read().name_of(before):
            named.append(str(workspaces.file))
    named_here = f"; these still name it: {', '.join(named)}" if named else ""
    message = f"the workspace was moved here from {before}{named_here}"
    mend = partial(_mend_place, root, own, environment) if own else None
    yield CheckResult("place", Health.WARN, message, _MOVED if own else _MOVED_BY_OTHERS, mend)


def _connected_place(root: Path, environment: Mapping[str, str]) -> str:
    """The folder that connections of a workspace name, which is gone; empty without one."""
    agents = own_record(root, environment)[0].agents.values()
    gone = [
        workspace
        for files in agents
        if not is_copied(files.values(), root)
        for workspace in other_workspaces(files.values(), root)
    ]
    return min(gone, default="")


def _mend_place(root: Path, before: str, environment: Mapping[str, str]) -> str:
    units = UnitFolder(user_units(environment), before)
    texts = {unit: units.text(unit) or "" for unit in units.ours()}
    kept = [unit for unit, text in texts.items() if not (signed := signature(text)) or not signed.intact]
    moved = units.write({unit: move_unit(text, str(root)) for unit, text in texts.items() if unit not in kept})
    with suppress(PipelineError):  # a home that cannot be written has no list
        own_list(environment).move(before, root)
    note_place(root, environment, moved=True)
    sentences = ["what names the workspace names its new folder"]
    if moved:
        sentences.append("run `systemctl --user daemon-reload`, then `systemctl --user restart` with its units")
    if kept:
        sentences.append(f"these units were changed by hand and stay: {', '.join(kept)}")
    return "; ".join(sentences)
