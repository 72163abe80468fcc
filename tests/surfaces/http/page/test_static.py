"""The files that the page loads."""

import gzip
import hashlib
import re
from functools import partial
from pathlib import Path

from pipeline.surfaces.http.page.rendering import static_file, version_of
from tests.support.workspaces.page_reader import PageReader

ROOT = Path(__file__).parents[4]


def test_the_file_of_others_is_the_one_that_is_named() -> None:
    """Its hash and its version are those of the page for contributors; its licence is beside it."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    content = static_file("htmx.min.js")
    assert hashlib.sha256(content).hexdigest() in text
    named = re.search(r"version ([\d.]+) of the npm package `htmx.org`", text)
    assert named
    assert f'version:"{named[1]}"'.encode() in content
    assert b"Zero-Clause BSD" in static_file("htmx.LICENSE")


def test_an_address_names_the_content() -> None:
    """Another content has another address, so that a browser may keep what it has."""
    digest = hashlib.sha256(static_file("page.css")).hexdigest()
    assert version_of("page.css") == f"/static/page.css?v={digest[:12]}"


def test_a_browser_gets_less_to_load(reader: PageReader) -> None:
    """Documents and files are compressed for a client that takes it, and are the same as for one that does not."""
    ask = partial(reader.workspace.ask, accept="text/html")
    for path in ("/grid", version_of("page.css"), version_of("page.js")):
        plain, small = ask(path, accept_encoding="identity"), ask(path, accept_encoding="gzip, br")
        assert ("gzip", True) == (small.headers["content-encoding"], "Accept-Encoding" in small.headers["vary"])
        assert plain.body == gzip.decompress(small.body)
        assert len(small.body) == int(small.headers["content-length"]) < len(plain.body) / 2
    assert "content-encoding" not in ask("/api/v1/entries", accept_encoding="gzip").headers
