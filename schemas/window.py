"""A half-open stretch of time."""

from datetime import datetime

from pydantic import AwareDatetime

from schemas.base import Value


class Window(Value):
    """The time from `start` (inside) to `end` (outside), both aware, kept in UTC."""

    start: AwareDatetime
    end: AwareDatetime

    def __contains__(self, moment: datetime) -> bool:
        """Whether `moment` lies in the window."""
        return self.start <= moment < self.end
