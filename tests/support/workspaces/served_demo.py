"""The workspace of the demo with the application over it, as the service serves it, and tokens to call it."""

import http.client
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pipeline.app.index import IndexOptions, open_index
from pipeline.clock import stopwatch
from pipeline.process.context import ProcessContext
from pipeline.process.logging import stderr_emitter
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.snapshot import snapshot_of
from pipeline.service.parts import WebParts
from pipeline.service.socket.address import listening
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.web.server import Application, LocalListener, WebServer
from pipeline.settings.load import load_settings
from pipeline.surfaces.http.application import open_application
from pipeline.surfaces.http.local import make_local
from pipeline.surfaces.http.security.guard import PER_SECOND
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from schemas.service_settings import ServiceSettings
from schemas.service_state import ServiceState
from tests.support.processes.waiting import soon

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
STATE = ServiceState(pid=1, host="here", version="1", started=NOW, alive=NOW)


_EMPTY: Mapping[str, str] = {}


@dataclass(frozen=True)
class HttpAnswer:
    """What came back; the names of headers are in lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def value(self) -> Any:  # noqa: ANN401 - JSON
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class ServedWorkspace:
    """A workspace that is served at `address`, with the tokens of a person and of an agent; a front has it below."""

    root: Path
    address: str
    person: str
    agent: str

    def ask(self, path: str, method: str = "GET", body: object = None, **headers: str) -> HttpAnswer:
        """One request, with the person's token unless `headers` say otherwise; `_` in their names is `-`."""
        place = urlsplit(self.address)
        given = {name.replace("_", "-"): text for name, text in headers.items()}
        named = {"authorization": f"Bearer {self.person}", "content-type": "application/json", **given}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)) as connection:
            sent = {name: text for name, text in named.items() if text}
            connection.request(method, f"{place.path}{path}", data, sent)
            response = connection.getresponse()
            headers_of = {name.lower(): text for name, text in response.getheaders()}
            return HttpAnswer(response.status, response.read(), headers_of)

    def summary(self, session: str) -> Any:  # noqa: ANN401 - JSON
        """The summary of a conversation, which is made in the background; asks less often than a token may.

        Raises:
            TimeoutError: none was made.
        """
        made = list[Any]()

        def is_made() -> bool:
            made[:] = [self.ask(f"/api/v1/sessions/{session}").value["summary"]]
            return bool(made[0])

        if not soon(is_made, every=2 / PER_SECOND):
            raise TimeoutError(session)
        return made[0]


@contextmanager
def served(
    root: Path,
    where: str = "127.0.0.1:0",
    hosts: tuple[str, ...] = (),
    application: Callable[[WebParts, str], Application] = open_application,
    environment: Mapping[str, str] = _EMPTY,
) -> Iterator[ServedWorkspace]:
    """A workspace while it is served.

    As the service does, but for the process that brings the index up to date: it would make all vectors of each copy
    anew, and a question brings the index up to date as well.
    """
    tokens = TokenFile(root)
    known = {kept.name for kept in tokens.read_tokens()}
    for name in known:
        tokens.revoke(name, NOW)
    person = tokens.add("anna", CallerKind.PERSON, "", NOW)
    agent = tokens.add("bot", CallerKind.AGENT, "main", NOW)
    service = ServiceSettings(http=where, hosts=hosts)
    settings = load_settings(root, {}).model_copy(update={"service": service})
    context = ProcessContext(environment, emit=stderr_emitter(settings.log_level))
    health = HealthPages(HealthSource(stopwatch, lambda: snapshot_of(root, context, STATE, None)))
    with open_index(root, context, IndexOptions(linger=60)) as opened:
        in_use = SettingsInUse(root, {}, settings)
        with ServiceAnswers(root, opened, in_use) as answers, listening(root) as listener:
            network = application(WebParts(root, context, settings, health, answers), "1.0")
            local = LocalListener(listener, make_local(answers, context.emit))
            with WebServer(where, network, local=local) as web, closing(answers):
                yield ServedWorkspace(root, web.address, person, agent)
