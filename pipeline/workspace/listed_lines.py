"""Lists of the engine that people read and prune, such as `memory/forgotten.md`: a line for each thing."""

import hashlib
from collections.abc import Callable, Sequence

from pipeline.errors import ChangedMeanwhile
from pipeline.markdown.splice import newline_of
from pipeline.workspace.files import Workspace

_DIGITS = 32


def salted_hash(salt: str, text: str) -> str:
    """The hash of a text, of 32 hexadecimal digits."""
    return hashlib.sha256(f"{salt}\0{text}".encode(errors="replace")).hexdigest()[:_DIGITS]


_ATTEMPTS = 5


def append_lines(workspace: Workspace, path: str, header: str, lines: Sequence[str]) -> None:
    """Append lines, which have no line ends; a missing file begins with `header`. The caller holds the file's lock."""
    if not lines:
        return
    added = "".join(f"{line}\n" for line in lines).encode()
    with workspace.lease(path) as lease:
        if workspace.read(path) is None and lease.create(header.encode() + added):
            return
        data = workspace.read(path) or b""
        newline = newline_of(data)
        lead = b"" if data.endswith(newline) else newline
        lease.append(lead + added.replace(b"\n", newline))


def keep_lines(workspace: Workspace, path: str, keeps: Callable[[bytes], bool]) -> None:
    """Remove the lines that `keeps` refuses; every other byte stays. The caller holds the file's lock."""
    reword_lines(workspace, path, lambda line: line if keeps(line) else b"")


def reword_lines(workspace: Workspace, path: str, reworded: Callable[[bytes], bytes]) -> None:
    """Replace each line, with its line end, by its result of `reworded`. The caller holds the file's lock."""
    for _ in range(_ATTEMPTS):
        data = workspace.read(path)
        after = b"".join(map(reworded, (data or b"").splitlines(keepends=True)))
        if after == (data or b"") or workspace.put_file(path, data, after):
            return
    raise ChangedMeanwhile(path)
