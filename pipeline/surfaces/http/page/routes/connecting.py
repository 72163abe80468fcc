"""Connecting an agent with the memory, and disconnecting it: the lines in its files first, then the change.

A connected agent finds all that is read here, so its provider would get text of others for the first time where other
agents are read too: that one is connected at the terminal alone.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from fastapi import Response

from pipeline.engine.context import Engine
from pipeline.errors.service import ChoiceUnknown, HomeMissing
from pipeline.install import installed_program
from pipeline.integration.known_agents import AGENTS, Connection, home_of
from pipeline.integration.plan import IntegrationPlan, carry_out, difference, plan_apply, plan_removal
from pipeline.integration.records import left_out_parts, own_record
from pipeline.settings.workspaces import name_of
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere

router = page_router()
_LONGEST = 500  # characters of a line that is shown
Way = Literal["connect", "disconnect"]


@dataclass(frozen=True)
class KnownConnection:
    """An agent of this machine: its name, its title, and whether it is `connected`, or `may` be connected here."""

    name: str
    title: str
    connected: bool
    may: bool


def known_connections(state: HttpState, engine: Engine) -> Iterator[KnownConnection]:
    """The agents that are installed on this machine, or connected."""
    connected = own_record(state.root, state.context.environment)[0].agents
    kinds = {source.kind for source in engine.settings.sources}
    for name, agent in AGENTS.items():
        may = name not in connected and kinds == {name.replace("-", "_")}
        if name in connected or _is_installed(state, name):
            yield KnownConnection(name, agent.title, name in connected, may)


def _is_installed(state: HttpState, name: str) -> bool:
    """Whether an agent has its folder on this machine; without a home folder none has."""
    with suppress(HomeMissing):
        return os.path.isdir(AGENTS[name].folder(_connection(state, name)))
    return False


@router.get("/connections/{name}/{way}")
def ask(page: PageThere, state: StateThere, engine: Reading, name: str, way: Way) -> Response:
    """The lines that would go into the files of an agent, or out of them, and the button that does it."""
    changes = _differences(_plan(state, engine, way, name))
    # Only the lines that change: those around may hold keys of other programs.
    diffs = [
        [state.redact(line[:_LONGEST]) for line in text.splitlines() if line.startswith(("+", "-", "@@"))]
        for text in changes
    ]
    values = {"way": way, "name": name, "title": AGENTS[name].title, "diffs": diffs, "seen": digest_of(changes)}
    return page.show("connecting.html", values)


@router.post("/connections/{name}/{way}")
def change(
    state: StateThere,
    engine: Reading,
    way: Way,
    name: str,
    form: InBody[Form],
) -> Response:
    """Change the files, if they still are what the person saw."""
    plan = _plan(state, engine, way, name)
    form.require_same(_differences(plan))
    carry_out(state.root, plan, removing=way == "disconnect")
    return seen_other(f"/agents?notice={way}ed")


def _plan(state: HttpState, engine: Engine, way: Way, name: str) -> IntegrationPlan:
    known = {connection.name: connection for connection in known_connections(state, engine)}.get(name)
    if known is None or not (known.connected if way == "disconnect" else known.may):
        raise ChoiceUnknown(name)
    if way == "disconnect":
        return plan_removal(state.root, name, state.context.environment)
    beside = name_of(state.root, state.context.environment)
    return plan_apply(state.root, name, AGENTS[name], _connection(state, name), beside=beside)


def _differences(plan: IntegrationPlan) -> Sequence[str]:
    return [difference(change) for change in plan.pending]


def _connection(state: HttpState, name: str) -> Connection:
    """The connection as the command makes it without options."""
    variables = state.context.environment
    left_out = left_out_parts(state.root, name)
    return Connection(installed_program() or "memory", str(state.root), "", home_of(variables), variables, left_out)
