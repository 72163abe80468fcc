"""The request to run jobs over past days."""

from datetime import date

from schemas.base import Value
from schemas.run_options import Only


class BackfillRequest(Value):
    """A back-fill: jobs over the local days from `first` to `last`, both inside.

    No jobs are all jobs. Without `first` it begins with the first message, and without `last` it goes on to now.
    `max_windows` is how many windows it runs before it stops, each time it is started; `None` is no limit. `parallel`
    is how many questions the model is asked at once; `None` leaves it to the settings. `tokens_left` are those that are
    left of the `max_tokens` it may use, in and out; `None` is no limit. One that `waits` was stopped by its model or by
    a limit of the day, and goes on by itself while the service runs.
    """

    id: str
    jobs: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    only: Only = Only.ALL
    max_windows: int | None = None
    parallel: int | None = None
    max_tokens: int | None = None
    tokens_left: int | None = None
    waits: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it leaves jobs or days open."""
        return not (self.jobs and self.first and self.last)

    @property
    def work(self) -> tuple[object, ...]:
        """The work of the request, without the way it is done."""
        return set(self.jobs), self.first, self.last, self.only
