"""A look at the sources alone: what is read of them, and what may be read in vain."""

import errno
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline.app.engine import folder_of, look_around, propose_sources, source_hints
from pipeline.app.opening import open_for_reading
from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.reports.sources import source_reports
from pipeline.settings.tables import source_tables
from pipeline.transcripts.unreadable import advice_on
from pipeline.workspace.listing import OURS, Listing, list_files
from schemas.reports.source_records import SourceUnreadable
from schemas.reports.status import SourceHint, SourceReport
from schemas.settings import SourceSettings

_EXAMPLE = SourceSettings(kind="openclaw", path="/where/they/are")


@dataclass(frozen=True)
class SourcesChecked:
    """The sources that the settings name, the folders that they do not name, and what is wrong, with advice.

    `notes` are the numbers of notes in the sources of these, by name.
    """

    sources: tuple[SourceReport, ...] = ()
    notes: Mapping[str, int] = field(default_factory=dict)
    hints: tuple[SourceHint, ...] = ()
    warnings: tuple[str, ...] = ()


def check_sources(root: Path, context: ProcessContext) -> SourcesChecked:
    """The sources of a workspace, as they are read now; of a folder that is not there nothing is said."""
    with open_for_reading(root, context) as engine:
        look_around(engine)
        reports, hints = source_reports(engine), source_hints(root, engine.settings, context.environment)
        warnings = [f"source {report.source}: {text}" for report in reports for text in _warnings(engine, report)]
        notes, passed_over = _notes(engine)
        return SourcesChecked(tuple(reports), notes, tuple(hints), (*warnings, *passed_over))


def _notes(engine: Engine) -> tuple[Mapping[str, int], list[str]]:
    """The number of notes of each of their sources, and a sentence for each file that is passed over."""
    sources = {source.root_name: source.path for source in engine.settings.sources if source.holds_notes}
    listing = list_files(engine.workspace, engine.settings.index_with_notes) if sources else Listing((), ())
    counts = Counter(file.path.partition(":")[0] for file in listing.files)
    passed_over = [
        f"{file.path} {file.why}"
        for file in listing.unreadable
        for name, path in sources.items()
        if file.path.startswith(f"{name}:") or (file.path == path and file.why == OURS)
    ]
    return {name: counts[name] for name in sources}, passed_over


def sources_now(engine: Engine) -> list[SourceReport]:
    """The sources as the last look left them, but for folders that are not there now: no transcript is read for it."""
    return [_as_it_is(engine, report) for report in source_reports(engine)]


def tables_to_begin(environment: Mapping[str, str]) -> str:
    """Tables for memory.toml that name sources: those on this machine, else an example."""
    home = environment.get("HOME")
    return source_tables((propose_sources(Path(home), environment) if home else []) or [_EXAMPLE])


def advice_on_source(engine: Engine, report: SourceReport) -> str:
    """Advice for a source that cannot be read; empty when it can be read."""
    return advice_on(report.unreadable, _folder(engine, report)) if report.unreadable else ""


def _as_it_is(engine: Engine, report: SourceReport) -> SourceReport:
    known = report.unreadable is not None and report.unreadable.whole
    # The folder of the store is made by the first conversation.
    if known or report.kind == "store" or not _is_gone(_folder(engine, report)):
        return report
    missing = SourceUnreadable(0, whole=True, since=engine.clock.now(), path="", reason=os.strerror(errno.ENOENT))
    return replace(report, unreadable=missing, alarms=())


def _is_gone(folder: Path) -> bool:
    """Whether nothing is there; why something that is there cannot be read, the next look at it says."""
    try:
        folder.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _folder(engine: Engine, report: SourceReport) -> Path:
    named = (source for source in engine.settings.transcript_sources if source.root_name == report.source)
    return next(folder_of(engine.workspace.root, source) for source in named)


def _warnings(engine: Engine, report: SourceReport) -> Iterator[str]:
    trouble, folder = report.unreadable, _folder(engine, report)
    if trouble and os.path.isdir(folder):
        yield f"{trouble.sentence(to_the_minute(trouble.since, engine.zone))}. {advice_on(trouble, folder)}"
    yield from (f"{alarm.sentence}. {alarm.advice}" for alarm in report.alarms)
