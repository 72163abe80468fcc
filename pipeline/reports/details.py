"""Stored details as values to show."""

from schemas.detail import Detail
from schemas.reports.details import ListedDetail, ShownDetail


def listed_detail(detail: Detail) -> ListedDetail:
    """What a list shows of a detail."""
    return ListedDetail(
        key=detail.key,
        type=detail.type.value,
        description=detail.description,
        lines=detail.lines,
        size=detail.size,
        tokens=detail.tokens,
        created_at=detail.created_at,
        expires_at=detail.expires_at,
        pinned=detail.pinned,
        agent=detail.placement.agent_id,
        thread=detail.placement.thread_id,
        sha256=detail.sha256,
    )


def shown_detail(detail: Detail) -> ShownDetail:
    """All that is known of a detail, without its text."""
    command, code = detail.metadata.get("command"), detail.metadata.get("exit_code")
    return ShownDetail(
        listed_detail(detail), detail.summary, str(command or ""), code if isinstance(code, int) else None
    )
