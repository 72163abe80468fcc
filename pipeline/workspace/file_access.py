"""Which files of a workspace somebody may see: they are for all agents, but the folder of an agent is its own."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from unicodedata import normalize

from pipeline.workspace.page_names import page_name


@dataclass(frozen=True)
class FileAccess:
    """Says of a path, relative to the workspace, whether its lines may be shown.

    `roots` are the folders that hold one folder for each agent. `reader` is the agent that looks, empty for one without
    a memory of its own; `None` is a person, who sees all. What `may_read` opens of another agent is given by a wake-up,
    which leaves out what nobody has confirmed; here it opens nothing.
    """

    roots: tuple[str, ...] = ()
    reader: str | None = None

    def __call__(self, path: str) -> bool:
        """Whether it is no file of another agent."""
        if self.reader is None:
            return True
        parts, own = _folded(path), _folded(page_name(self.reader)) if self.reader else ()
        return ".." not in parts and all(_inside(parts, _folded(root)) in {(), own} for root in self.roots)

    def of_agent(self, agent: str) -> bool:
        """Whether what is in the folder of an agent may be shown."""
        return self.reader is None or (bool(agent) and _folded(page_name(agent)) == _folded(page_name(self.reader)))


ALL = FileAccess()


def _inside(parts: tuple[str, ...], root: tuple[str, ...]) -> tuple[str, ...]:
    """The folder below a root that a file lies in; empty for one that lies elsewhere, or in the root itself."""
    deep = len(root)
    return parts[deep : deep + 1] if parts[:deep] == root and len(parts) > deep + 1 else ()


def _folded(path: str) -> tuple[str, ...]:
    """The parts of a path as a file system may compare them, which need not tell upper from lower case."""
    return tuple(normalize("NFKC", part).casefold() for part in PurePosixPath(path).parts)
