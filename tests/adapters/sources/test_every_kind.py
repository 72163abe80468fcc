"""Each kind of source has what a user and a reader of the code expect of it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.conversations import FORMATS
from pipeline.app.engine import source_kinds, usual_places
from pipeline.surfaces.cli.terminal.person import AGENT_VARIABLES
from tests.adapters.sources import test_any_bytes, test_any_documents, test_any_rows

UNRECOGNIZED = {
    "aider": "no variable is known; a person starts its commands in the same terminal",
    "chatgpt": "an export: it runs no commands here",
    "claude_ai": "an export: it runs no commands here",
    "deepseek": "no variable is known",
    "grok": "no variable is known",
    "hermes": "no variable is known",
    "kimi": "no variable is known",
    "openai_messages": "a format of many programs",
    "store": "our own store: any program",
    "zed": "no variable is known",
}
"""The kinds of agents whose commands cannot be told from those of a person, with the reason."""

ROOT = Path(__file__).parents[3]
SOURCES = "pipeline.adapters.sources"


def test_every_kind_has_a_page() -> None:
    """It says where the files of the agent lie and what is read of them; no page is of an agent that is not read."""
    pages = {file.stem for file in (ROOT / "docs" / "reference" / "agents").glob("*.md")}
    assert pages == {kind.replace("_", "-") for kind in source_kinds()}


def test_the_sample_of_the_settings_names_every_kind() -> None:
    """What can be set stands there."""
    settings = (ROOT / "config" / "memory.toml").read_text(encoding="utf-8")
    assert set(source_kinds()) <= set(re.findall(r"\w+", settings))


def test_the_home_folder_of_nobody_is_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A variable may begin with `~` and the name of no user, which to the agent is a name like any other."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / SOURCES.replace(".", "/")).rglob("*.py")]
    named = dict.fromkeys(re.findall(r'"([A-Z_]{8,})"', "".join(texts)), "~nobody.here/aider.chat.history.md")
    places = usual_places(tmp_path, named).items()
    unknown = {name for name, roots in places for root in roots if str(root).startswith("~nobody.here")}
    assert unknown >= {"aider", "claude_code", "cline", "codex", "cursor", "goose", "opencode", "zed"}


def test_every_kind_holds_to_the_contract() -> None:
    """A test derives from the contract of sources, and opens the source in the same file."""
    tested = {kind for file in Path(__file__).parent.rglob("test_*.py") for kind in _under_contract(file)}
    assert set(source_kinds()) <= tested


def _under_contract(file: Path) -> Iterator[str]:
    """The kinds that a file of tests imports, when it has a class of the contract."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    bases = {ast.unparse(base) for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases}
    if bases & {"SourceContract", "FileSourceContract"}:
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == SOURCES]
        yield from (alias.name for node in imports for alias in node.names)


def test_no_content_makes_a_kind_fail() -> None:
    """A test tries any bytes, any rows or any documents on it."""
    tables = (
        test_any_bytes.FORMATS,
        test_any_bytes.TEXTS,
        test_any_rows.STORES,
        test_any_documents.FORMATS,
    )
    tried = {row[0].name for table in tables for row in table.values()}
    assert set(source_kinds()) == tried


def test_the_parsing_of_every_kind_is_measured() -> None:
    """A slow source shows in the figures."""
    assert set(source_kinds()) == {kind for kind, _ in FORMATS}


def test_the_commands_of_every_kind_are_recognized() -> None:
    """A variable says that the agent runs them, so it cannot pass for the owner; or there is a reason why none does."""
    assert set(source_kinds()) == AGENT_VARIABLES.keys() | UNRECOGNIZED.keys()
    assert set() == AGENT_VARIABLES.keys() & UNRECOGNIZED.keys()
