"""The settings of the service that `memory serve` is, and of what it does about each job."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from schemas.base import Duration, Value

_PORTS = 65_536


def _address(told: str) -> str:
    _, colon, port = told.rpartition(":")
    if told and not (colon and port.isdecimal() and int(port) < _PORTS):
        message = f"{told!r} is no HOST:PORT; write one such as 127.0.0.1:9464"
        raise ValueError(message)
    return told


class CatchUp(StrEnum):
    """Which windows of a job that closed while nobody ran it are run later: all, only the latest, or none."""

    ALL = "all"
    LATEST = "latest"
    NONE = "none"


class Overlap(StrEnum):
    """What becomes of a tick that comes while the job is still at work: nothing, or another look right after."""

    SKIP = "skip"
    QUEUE = "queue"


class ServiceSettings(Value):
    """The service. Without `http` nothing listens."""

    http: Annotated[str, AfterValidator(_address)] = ""
    embedder_idle: Duration = timedelta(minutes=5)


class PingSettings(Value):
    """Where to tell that jobs run, in the manner of healthchecks.io; nowhere without `url`."""

    url: SecretStr = SecretStr("")
    timeout: Duration = timedelta(seconds=5)
    log_bytes: int = Field(default=10_000, ge=0, le=100_000)
