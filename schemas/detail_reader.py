"""Who reads details."""

from dataclasses import dataclass

from schemas.detail import Detail


@dataclass(frozen=True)
class DetailReader:
    """Who reads: as which users, and with the right to the details of which agents; `None` is all, as for the owner.

    The user without a name is the owner of the workspace.
    """

    users: frozenset[str] | None = None
    agents: frozenset[str] | None = None

    def may_read(self, detail: Detail) -> bool:
        """Whether a detail is theirs, or open to all. Another user's is nobody else's."""
        place = detail.placement
        if place.is_open:
            return True
        if self.users is not None and place.user_id not in self.users:
            return False
        return self.agents is None or place.is_of_all_agents or (place.is_of_an_agent and place.agent_id in self.agents)


OWNER = DetailReader()
