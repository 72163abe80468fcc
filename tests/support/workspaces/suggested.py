"""Changes of an agent's memory that wait for a person, in a workspace."""

from pathlib import Path

from pipeline.app.agents import change_request, request_change
from pipeline.app.opening import opened_to_run
from pipeline.process.context import ProcessContext
from schemas.memory_change import Operation
from schemas.reports.agents import ChangeAnswer
from schemas.run_options import RunOptions


def suggest(root: Path, agent: str, operation: Operation, text: str, line: str = "") -> ChangeAnswer:
    """Ask for a change by a command, which is nobody's word: it waits."""
    with opened_to_run(root, ProcessContext({}), RunOptions()) as engine:
        wanted = change_request(engine.settings, operation, text, line=line, asked_by=agent, over="shell")
        return request_change(engine, agent, wanted)
