"""The application of a service that runs: made of its parts."""

from pipeline.errors.service import TokensDamaged
from pipeline.service.parts import WebParts
from pipeline.service.processes.children import Children
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.web.server import Application
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.application import make_application
from pipeline.surfaces.http.security.rules import Rules, cookie_name
from pipeline.surfaces.http.state import HttpState
from pipeline.workspace.tokens import TokenFile
from schemas.service_settings import host_and_port


def open_application(parts: WebParts, version: str) -> Application:
    """The application over the parts of a service."""
    host, _ = host_and_port(parts.settings.service.http)
    store = WorkspaceStore(parts.root, parts.settings.store)
    work = WorkProcesses(parts.root, Children(parts.root, parts.context.environment, parts.settings.retention))
    state = HttpState(parts.root, parts.context, parts.health, parts.answers, version, store, work, parts.read_again)
    tokens = TokenFile(parts.root)
    names = parts.settings.service.hosts
    clock = parts.context.clock
    rules = Rules(host or "127.0.0.1", names, lambda token: tokens.caller(token, clock.now()), cookie_name(parts.root))
    named = parts.settings.agents.by_name
    agents = {agent: agent in named for agent in sorted({*named, *_agents_with_tokens(tokens)})}
    return make_application(state, rules, agents)


def _agents_with_tokens(tokens: TokenFile) -> set[str]:
    """The agents that have a token; none where the file cannot be read, which each request says."""
    try:
        return {token.agent for token in tokens.read_tokens() if token.agent}
    except TokensDamaged:
        return set()
