"""Errors about whole back-fills."""

from collections.abc import Sequence

from pipeline.errors import UnknownName


class UnknownBackfillRuns(UnknownName):
    """No run is known that belongs to a back-fill of this id."""

    sort = "back-fill of which runs are known"
    listed = "`memory runs show ID` names the back-fill of a run"

    def __init__(self, name: str, known: Sequence[str] = (), lost: str = "") -> None:
        """`lost` says how the ledger was lost, or is empty."""
        super().__init__(name, known)
        if lost:
            rest = "Only the ledger knows which runs a back-fill had, so what they wrote stays."
            self.args = (f"{self} {lost} {rest}",)
