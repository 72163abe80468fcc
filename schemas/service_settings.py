"""The settings of the service that `memory serve` is, and of what it does about each job."""

from datetime import timedelta
from enum import StrEnum

from pydantic import Field, SecretStr

from schemas.base import Value


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
    """The service. Without `http` nothing listens; `retention` is how long logs of runs are kept."""

    http: str = ""
    embedder_idle: timedelta = timedelta(minutes=5)
    retention: timedelta = timedelta(days=90)


class PingSettings(Value):
    """Where to tell that jobs run, in the manner of healthchecks.io; nowhere without `url`."""

    url: SecretStr = SecretStr("")
    timeout: timedelta = timedelta(seconds=5)
    log_bytes: int = Field(default=10_000, ge=0, le=100_000)
