"""The checks of agents' own memory."""

from collections.abc import Iterator

from pipeline.agents.journal import parse_change
from pipeline.doctor.checks import NAMED, made
from pipeline.engine.context import Engine
from pipeline.engine.moved_agents import left_behind
from pipeline.errors.agents import AgentsLeftBehind
from pipeline.markdown.blocks import find_blocks
from schemas.checkup import Check, Health

_NAME = "agents"
_JOURNALS = "*/memory/journal/*.md"


def agent_checks(engine: Engine) -> Iterator[Check]:
    """Every check of agents' folders; none without agents."""
    yield from made(_NAME, lambda: _left_behind(engine))
    yield from made(_NAME, lambda: _undeclared(engine))
    yield from made(_NAME, lambda: _changed_lines(engine))


def _files(engine: Engine, *patterns: str) -> list[str]:
    """The files in the folders of the agents that match patterns, which begin with these folders."""
    agents = engine.workspace.layout.agents
    return [path for pattern in patterns for path in engine.workspace.select(f"{agents}/{pattern}")]


def _left_behind(engine: Engine) -> Iterator[Check]:
    """Files of agents under another folder than the settings name."""
    if left := left_behind(engine):
        yield Check(_NAME, Health.FAIL, str(AgentsLeftBehind(engine.settings.agents.root, left)))


def _undeclared(engine: Engine) -> Iterator[Check]:
    """Folders of agents with a journal of ours that the settings do not name."""
    agents = engine.workspace.layout.agents
    names = {path.removeprefix(f"{agents}/").partition("/")[0] for path in _files(engine, _JOURNALS)}
    for name in sorted(names - engine.settings.agents.named.keys())[:NAMED]:
        message = f"{agents}/{name} has a memory, and memory.toml has no table [agents.{name}]"
        yield Check(_NAME, Health.WARN, message, f"`memory agents add {name}` declares it; its files stay as they are.")


def _changed_lines(engine: Engine) -> Iterator[Check]:
    """Lines of a journal that count for nothing, because we did not write them as they stand."""
    for path in _files(engine, _JOURNALS):
        known = {(block.name, block.digest) for block in engine.ledger.changes.standing_in(path)}
        lines = (block for block in find_blocks(engine.workspace.read(path) or b"") if block.item)
        strange = [one for one in lines if (one.name, one.digest) not in known and parse_change(one.name, one.text)]
        if strange:
            message = f"{path}: {len(strange)} line(s) were changed or added by hand, such as line {strange[0].line}"
            advice = "They count for nothing; say it with `memory remember`, or correct the brain itself."
            yield Check(_NAME, Health.WARN, message, advice)
