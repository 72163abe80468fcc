"""The settings of a fleet on one machine: its database, and the folder for what is checked out."""

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from schemas.addresses import PathText
from schemas.base import Value
from schemas.service_settings import listening_address
from schemas.store_settings import POSTGRESQL


def _server_address(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(POSTGRESQL):
        message = "write postgresql://USER@HOST/DATABASE"
        raise ValueError(message)
    return url


class FleetSettings(Value):
    """A fleet: the address of its database, and the `cache` folder of this machine, which one process uses at a time.

    A relative `cache` is relative to the folder of the settings; without a value it is `fleet` beside them. It holds so
    many workspaces as are `cached` at most.

    `ping` is the address of a check, in the manner of healthchecks.io, which workers tell once a minute how the fleet
    is.

    A front listens at `http`, and has so many `connections` with its callers at most. `hosts` are the names by which
    others call it, where `http` is an address that they reach.
    """

    url: Annotated[SecretStr, AfterValidator(_server_address)]
    cache: PathText = "fleet"
    cached: int = Field(default=1_000, ge=1)
    ping: SecretStr = SecretStr("")
    http: Annotated[str, AfterValidator(listening_address)] = "127.0.0.1:8765"
    connections: int = Field(default=128, ge=32, le=1_000)
    hosts: tuple[str, ...] = ()
