"""A clock that stands still until it is moved."""

from datetime import datetime, timedelta


class FixedClock:
    """A `Clock` that shows a given time."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """The moment set."""
        return self.moment

    def move(self, by: timedelta) -> None:
        """Set the clock forward, or back with a negative time."""
        self.moment += by
