"""The application of a service that runs: made of its parts."""

from functools import partial

from pipeline.app.details.opening import store_of
from pipeline.service.parts import WebParts
from pipeline.service.web.server import Application
from pipeline.surfaces.http.application import make_application
from pipeline.surfaces.http.security.rules import Rules
from pipeline.surfaces.http.state import HttpState
from pipeline.workspace.tokens import TokenFile
from schemas.service_settings import host_and_port


def open_application(parts: WebParts, version: str) -> Application:
    """The application over the parts of a service."""
    host, _ = host_and_port(parts.settings.service.http)
    questions = {name: question.answer for name, question in parts.questions.items()}
    store = store_of(parts.root, parts.settings)
    state = HttpState(parts.root, parts.context, parts.health, questions, version, store)
    caller = partial(TokenFile.caller, TokenFile(parts.root))
    rules = Rules(host or "127.0.0.1", parts.settings.service.hosts, caller)
    return make_application(state, rules, tuple(sorted(parts.settings.agents.named)))
