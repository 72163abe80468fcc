"""The report of a check of the search, for programs."""

from collections.abc import Iterator, Sequence

from pipeline.index.evaluation.checks import Checked, SearchCheckRun
from schemas.reports.index import CheckedType, CheckFailure, SearchChecked


def failures(report: SearchCheckRun) -> Iterator[Checked]:
    """The questions without the expected answer, or with a hit whose citation is wrong."""
    return (checked for checked in report.checked if checked.faults or not checked.retrieved)


def search_checked(report: SearchCheckRun, notes: Sequence[str]) -> SearchChecked:
    """All of a report, with what is to be known about the index."""
    types = (CheckedType(row.sort.value, row.asked, row.in_first, row.in_most, row.p50, row.p95) for row in report.rows)
    return SearchChecked(
        types=tuple(types),
        p50=report.p50,
        p95=report.p95,
        failures=tuple(map(_failure, failures(report))),
        problems=tuple(report.problems),
        notes=tuple(notes),
    )


def _failure(checked: Checked) -> CheckFailure:
    return CheckFailure(
        type=checked.check.sort.value,
        question=checked.check.question,
        expected=str(checked.check.expected),
        within=checked.check.within,
        position=checked.position,
        came=checked.came,
        faults=checked.faults,
    )
