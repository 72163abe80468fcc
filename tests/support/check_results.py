"""The results of checks of the doctor."""

from functools import partial

from pipeline.doctor.checks import CHECKS, Examination
from pipeline.doctor.run_check import run_check
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from schemas.checkup import CheckResult


def results_of(engine: Engine, *names: str) -> list[CheckResult]:
    """The results of the checks of these names, in the order of the doctor."""
    examination = Examination(engine, ProcessContext({}, engine.clock))
    asked = [check for check in CHECKS if check.name in names]
    return [result for check in asked for result in run_check(check.name, partial(check.question, examination))]
