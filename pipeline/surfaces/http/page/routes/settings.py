"""Settings: the choices that code offers, what it would write into `memory.toml`, and writing it."""

import difflib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError

from pipeline.app.settings_changes import Choices, SettingsChange, carry_out, plan_change
from pipeline.engine.context import Engine
from pipeline.settings.report import settings_in_force, without_password
from pipeline.surfaces.http.page.forms import digest_of, require_seen
from pipeline.surfaces.http.page.rendering import SETTINGS_WRITTEN, Page, PageThere, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere

router = page_router()
_CHANGES: TypeAdapter[Any] = TypeAdapter(SettingsChange)
_AGENTS_OF = {"agent_added", "agent_removed"}
"""The changes that lead back to the agents."""
_LIMITS = ("tokens_per_run", "tokens_per_day", "backfill_tokens_per_day", "tokens_in_total")
_WEEKDAYS = 7


async def _sent_fields(request: Request) -> dict[str, str]:
    """The fields of a form, in the address or in the body."""
    sent = request.query_params if request.method == "GET" else await request.form()
    return {name: value for name, value in sent.items() if isinstance(value, str)}


SentFields = Annotated[dict[str, str], Depends(_sent_fields)]


@router.get("/settings")
def settings(page: PageThere, state: StateThere, engine: Reading) -> Response:
    """The forms, and all settings in force."""
    choices = choices_of(state, engine)
    now = engine.settings
    values = {
        "sources": now.sources,
        "offered": choices.sources,
        "model": now.model,
        "models": [(model.key, model.values) for model in choices.models],
        "removable": choices.removable,
        "address": state.redact(without_password(now.model.base_url)),
        "limits": {name: getattr(now.model, name) for name in _LIMITS},
        "schedules": {
            name: (
                {cron: _in_words(page, cron) for cron in lines},
                now.jobs[name].schedule if name in now.jobs else "",
            )
            for name, lines in choices.schedules.items()
        },
        "own": {job.name: _in_words(page, job.clock.cron) for job in engine.jobs if job.clock},
        "timezone": now.timezone,
        "file": str(state.root / "memory.toml"),
        "in_force": [
            (value.setting, json.dumps(value.value, ensure_ascii=False, default=str), value.from_)
            for value in settings_in_force(state.root, state.context.environment)
        ],
    }
    return page.show("settings.html", values)


@router.get("/settings/change")
def preview(page: PageThere, state: StateThere, engine: Reading, fields: SentFields) -> Response:
    """The lines that a change would write, and the button that writes them."""
    planned = plan_change(choices_of(state, engine), _change(fields))
    before, after = (data.decode().splitlines() for data in (planned.before, planned.after))
    # Lines around may hold keys, so they are left out.
    lines = [state.redact(line) for line in list(difflib.unified_diff(before, after, lineterm="", n=0))[2:]]
    values = {"fields": fields, "lines": lines, "seen": digest_of(planned.before.decode()), "back": _back(fields)}
    return page.show("settings_change.html", values)


@router.post("/settings/change")
def change(state: StateThere, engine: Reading, fields: SentFields) -> Response:
    """Write the change, if the file still is what the person saw."""
    seen, choices = fields.pop("seen", ""), choices_of(state, engine)
    planned = plan_change(choices, _change(fields))
    require_seen(seen, planned.before.decode())
    carry_out(choices, planned)
    return seen_other(f"{_back(fields)}?notice={SETTINGS_WRITTEN}")


def choices_of(state: HttpState, engine: Engine) -> Choices:
    """The choices that the page of settings offers."""
    files = engine.catalog.listing()
    agents = sorted({f"{file.source}:{file.agent}" if file.agent else file.source for file in files if file.source})
    folder = engine.workspace.root / engine.settings.agents.root
    remembered = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return Choices(state.root, state.context.environment, engine.settings, engine.jobs, agents, remembered)


def _change(fields: Mapping[str, str]) -> Any:  # noqa: ANN401 - one of several changes
    try:
        return _CHANGES.validate_python({name: value for name, value in fields.items() if name != "seen"})
    except ValidationError as error:
        raise RequestValidationError(
            [{**problem, "loc": ("body", *problem["loc"][1:])} for problem in error.errors()]
        ) from error


def _back(fields: Mapping[str, str]) -> str:
    return "/agents" if fields.get("change") in _AGENTS_OF else "/settings"


def _in_words(page: Page, cron: str) -> str:
    """A crontab line that is offered, in the reader's words."""
    minute, hour, *_, weekday = cron.split()
    if hour.startswith("*"):
        return page.text("settings.every", hours=hour.removeprefix("*/").removeprefix("*") or "1")
    at = f"{int(hour):02d}:{int(minute):02d}"
    if weekday == "*":
        return page.text("settings.daily", at=at)
    return page.text("settings.weekly", day=page.word("settings.days", str(int(weekday) % _WEEKDAYS)), at=at)
