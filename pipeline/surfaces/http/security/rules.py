"""The rules about the host, origin and token of a request, by its headers alone."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.service.web.server import is_loopback
from pipeline.surfaces.http.problems import Problem
from schemas.caller import Caller

_LENGTH = 12


def cookie_name(root: Path) -> str:
    """The name of a workspace's cookie: browsers share cookies among the ports of one host, so each has its own."""
    return f"memory_{hashlib.sha256(str(root).encode(errors='replace')).hexdigest()[:_LENGTH]}"


OPEN = ("/health/live", "/health/ready", "/metrics")
"""The paths that need no token: they say nothing of what is remembered."""
SIGN_IN = "/sign-in"
"""The path to which a person without a token is sent."""
STATIC = "/static/"
_API = ("/api/", "/mcp", "/openapi.json", *OPEN)
_UNSIGNED = Problem(HTTPStatus.FORBIDDEN, "A browser has to say which page asks; this one did not.")
_CLOSED = "service.http is an address that others reach. Name its hosts in service.hosts to open the API there."
_SAFE = {"GET", "HEAD", "OPTIONS"}
_BEARER = "bearer "
_HOST = re.compile(r"[\w.:\[\]-]+")

Headers = Mapping[str, str]
"""Headers by their names in lower case; of several with one name the last."""


@dataclass(frozen=True)
class Rules:
    """The rules of one server.

    `host` is the one it listens on, and `names` are those by which others may call it, besides loopback. `caller` says
    who has a token, and `cookie` is the name of the one in which a browser keeps it.
    """

    host: str
    names: tuple[str, ...]
    caller: Callable[[str], Caller | None]
    cookie: str = ""

    def refusal(self, method: str, path: str, headers: Headers) -> Problem | None:
        """The reason why a request is refused, whoever sent it; `None` when it is not."""
        host = headers.get("host", "")
        if not self._is_ours(host, path):
            return Problem(HTTPStatus.MISDIRECTED_REQUEST, "This host is not served here.")
        if method not in _SAFE and not self._is_same_origin(host, headers):
            return Problem(HTTPStatus.FORBIDDEN, "A page of another origin may not change anything here.")
        if method not in _SAFE and self._is_unsigned(headers):
            return _UNSIGNED
        if path not in OPEN and not self._is_open:
            return Problem(HTTPStatus.FORBIDDEN, _CLOSED)
        return None

    def find_caller(self, headers: Headers) -> Caller | None:
        """Find the caller by the token of a request; `None` without a known token."""
        token = self.find_token(headers)
        return self.caller(token) if token else None

    def find_token(self, headers: Headers) -> str:
        """Find the token of a request: what it says itself counts, and not the cookie beside it; empty without one."""
        if given := headers.get("authorization", ""):
            return given[len(_BEARER) :].strip() if given.lower().startswith(_BEARER) else ""
        return self._cookie_token(headers)

    def _cookie_token(self, headers: Headers) -> str:
        """The token in the cookie of a browser; empty without one."""
        pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
        return next((value for name, _, value in pairs if self.cookie and name == self.cookie), "")

    def _is_unsigned(self, headers: Headers) -> bool:
        """Whether a browser's token comes without a word of the page that asks: every browser of today says it."""
        says = headers.get("origin") or headers.get("sec-fetch-site")
        return not says and "authorization" not in headers and bool(self._cookie_token(headers))

    def _is_ours(self, host: str, path: str) -> bool:
        """Whether a request with this `Host` is for us.

        A web page can resolve its own name to 127.0.0.1, and so read local services through a visitor's browser.
        """
        name = _name(host)
        if name is None:
            return False
        known = name == self.host or name in self.names or is_loopback(name)
        # Who listens to the network, and names no host, shows metrics and health there by any name, as ever.
        return known or (not is_loopback(self.host) and not self.names and path in OPEN)

    @property
    def _is_open(self) -> bool:
        return is_loopback(self.host) or bool(self.names)

    def _is_same_origin(self, host: str, headers: Headers) -> bool:
        site, origin = headers.get("sec-fetch-site", ""), headers.get("origin", "")
        if site not in {"", "none", "same-origin"}:
            return False
        try:
            return not origin or urlsplit(origin).netloc == host
        except ValueError:
            return False


def is_page(path: str) -> bool:
    """Whether a path is one of the page for people, and not of the interface for programs."""
    return not path.startswith(_API)


def is_public(path: str) -> bool:
    """Whether a path needs no token."""
    return path in OPEN or path == SIGN_IN or path.startswith(STATIC)


def _name(host: str) -> str | None:
    if not _HOST.fullmatch(host):
        return None
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
