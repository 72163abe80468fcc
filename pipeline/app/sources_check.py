"""A look at the sources alone: what is read of them, and what may be read in vain."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.app.engine import folder_of, look_around, unnamed_folders
from pipeline.app.opening import opened
from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.reports.status import source_reports
from pipeline.transcripts.unreadable import advice_on
from schemas.reports.status import SourceHint, SourceReport


@dataclass(frozen=True)
class SourcesChecked:
    """The sources that the settings name, the folders that they do not name, and what is wrong, with advice."""

    sources: tuple[SourceReport, ...] = ()
    hints: tuple[SourceHint, ...] = ()
    warnings: tuple[str, ...] = ()


def check_sources(root: Path, context: ProcessContext) -> SourcesChecked:
    """The sources of a workspace, as they are read now; of a folder that is not there nothing is said.

    Raises:
        PipelineError: the workspace cannot be used.
    """
    with opened(root, context) as engine:
        look_around(engine)
        reports, hints = source_reports(engine), unnamed_folders(root, engine.settings, context.environment)
        warnings = (f"source {report.source}: {text}" for report in reports for text in _warnings(engine, report))
        return SourcesChecked(tuple(reports), tuple(hints), tuple(warnings))


def advice_on_source(engine: Engine, report: SourceReport) -> str:
    """What mends a source that cannot be read; empty when it can."""
    return advice_on(report.unreadable, _folder(engine, report)) if report.unreadable else ""


def _folder(engine: Engine, report: SourceReport) -> Path:
    named = (source for source in engine.settings.sources if source.root_name == report.source)
    return next(folder_of(engine.workspace.root, source) for source in named)


def _warnings(engine: Engine, report: SourceReport) -> Iterator[str]:
    trouble, folder = report.unreadable, _folder(engine, report)
    if trouble and os.path.isdir(folder):  # noqa: PTH112 - of a Path it raises where a folder above is closed
        yield f"{trouble.sentence(to_the_minute(trouble.since, engine.zone))}. {advice_on(trouble, folder)}"
    yield from (f"{alarm.sentence}. {alarm.advice}" for alarm in report.alarms)
