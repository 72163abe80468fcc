"""The request to run jobs over past days."""

from datetime import date

from schemas.base import Value
from schemas.run_options import Only


class BackfillRequest(Value):
    """A back-fill: jobs over the local days from `first` to `last`, both inside.

    `parallel` is how many questions the model is asked at once; `None` leaves it to the settings. `tokens_left` are
    those that are left of the `max_tokens` it may use, in and out; `None` is no limit.
    """

    id: str
    jobs: tuple[str, ...]
    first: date
    last: date
    only: Only = Only.ALL
    parallel: int | None = None
    max_tokens: int | None = None
    tokens_left: int | None = None

    @property
    def work(self) -> tuple[object, ...]:
        """The work of the request, without the way it is done."""
        return set(self.jobs), self.first, self.last, self.only
