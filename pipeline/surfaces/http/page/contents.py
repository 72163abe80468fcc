"""What the page has: its routes."""

from pipeline.surfaces.http.page.routes import (
    agents,
    conversations,
    details,
    entities,
    entries,
    forgetting,
    graph,
    health,
    hot_page,
    inbox,
    interface,
    runs,
    search,
    signing_in,
    today,
    work,
)

PAGES = (
    signing_in.router,
    today.router,
    runs.router,
    work.router,
    search.router,
    entries.router,
    forgetting.router,
    hot_page.router,
    entities.router,
    graph.router,
    inbox.router,
    conversations.router,
    details.router,
    agents.router,
    health.router,
    interface.router,
)
