"""The settings of `memory ship`: the server that transcripts are sent to."""

import re
from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from schemas.addresses import HeaderSecret, HttpAddress
from schemas.base import Timeout, Value

_THIS_MACHINE = re.compile(r"http://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:/.*)?", re.IGNORECASE)


def _unread_on_its_way(url: str) -> str:
    if url and not url.lower().startswith("https://") and not _THIS_MACHINE.fullmatch(url):
        message = "has to begin with https://; reach a server without it through `ssh -L`, as http://127.0.0.1:PORT"
        raise ValueError(message)
    if "@" in url.partition("//")[2].partition("/")[0] or "?" in url or "#" in url:
        message = "is the address alone: no user, no password, no question mark"
        raise ValueError(message)
    return url.rstrip("/")


class ShipSettings(Value):
    """The server of the owner to which `memory ship` sends transcripts; without `url` it sends none.

    `token` is that of a laptop there. `machine` is the name of this machine; without it the ledger makes one.
    `timeout` is that of one request.
    """

    url: Annotated[HttpAddress, AfterValidator(_unread_on_its_way)] = ""
    token: HeaderSecret = SecretStr("")
    machine: str = Field(default="", max_length=100)
    timeout: Timeout = timedelta(seconds=60)
