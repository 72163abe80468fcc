"""What may be wrong with a workspace and what to do about it: each check a small function that only looks."""

import os
import shlex
import socket
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pipeline.catalog import Refreshed
from pipeline.configuration import PREFIX, SEPARATOR
from pipeline.engine import Engine
from pipeline.family import Family
from pipeline.forgotten import read_forgotten
from pipeline.overview import JobStanding, backfill_command, job_standings, source_standings
from pipeline.recall import Place, folded, list_entries
from pipeline.state import Doubt, Finding
from pipeline.workspace import SETTINGS_FILE
from schemas.settings import Settings, SourceSettings

WORKSPACE_VARIABLE = "MEMORY_WORKSPACE"
READ_SESSIONS = 200  # the newest, whose skipped records are counted
NAMED = 5  # how many things of one sort are named
_DAMAGED = ("bad_line", "line_too_long", "no_time")

_DOUBTS = {
    Doubt.UNKNOWN: "which is no entry",
    Doubt.ITSELF: "which is the entry itself",
    Doubt.AGAINST_TIME: "which is the later one of the two",
    Doubt.UNVERIFIED: "but is not verified itself, so it has no say over that one",
}


class Health(StrEnum):
    """How a check came out. A `warn` may be as it should; a `fail` means that something does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Check:
    """What a check found, and what a person can do about it."""

    name: str
    health: Health
    told: str
    advice: str = ""


def checkup(engine: Engine, found: Refreshed, environment: Mapping[str, str]) -> Iterator[Check]:
    """Every check. `found` is what the look at the sources found, which has just been taken."""
    places, standings = list_entries(engine), job_standings(engine)
    yield from _settings(engine)
    yield _model(engine)
    yield from _environment(environment)
    yield from _sources(engine)
    yield from _files(engine, found)
    yield _ledger(engine, places, standings)
    yield from _jobs(engine, standings)
    yield from _entries(places)
    yield from _deleted(engine)
    # What was forgotten is named by its stand-in where other entries link to it; nobody needs to mend that.
    forgotten = {gone.entry_id for gone in read_forgotten(engine.workspace)}
    yield from _links(each for each in folded(places).findings if each.target not in forgotten)
    yield from _host(engine)
    yield from _leftovers(engine)


def _settings(engine: Engine) -> Iterator[Check]:
    settings, file = engine.settings, engine.workspace.root / SETTINGS_FILE
    if "timezone" in settings.model_fields_set:
        yield Check("timezone", Health.OK, settings.timezone)
    else:
        yield Check("timezone", Health.WARN, "not set, so days begin at midnight UTC", f"Set `timezone` in {file}.")
    if settings.start:
        yield Check("start", Health.OK, f"time is due from {settings.start.isoformat()}")
    else:
        yield Check("start", Health.WARN, "not set, so nothing becomes due by itself", f"Set `start` in {file}.")
    open_to_all = file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    if open_to_all and "api_key" in file.read_text(encoding="utf-8") and settings.model.api_key.get_secret_value():
        advice = f"Use MEMORY_MODEL__API_KEY, or `chmod 600 {shlex.quote(str(file))}`."
        yield Check("api_key", Health.WARN, "others on this machine may read it in memory.toml", advice)


def _model(engine: Engine) -> Check:
    model = engine.settings.model
    host = model.base_url.rpartition("://")[2].partition("/")[0].rpartition("@")[2]  # without a user and a password
    return Check("model", Health.OK, f"{model.name} at {host}" if model.configured else "offline")


def _environment(environment: Mapping[str, str]) -> Iterator[Check]:
    for name in sorted(environment):
        first = name.removeprefix(PREFIX).lower().split(SEPARATOR)[0]
        if name.startswith(PREFIX) and name != WORKSPACE_VARIABLE and first not in Settings.model_fields:
            yield Check(
                "environment", Health.WARN, f"{name} is no setting", "If it was meant for us, see its spelling."
            )


def _sources(engine: Engine) -> Iterator[Check]:
    if not engine.settings.sources:
        advice = f"Add a [[sources]] table to {engine.workspace.root / SETTINGS_FILE}."
        yield Check("sources", Health.FAIL, "there is nothing to read", advice)
    for source, standing in zip(engine.settings.sources, source_standings(engine), strict=True):
        name, problem = f"source {standing.name}", _problem(engine, source)
        if problem:
            yield Check(name, Health.FAIL, f"{source.path} {problem}", "Correct its `path`, or give the right to read.")
        elif not standing.sessions:
            yield Check(name, Health.WARN, f"{source.path} holds no {source.kind} session", "See `path` and `kind`.")
        else:
            yield Check(name, Health.OK, f"{standing.sessions} session(s) in {source.path}")


def _problem(engine: Engine, source: SourceSettings) -> str:
    root = engine.workspace.root / Path(source.path).expanduser()
    if not root.exists():
        return "does not exist"
    if not root.is_dir():
        return "is not a folder"
    return "" if os.access(root, os.R_OK | os.X_OK) else "cannot be read"


def _files(engine: Engine, found: Refreshed) -> Iterator[Check]:
    for told in found.unreadable[:NAMED]:
        yield Check("transcripts", Health.FAIL, told.rstrip("."), "Its time is run again once it can be read.")
    if len(found.unreadable) > NAMED:
        yield Check("transcripts", Health.FAIL, f"{len(found.unreadable) - NAMED} more files cannot be read")
    newest = list(dict.fromkeys(record.session for record in reversed(engine.catalog.listing()) if record.session))
    skipped: Counter[str] = Counter()
    for session_id in newest[:READ_SESSIONS]:
        session = engine.catalog.session(session_id)
        skipped.update(session.skipped if session else {})
    damaged = any(skipped[reason] for reason in _DAMAGED)
    if skipped:
        told = ", ".join(f"{number} {reason}" for reason, number in skipped.most_common(2 * NAMED))
        advice = (
            "Lines that are no JSON, or have no time, are passed over; look at the newest files." if damaged else ""
        )
        yield Check("records", Health.WARN if damaged else Health.OK, f"passed over: {told}", advice)


def _ledger(engine: Engine, places: list[Place], standings: Iterable[JobStanding]) -> Check:
    if engine.ledger.runs.latest(limit=1):
        return Check("ledger", Health.OK, "knows what was run")
    if not places:
        return Check("ledger", Health.OK, "nothing has been run yet")
    unknown = any(standing.unknown for standing in standings)
    advice = "Undo, spend and cached answers are gone" + ("; see unknown time below." if unknown else ".")
    return Check("ledger", Health.WARN, "was lost and has been rebuilt from the files, as far as they tell", advice)


def _jobs(engine: Engine, standings: Iterable[JobStanding]) -> Iterator[Check]:
    for standing in standings:
        name = f"job {standing.job.name}"
        if standing.unknown:
            command = shlex.join(backfill_command(standing.job.name, standing.unknown, engine.zone))
            yield Check(name, Health.WARN, "there is time that may or may not have been done", f"Run `{command}`.")
        for record in standing.troubled[:NAMED]:
            outcome = record.outcome
            told = f"{record.key} is {outcome.ending}: {outcome.warning}" if outcome else record.key
            yield Check(name, Health.WARN, told, f"It stays due; see `memory runs show {record.run_id}`.")
        if not standing.unknown and not standing.troubled:
            yield Check(name, Health.OK, f"{len(standing.due)} window(s) due" if standing.due else "up to date")


def _entries(places: list[Place]) -> Iterator[Check]:
    strange = [place for place in places if not place.verified]
    for place in strange[:NAMED]:
        told = f"{place.entry.id} ({place.path}:{place.line}) is not verified: its words are not found at its source"
        yield Check("entries", Health.WARN, told, "We did not write it, or its source is gone; it is never promoted.")
    adopted = sum(place.adopted for place in places)
    more = f", {len(strange)} not verified" if strange else ""
    yield Check("entries", Health.OK, f"{len(places)} in all, {adopted} changed by a person{more}")


def _deleted(engine: Engine) -> Iterator[Check]:
    families = [Family(engine.workspace, job.writes) for job in engine.jobs if job.writes.append]
    present = {block.name for family in families for file in family.files() for block, _ in file.blocks}
    ours = [block for block in engine.ledger.changes.live() if any(family.day_of(block.path) for family in families)]
    gone = [block for block in ours if block.name not in present]
    if gone:
        told = f"{len(gone)} of {len(ours)} that we wrote are in no file any more, such as {gone[0].name}"
        advice = (
            "The next run that has something to read notes them in memory/forgotten.md, and they are not written "
            "again. If you did not delete them, bring the file back first."
        )
        yield Check("deleted entries", Health.WARN, told, advice)


def _links(findings: Iterable[Finding]) -> Iterator[Check]:
    for finding in findings:
        told = f"{finding.entry_id} names {finding.target}, {_DOUBTS[finding.doubt]}"
        yield Check("links", Health.WARN, told, "Correct the line in its file, or leave it: it does no harm.")


def _host(engine: Engine) -> Iterator[Check]:
    owner, here = engine.locks.owner, socket.gethostname()
    if owner and owner != here:
        told = f"the workspace is run by {owner}, and this is {here}"
        yield Check("host", Health.FAIL, told, f"Stop the runs on {owner}, then `memory run --take-over`.")


def _leftovers(engine: Engine) -> Iterator[Check]:
    folders = {folder for job in engine.jobs for folder in Family(engine.workspace, job.writes).folders()}
    left = [file for folder in sorted(folders) for file in sorted((engine.workspace.root / folder).glob(".*.tmp"))]
    for file in left[:NAMED]:
        told = f"{file.relative_to(engine.workspace.root)} was left by a run that was killed"
        yield Check("leftovers", Health.WARN, told, "The next run removes it.")
