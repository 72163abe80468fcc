"""What the page has: its routes."""

from pipeline.surfaces.http.page.routes import inbox, signing_in, today

PAGES = (
    signing_in.router,
    today.router,
    inbox.router,
)
