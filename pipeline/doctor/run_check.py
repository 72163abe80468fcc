"""The run of a check, which ends with its results also when it fails."""

from collections.abc import Callable, Iterable, Iterator

from pipeline.errors import LedgerDamaged, PipelineError
from schemas.checkup import CheckResult, Health

NAMED = 5  # how many things of one sort are named


def run_check(name: str, look: Callable[[], Iterable[CheckResult]]) -> Iterator[CheckResult]:
    """Run a check. A check that fails is reported with its error, so that the other checks go on."""
    try:
        yield from look()
    except LedgerDamaged as error:
        yield CheckResult(name, Health.FAIL, f"cannot be looked at: {error}")
    except (PipelineError, OSError) as error:
        yield CheckResult(name, Health.WARN, f"cannot be looked at: {error}", "All else is looked at.")
