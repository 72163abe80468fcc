"""The results of checks of the doctor."""

import re
from functools import partial

from pipeline.doctor.checks import CHECKS, Examination
from pipeline.doctor.run_check import run_check
from pipeline.engine.context import Engine
from pipeline.process.context import ProcessContext
from pipeline.reports.phrases import Translator
from schemas.checkup import CheckResult

_POLISH = Translator("pl", {})
_VALUES = re.compile(r"`[^`]*`|\S*/\S*|database is locked|file is not a database")
_ENGLISH = re.compile(r"\b(?:the|is|are|was|were|has|have|had|cannot|which|that|it|its|not)\b")


def results_of(engine: Engine, *names: str) -> list[CheckResult]:
    """The results of the checks of these names, in the order of the doctor; all of their words are known in Polish."""
    examination = Examination(engine, ProcessContext({}, engine.clock))
    asked = [check for check in CHECKS if check.name in names]
    results = [result for check in asked for result in run_check(check.name, partial(check.question, examination))]
    texts = [text for result in results for text in (result.name, result.message, result.advice)]
    assert [] == [text for text in texts if _has_english(_POLISH.translate(text) or text)]
    return results


def _has_english(text: str) -> bool:
    """Whether English words are left, beside commands, paths and the words of SQLite."""
    return bool(_ENGLISH.search(_VALUES.sub("", text)))
