"""The files that the page loads."""

import hashlib
import re
from pathlib import Path

from pipeline.surfaces.http.page.rendering import static_file, version_of

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
