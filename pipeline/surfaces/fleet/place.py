"""The place at which a request to a front came in, and answers that stay below it."""

import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from pipeline.fleet.front import Front
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.service.web.server import Scope, Send
from pipeline.surfaces.http.security.rules import cookie_name

_PATH = re.compile(r"/w/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})(?P<rest>/.*)?", re.DOTALL)
_LEADING = (b"location", b"hx-redirect")


@dataclass(frozen=True)
class FrontPlace:
    """The place of the workspace of this `name`, whether it is there or not; without a name that of the operator.

    `path` is what of the address follows it; empty where the slash after the name is missing.
    """

    name: str
    path: str

    @property
    def below(self) -> str:
        """The beginning of all addresses of the place."""
        return f"/w/{self.name}" if self.name else ""

    @property
    def cookie(self) -> str:
        """The name of the cookie in which a browser keeps its token."""
        return cookie_name(Path(f"{self.below}/"))

    def scope(self, scope: Scope, workspace: FleetWorkspace | None) -> Scope:
        """The scope of a request as the application of the place gets it: as if it stood at the root."""
        state = {"below": self.below, "place": self, "workspace": workspace}
        return {**scope, "path": self.path, "raw_path": self.path.encode(), "root_path": "", "state": state}

    def answer(self, send: Send) -> Send:
        """A sender of an answer, whose own addresses and cookies stay below the place."""
        if not self.name:
            return send

        async def send_placed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, self._place_value(name.lower(), value)) for name, value in message.get("headers", ())]
                message = {**message, "headers": headers}
            await send(message)

        return send_placed

    def _place_value(self, name: bytes, value: bytes) -> bytes:
        """The value of a header, below the place."""
        below = self.below.encode()
        if name in _LEADING and value.startswith(b"/") and not value.startswith(b"//"):
            return below + value
        if name == b"set-cookie":
            return value.replace(b"Path=/;", b"Path=%s/;" % below)
        return value


def place_at(path: str) -> FrontPlace:
    """The place of a path."""
    match = _PATH.fullmatch(path)
    return FrontPlace(match["name"], match["rest"] or "") if match else FrontPlace("", path)


def front_of(request: Request) -> Front:
    """The front that answers."""
    front: Front = request.app.state.front
    return front


FrontThere = Annotated[Front, Depends(front_of)]


def place_of(request: Request) -> FrontPlace:
    """The place at which a request came in."""
    place: FrontPlace = request.state.place
    return place


def workspace_of(request: Request) -> FleetWorkspace:
    """The workspace that the token of a request opens."""
    workspace: FleetWorkspace = request.state.workspace
    return workspace


WorkspaceThere = Annotated[FleetWorkspace, Depends(workspace_of)]
