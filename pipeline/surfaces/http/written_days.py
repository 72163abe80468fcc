"""Days in an address as people write them: the words for a period become days before a route reads them."""

from collections.abc import Callable
from datetime import date
from urllib.parse import parse_qsl, urlencode

from starlette.types import ASGIApp, Receive, Scope, Send

from schemas.periods import DAY_FIELDS, written_days


class WrittenDays:
    """The application behind it gets calendar days; words that mean none stay, and the field's own check refuses them.

    `today` is the day now, in the zone of the workspace.
    """

    def __init__(self, app: ASGIApp, today: Callable[[], date]) -> None:
        """Stand before an application."""
        self._app, self._today = app, today

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        query = scope.get("query_string", b"")
        if any(name.encode() in query for name in DAY_FIELDS):
            scope = {**scope, "query_string": self._with_days(query.decode("latin-1")).encode("latin-1")}
        await self._app(scope, receive, send)

    def _with_days(self, query: str) -> str:
        today, fields = self._today(), parse_qsl(query, keep_blank_values=True)
        try:
            days = [(name, written_days({name: words}, today)[name]) for name, words in fields]
        except ValueError:
            return query
        return urlencode(days) if days != fields else query
