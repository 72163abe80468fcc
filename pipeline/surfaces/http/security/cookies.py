"""The cookie in which a browser keeps a person's token."""

import hashlib
from pathlib import Path

_LENGTH = 12


def cookie_name(root: Path) -> str:
    """The name of a workspace's cookie: browsers share cookies among the ports of one host, so each has its own."""
    return f"memory_{hashlib.sha256(str(root).encode(errors='replace')).hexdigest()[:_LENGTH]}"
