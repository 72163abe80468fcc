"""Health: sources, jobs, service, index, databases, what the model cost, and the doctor's findings."""

from collections import Counter
from datetime import date, timedelta
from http import HTTPStatus

from fastapi import Response

from pipeline.app.engine import source_hints
from pipeline.app.sources_check import advice_on_source, sources_now
from pipeline.app.status import index_is_updated, index_reports, ledger_standing, store_standing
from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import local_day
from pipeline.doctor.checks import mend_first
from pipeline.doctor.workspace import silent_sources
from pipeline.engine.context import Engine
from pipeline.errors import PipelineError
from pipeline.process.context import ProcessContext
from pipeline.reports.cost import Grouping, span_of_days, spending, token_limits
from pipeline.reports.runs import batch_reports, job_report
from pipeline.reports.service import reasons_of, service_report, service_view
from pipeline.reports.status import job_standings, lock_reports
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import Page, PageThere, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.reports.status import JobReport
from schemas.reports.workspace import CheckReport
from schemas.service_state import JobState

router = page_router()
_DAYS = 30


@router.get("/health")
def health(page: PageThere, state: StateThere) -> Response:
    """The values that are known at once; the findings come after them, for they take a while."""
    try:
        with state.reading() as engine:
            known = {**_source_values(state, engine), **_work_values(engine), **_cost_values(engine), "damage": ""}
    except PipelineError as error:  # the findings say more, and are made without the ledger
        known = {"damage": str(error)}
    state.look_when_quiet()
    return page.show("health.html", {**known, **_finding_values(state)})


@router.get("/health/sources")
def sources(page: PageThere, state: StateThere, engine: Reading) -> Response:
    """The sources, as the last look at them left them: asked for again once the findings have looked."""
    return page.show("health_sources.html", _source_values(state, engine))


@router.get("/health/stores")
def stores(page: PageThere, state: StateThere) -> Response:
    """The databases and the index: a part of the document, or a document for browsers without a script."""
    quiet = ProcessContext(state.context.environment, state.context.clock)
    indexes = index_reports(state.root, quiet)
    values = {
        "index": indexes.files,
        "details": indexes.details,
        "said": indexes.said,
        "at_work": indexes.files.index in {"behind", "none"} and index_is_updated(state.root),
        "ledger": ledger_standing(state.root, quiet),
        "store": store_standing(state.store),
    }
    return page.show_part("health_stores_part.html", values, "health.stores", _back(page))


@router.get("/health/findings")
def findings(page: PageThere, state: StateThere, *, kept: bool = False) -> Response:
    """The doctor's findings after a look; with `kept`, those of the last look, which may be under way."""
    looking = kept and state.findings.under_way
    if not kept:
        state.findings.look()
    answer = page.show_part("findings_part.html", _finding_values(state), "health.findings", _back(page))
    if not looking:
        answer.headers["HX-Trigger"] = "looked"  # the sources have been read again
    return answer


@router.get("/health/mend")
def mended_before() -> Response:
    """The way back to Health, for who comes back to an answer that is not there any more."""
    return seen_other("/health")


@router.post("/health/mend")
def mend(page: PageThere, state: StateThere, form: InBody[Form]) -> Response:
    """Mend what one finding says, as the doctor does; one that is no finding any more is left alone."""
    mended = mend_first(
        state.root, state.context.environment, lambda check: digest_of(_seen_fields(check)) == form.seen
    )
    state.findings.look_soon()
    return page.show("mended.html", {"mended": mended}, HTTPStatus.OK if mended else HTTPStatus.CONFLICT)


def _back(page: Page) -> tuple[str, str]:
    """The way back from a part to the whole."""
    return "/health", page.text("page.parts.health")


def _finding_values(state: HttpState) -> dict[str, object]:
    kept = state.findings.latest()
    checks = [(check, digest_of(_seen_fields(check))) for check in (kept.checks if kept else ())]
    return {"checks": checks, "looked": kept.at if kept else None, "looking": state.findings.under_way}


def _seen_fields(check: CheckReport) -> list[str]:
    return [check.check, check.health.value, check.told]


def _source_values(state: HttpState, engine: Engine) -> dict[str, object]:
    hints = source_hints(engine.workspace.root, engine.settings, state.context.environment)
    days, counts = _days(engine), dict[str, Counter[date]]()
    for record in engine.catalog.listing():
        if record.first and record.last:
            first, last = (local_day(moment, engine.zone) for moment in (record.first, record.last))
            counts.setdefault(record.source, Counter()).update(day for day in days if first <= day <= last)
    names = (source.root_name for source in engine.settings.transcript_sources)
    return {
        "sources": [(report, advice_on_source(engine, report)) for report in sources_now(engine)],
        "silent": silent_sources(engine),
        "strips": {name: [(day, counts.get(name, Counter())[day]) for day in days] for name in names},
        "hints": list(hints),
    }


def _days(engine: Engine) -> list[date]:
    """The last days, up to this one."""
    today = local_day(engine.clock.now(), engine.zone)
    return [today - timedelta(days=days) for days in reversed(range(_DAYS))]


def _work_values(engine: Engine) -> dict[str, object]:
    """The jobs, the service, held locks, stopped back-fills and batches."""
    service = service_view(engine.workspace, engine.clock.now(), engine.zone)
    # Which windows are left of a back-fill is not counted: of years of them this takes seconds.
    stopped = OrdersFolder(engine.workspace.state_folder).stopped_requests()
    jobs = [
        job_report(standing, service.jobs.get(standing.job.name, JobState()), None, engine.zone)
        for standing in job_standings(engine)
    ]
    return {
        "service": service_report(service),
        "missed": reasons_of(service.missed),
        "ill": [job for job in jobs if _needs_look(job)],
        "well": [job for job in jobs if not _needs_look(job)],
        "locks": lock_reports(engine),
        "stopped": stopped,
        "batches": batch_reports(engine),
    }


def _needs_look(job: JobReport) -> bool:
    return bool(job.parked or job.at_work or job.troubled or job.unknown or job.warned)


def _cost_values(engine: Engine) -> dict[str, object]:
    return {
        "model": engine.asker().way,
        "this_day": spending(engine, *span_of_days(engine, 0), Grouping.JOB),
        "by_day": _cost_by_day(engine),
        "spent": spending(engine, *span_of_days(engine, _DAYS), Grouping.JOB),
        "limits": list(token_limits(engine)),
    }


def _cost_by_day(engine: Engine) -> list[tuple[date, int]]:
    """The tokens of each of the last days; nothing where no model was asked."""
    spent = {line.name: line.usage for line in spending(engine, *span_of_days(engine, _DAYS), Grouping.DAY).lines}
    used = [(day, spent.get(f"{day}")) for day in _days(engine)]
    tokens = [(day, usage.input_tokens + usage.output_tokens if usage else 0) for day, usage in used]
    return tokens if any(number for _, number in tokens) else []
