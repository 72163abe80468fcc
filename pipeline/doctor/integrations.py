"""The checks of connected agents: whether their configuration is still ours, and whether their command answers."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from pipeline.agents.journal import parse_change
from pipeline.doctor.run_check import NAMED
from pipeline.engine.context import Engine
from pipeline.engine.moved_agents import left_behind
from pipeline.errors import PipelineError
from pipeline.errors.agents import AgentsLeftBehind
from pipeline.install import installed_program
from pipeline.integration.client_plugins import plugins_of
from pipeline.integration.edits import EditRecord, Uneditable
from pipeline.integration.known_agents import AGENTS
from pipeline.integration.plan import carry_out, plan_again
from pipeline.integration.records import RecordFolder, is_copied, other_workspaces, own_record, read_content
from pipeline.integration.splicing import is_present
from pipeline.markdown.blocks import find_blocks
from schemas.checkup import CheckResult, Health

_VERSION_SECONDS = 20
"""Seconds for the program to say its version."""


def check_integrations(root: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check the agents that were connected with a workspace: their configuration, and the command in it."""
    record, _ = own_record(root, environment)
    for name in sorted((RecordFolder(root).read().agents.keys() & AGENTS) - record.agents.keys()):
        message = "your home does not know that it was connected from here, so nothing of that is mended or taken out"
        advice = f"`memory agents connect {name} --apply` connects it, and takes over what stands there."
        yield CheckResult(f"agent {name}", Health.WARN, message, advice)
    faults = {program: _fault_of(program) for program in set(record.programs.values())}
    for name, files in record.agents.items():
        again = f"`memory agents connect {name} --apply` puts it in again, --remove takes the rest out."
        mend = None
        if is_copied(files.values(), root):
            again = f"`memory agents connect {name} --apply` connects this one too, --remove forgets the other's."
        elif other_workspaces(files.values(), root):
            mend = partial(_connect_again, root, name, environment)
        troubles = [trouble for path, file in files.items() if (trouble := _trouble_of(Path(path), file, root))]
        for number, trouble in enumerate(troubles):  # all is mended at once
            yield CheckResult(f"agent {name}", Health.WARN, trouble, again, None if number else mend)
        if fault := faults[record.programs[name]]:
            advice = f"Install it there again, or `memory agents connect {name} --apply` with the one that works."
            yield CheckResult(
                f"agent {name}", Health.FAIL, f"{record.programs[name]} {fault}, so it has no memory", advice
            )
        elif not troubles:
            yield CheckResult(f"agent {name}", Health.OK, f"connected: {', '.join(files)}")


def check_client_plugins(root: Path, variables: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check the agents that have our plugin for a workspace, and whether they are connected besides."""
    connected, _ = own_record(root, variables)
    for name, plugin in plugins_of(root, variables):
        if name in connected.agents:
            message = f"connected by `memory agents connect`, and has {plugin.title}, which does nothing"
            advice = f"Keep one of them: `{plugin.removal}`, or `memory agents connect {name} --remove`."
            yield CheckResult(f"agent {name}", Health.WARN, message, advice)
        else:
            yield CheckResult(f"agent {name}", Health.OK, f"connected by {plugin.title}")


def _connect_again(root: Path, name: str, environment: Mapping[str, str]) -> str:
    plan = plan_again(root, name, environment)
    carry_out(root, plan)
    return f"{', '.join(str(change.file) for change in plan.pending)} names this workspace now"


def _trouble_of(path: Path, file: EditRecord, root: Path) -> str:
    if elsewhere := sorted(other_workspaces([file], root)):
        away = "" if Path(elsewhere[0]).exists() else ", which is gone"
        return f"{path} names the workspace {elsewhere[0]}{away}, and not this one: it was moved or copied"
    try:
        data = read_content(path)
        if data is None:
            return f"{path} is gone"
        gone = [piece for piece in file.edit(path).pieces if not is_present(data.decode(), file.syntax, piece)]
    except UnicodeDecodeError:
        return f"{path} is no text in UTF-8"
    except Uneditable as error:
        return f"{path} {error}"
    except PipelineError as error:
        return str(error)
    names = [piece.name or "our text" for piece in gone]
    return f"{path}: {', '.join(names)} is gone, or not as it was put in" if names else ""


def _fault_of(program: str) -> str:
    """The fault of the configured program, to complete a sentence; empty if it answers."""
    if not Path(program).is_file() or not os.access(program, os.X_OK):
        return "is not there, or may not be run"
    if program != installed_program():  # a stranger's record comes with a clone, so no other program is run
        return ""
    try:
        words = [program, "--version"]
        done = subprocess.run(words, capture_output=True, timeout=_VERSION_SECONDS, check=False)  # noqa: S603 - ours, by its path
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"does not start ({error})"
    return "" if done.stdout.startswith(b"memory ") else "does not answer"


_NAME = "agents"
_JOURNALS = "*/memory/journal/*.md"


def _files(engine: Engine, *patterns: str) -> list[str]:
    """The files in the folders of the agents that match patterns, which begin with these folders."""
    agents = engine.workspace.layout.agents
    return [path for pattern in patterns for path in engine.workspace.select(f"{agents}/{pattern}")]


def check_abandoned_folders(engine: Engine) -> Iterator[CheckResult]:
    """Check for files of agents under another folder than the settings name."""
    if left := left_behind(engine):
        yield CheckResult(_NAME, Health.FAIL, str(AgentsLeftBehind(engine.settings.agents.root, left)))


def check_undeclared_agents(engine: Engine) -> Iterator[CheckResult]:
    """Check for folders of agents with a journal of ours, and without a declaration in the settings."""
    agents = engine.workspace.layout.agents
    names = {path.removeprefix(f"{agents}/").partition("/")[0] for path in _files(engine, _JOURNALS)}
    for name in sorted(names - engine.settings.agents.by_name.keys())[:NAMED]:
        message = f"{agents}/{name} has a memory, and memory.toml has no table [agents.{name}]"
        yield CheckResult(
            _NAME, Health.WARN, message, f"`memory agents add {name}` declares it; its files stay as they are."
        )


def check_changed_lines(engine: Engine) -> Iterator[CheckResult]:
    """Check for lines of a journal that do not count, because we did not write them in this form."""
    for path in _files(engine, _JOURNALS):
        known = {(block.name, block.digest) for block in engine.ledger.changes.standing_in(path)}
        lines = (block for block in find_blocks(engine.workspace.read(path) or b"") if block.item)
        strange = [
            line for line in lines if (line.name, line.digest) not in known and parse_change(line.name, line.text)
        ]
        if strange:
            message = f"{path}: {len(strange)} line(s) were changed or added by hand, such as line {strange[0].line}"
            advice = "They count for nothing; say it with `memory agents remember`, or correct the brain itself."
            yield CheckResult(_NAME, Health.WARN, message, advice)
