"""What the page has: its routes."""

from pipeline.surfaces.http.page.routes import inbox, runs, signing_in, today, work

PAGES = (
    signing_in.router,
    today.router,
    runs.router,
    work.router,
    inbox.router,
)
