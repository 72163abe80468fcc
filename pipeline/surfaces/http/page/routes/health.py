"""Health: sources, jobs, the service, what the model cost, the doctor's findings with what mends them, the settings."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Response
from fastapi import Form as FormData

from pipeline.app.engine import unnamed_folders
from pipeline.backfill.orders import OrdersFolder
from pipeline.reports.cost import Grouping, cost_report
from pipeline.reports.service import service_report, service_view
from pipeline.reports.status import job_standings, lock_reports, source_reports
from pipeline.service.checkup import everything, mended
from pipeline.settings.report import settings_in_force
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.checkup import Check, Health

router = APIRouter(include_in_schema=False)
_COST_DAYS = timedelta(days=30)


class MendForm(Form):
    """The finding that is to be mended, by the digest of what was shown."""


@router.get("/health")
def health(page: PageThere, state: StateThere, engine: Reading) -> Response:
    """What is known at once; the findings come after it, for they take a while."""
    now = engine.clock.now()
    service = service_view(engine.workspace, now, engine.zone)
    environment = state.context.environment
    values = {
        "sources": source_reports(engine),
        "hints": list(unnamed_folders(engine.workspace.root, engine.settings, environment)),
        "service": service,
        "report": service_report(service),
        "jobs": [(standing, service.jobs.get(standing.job.name)) for standing in job_standings(engine)],
        "locks": lock_reports(engine),
        "stopped": OrdersFolder(engine.workspace.state_folder).stopped(),
        "cost": cost_report(engine, now - _COST_DAYS, now, Grouping.JOB),
        "model": engine.asker().way,
        "settings": [
            (one.setting, json.dumps(one.value, ensure_ascii=False, default=str), one.from_)
            for one in settings_in_force(state.root, environment)
        ],
    }
    return page.show("health.html", values)


@router.get("/health/findings")
def findings(page: PageThere, state: StateThere) -> Response:
    """What the doctor says: a part of the document, or one of its own for who has no script."""
    checks = [(check, digest_of(_seen(check))) for check in everything(state.root, state.context.environment)]
    grave = [Health.FAIL, Health.WARN, Health.OK]
    values = {"checks": sorted(checks, key=lambda pair: grave.index(pair[0].health))}
    return page.show("findings_part.html" if page.is_part else "findings.html", values)


@router.post("/health/mend")
def mend(page: PageThere, state: StateThere, form: Annotated[MendForm, FormData()]) -> Response:
    """Mend what one finding says, as the doctor does; one that is no finding any more is left alone."""
    check = next(_shown_as(state, form.seen), None)
    fixed, sentence = mended(check) if check else (False, "")
    return page.show("mended.html", {"check": check, "fixed": fixed, "sentence": sentence})


def _shown_as(state: HttpState, seen: str) -> Iterator[Check]:
    checks = everything(state.root, state.context.environment)
    return (check for check in checks if check.mend and digest_of(_seen(check)) == seen)


def _seen(check: Check) -> list[str]:
    return [check.name, check.health.value, check.message]
