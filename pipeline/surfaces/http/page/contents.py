"""What the page has: its routes."""

from pipeline.surfaces.http.page.routes import signing_in, today

PAGES = (
    signing_in.router,
    today.router,
)
