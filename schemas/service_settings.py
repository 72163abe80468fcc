"""The settings of the service `memory serve`, and of its handling of each job."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from schemas.addresses import PathText
from schemas.base import Duration, Timeout, Value

_PORTS = 65_536
_LONGEST_PING = timedelta(seconds=60)  # the service closes its line within one; systemd allows it two minutes


def host_and_port(text: str) -> tuple[str, int]:
    """Both parts of HOST:PORT. The host may be empty, and an IPv6 address in brackets, which are left out.

    Raises:
        ValueError: it is no such thing.
    """
    host, colon, port = text.rpartition(":")
    if not (colon and port.isdecimal() and int(port) < _PORTS):
        message = f"{text!r} is no HOST:PORT; write one such as 127.0.0.1:9464"
        raise ValueError(message)
    return host.removeprefix("[").removesuffix("]"), int(port)


def listening_address(text: str) -> str:
    """HOST:PORT, or nothing.

    Raises:
        ValueError: it is something else.
    """
    if text:
        host_and_port(text)
    return text


def _short(duration: timedelta) -> timedelta:
    if duration > _LONGEST_PING:
        message = f"has to be {_LONGEST_PING.total_seconds():g} seconds or less"
        raise ValueError(message)
    return duration


class CatchUp(StrEnum):
    """The windows that closed while the job was not run, and are run later: all, only the latest, or none."""

    ALL = "all"
    LATEST = "latest"
    NONE = "none"


class Overlap(StrEnum):
    """The handling of a tick while the job is still at work: nothing, or another look right after."""

    SKIP = "skip"
    QUEUE = "queue"


class ServiceSettings(Value):
    """The settings of the service. Without `http` nothing listens.

    `hosts` are the names by which others call it, where `http` is an address that they reach.

    `metrics_file` is written where no service is: by `memory run` and `memory doctor reindex`.
    """

    http: Annotated[str, AfterValidator(listening_address)] = ""
    hosts: tuple[str, ...] = ()
    embedder_idle: Duration = timedelta(minutes=5)
    metrics_file: PathText = ""


class PingSettings(Value):
    """The check to ping when jobs run, in the manner of healthchecks.io; without `url` there is none."""

    url: SecretStr = SecretStr("")
    timeout: Annotated[Timeout, AfterValidator(_short)] = timedelta(seconds=5)
    log_bytes: int = Field(default=10_000, ge=0, le=100_000)
