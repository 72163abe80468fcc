"""Look-ups of tokens: which of them a front makes in its database, before it knows who asks."""

from collections import OrderedDict
from dataclasses import dataclass, field

from pipeline.surfaces.http.security.guard import Rates
from pipeline.workspace.tokens import hash_token

BURST, PER_SECOND = 1_000, 200.0
"""Look-ups for a client address, which all callers share behind a server with TLS."""
_KNOWN = 10_000  # tokens that are remembered; the one that was silent longest makes room


@dataclass(frozen=True)
class LookUps:
    """The look-ups of a front. A flood of tokens that nobody has keeps nobody out who was let in before.

    For one event loop. Whether a token opens anything is asked at each request, and never taken from here.
    """

    rates: Rates = field(default_factory=lambda: Rates(BURST, PER_SECOND))
    _known: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def allows(self, token: str, client: str) -> bool:
        """Whether a token may be looked up now for a client at this address."""
        return hash_token(token) in self._known or self.rates.allows(client)

    def note(self, token: str, *, is_known: bool) -> None:
        """Note whether a token opened something."""
        name = hash_token(token)
        self._known.pop(name, None)
        if is_known:
            self._known[name] = None
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
