"""The memory as the tools read it: the service's answers when there is one, else those of an index of our own."""

from datetime import date

from pipeline.service.socket.client_or_local import MemoryClient
from schemas.hit import Answer, Hit, Reach


class Memory:
    """One workspace, asked through `client`."""

    def __init__(self, client: MemoryClient) -> None:
        self._client = client

    def search(self, query: str, k: int, reach: Reach, days: tuple[date | None, date | None, date | None]) -> Answer:
        """The answer to a question; `days` are since, until and as of.

        Raises:
            PipelineError: the settings or the index cannot be used.
        """
        limits = zip(("since", "until", "as_of"), days, strict=True)
        limits_of_day = {name: day.isoformat() for name, day in limits if day}
        return Answer.model_validate(
            self._client.search({"query": query, "k": k, "tier": reach.value, **limits_of_day})
        )

    def get(self, place: str) -> Hit:
        """The lines at a place.

        Raises:
            PipelineError: the settings cannot be used, or there is no such place.
        """
        return Hit.model_validate(self._client.get(place))
