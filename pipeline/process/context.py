"""The context of a process: given once, and passed on unchanged to everything that it opens."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.clock import SystemClock
from pipeline.events import Emit, silent
from pipeline.ports.engine import Clock
from pipeline.process.cancellation import CancellationToken


@dataclass(frozen=True)
class ProcessContext:
    """The environment of a process, its clock, how it announces events and how it is stopped.

    Settings are read from `environment` as well as from files. `safe_point` is called between steps. With
    `read_only` the workspace is a copy that another one replaces: a change in its ledger would be lost, and is refused.
    What only one composition root wants to know is in its options: `EngineOptions`, `IndexOptions`.
    """

    environment: Mapping[str, str]
    clock: Clock = field(default_factory=SystemClock)
    emit: Emit = silent
    safe_point: CancellationToken = field(default_factory=CancellationToken)
    read_only: bool = False
