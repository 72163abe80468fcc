"""Which files an agent may see: those of the workspace, and of the agents' folders its own alone."""

from pipeline.workspace.file_access import ALL, FileAccess
from tests.support.tables import table

ROOTS = (".pkm/agents", "agents")


@table(
    ("path", "to_main", "to_nobody"),
    [
        ("memory/2026-03-01.md", True, True),
        ("agents/README.md", True, True),
        ("agents.md", True, True),
        ("notes/agents/ann/brain.md", True, True),
        ("book:agents/ann/brain.md", True, True),
        ("agents/main/memory/brain.md", True, False),
        ("agents/MAIN/memory/brain.md", True, False),
        (".pkm/agents/main/walrus.md", True, False),
        ("agents/ann/memory/brain.md", False, False),
        (".pkm/agents/ann/walrus.md", False, False),
        ("Agents/ann/walrus.md", False, False),
        ("./agents//ann/walrus.md", False, False),
        ("agents/main2/walrus.md", False, False),
        ("agents/main/../ann/walrus.md", False, False),
        ("", True, True),
    ],
)
def test_a_path(path: str, *, to_main: bool, to_nobody: bool) -> None:
    """Also of an agent that the settings do not name any more, and however the path is written; a person sees all."""
    access = FileAccess(ROOTS, "main")(path), FileAccess(ROOTS, "")(path), ALL(path)
    assert (to_main, to_nobody, True) == access


def test_the_folder_of_an_agent_has_its_page_name() -> None:
    """A name with other characters is the same agent."""
    assert FileAccess(ROOTS, "Zażółć / 1")("agents/Zażółć-1/walrus.md")
    assert [True, False, False] == [FileAccess(ROOTS, "ann").of_agent(name) for name in ("Ann", "main", "")]
    assert not FileAccess(ROOTS, "").of_agent("")
