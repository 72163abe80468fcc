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


class PartitionKey(Value):
    """A partition of a job's work.

    `subject` is the agent it is about, or empty. `key` is how people name it: the times of a window, a day, a week, a
    month, an episode, the number of a group, the id of a request, or `all`. `window` is the time it is about.
    """

    key: str
    window: Window
    subject: str = ""
