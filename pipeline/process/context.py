"""What a process brings along for everything that it opens: given once, and passed on as it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.clock import SystemClock
from pipeline.events import Emit, silent
from pipeline.ports.engine import Clock
from pipeline.process.cancellation import CancellationToken


@dataclass(frozen=True)
class ProcessContext:
    """The environment of a process, its clock, how it announces events and how it is stopped.

    Settings are read from `environment` as well as from files. `safe_point` is called between steps. What only one
    composition root wants to know is in its options: `EngineOptions`, `IndexOptions`.
    """

    environment: Mapping[str, str]
    clock: Clock = field(default_factory=SystemClock)
    emit: Emit = silent
    safe_point: CancellationToken = field(default_factory=CancellationToken)
