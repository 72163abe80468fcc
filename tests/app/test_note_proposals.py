"""The notes of agents that a new workspace is offered."""

from pathlib import Path

from pipeline.app.first_look import proposals, propose_notes
from pipeline.settings.tables import source_tables
from tests.support.tables import table


def _write(home: Path, *paths: str) -> None:
    for path in paths:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text("A note.\n", encoding="utf-8")


def _sources(home: Path, **environment: str) -> dict[str, tuple[str, ...]]:
    return {source.name: source.patterns for source in propose_notes(home, environment)}


@table(
    ("file", "name", "pattern"),
    [
        (".claude/CLAUDE.md", "claude-notes", "CLAUDE.md"),
        (".claude/projects/-code-shop/memory/MEMORY.md", "claude-notes", "projects/*/memory/*.md"),
        (".codex/AGENTS.md", "codex-notes", "AGENTS.md"),
        (".codex/memories/shop/a.md", "codex-notes", "memories/**/*.md"),
        (".gemini/GEMINI.md", "gemini-notes", "GEMINI.md"),
        (".openclaw/workspace/MEMORY.md", "openclaw-notes", "workspace*/MEMORY.md"),
        (".openclaw/workspace-coder/memory/2026-02-10.md", "openclaw-notes", "workspace*/memory/*.md"),
        (".codeium/windsurf/memories/global_rules.md", "windsurf-notes", "memories/*.md"),
        (".copilot/copilot-instructions.md", "copilot-notes", "copilot-instructions.md"),
    ],
)
def test_notes_are_where_agents_keep_them(tmp_path: Path, file: str, name: str, pattern: str) -> None:
    """A pattern is proposed when something fits it now."""
    _write(tmp_path, file)
    assert {name: (pattern,)} == _sources(tmp_path)


def test_without_notes_nothing_is_proposed(tmp_path: Path) -> None:
    """Nor for a folder in the place of a note."""
    (tmp_path / ".claude/CLAUDE.md").mkdir(parents=True)
    _write(tmp_path, ".claude/settings.json")
    assert {} == _sources(tmp_path)


def test_a_variable_names_another_folder(tmp_path: Path) -> None:
    """As it does for the agent itself."""
    _write(tmp_path, "elsewhere/CLAUDE.md")
    (source,) = propose_notes(tmp_path / "home", {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")})
    assert str(tmp_path / "elsewhere") == source.path
    assert [] == propose_notes(tmp_path / "home", {"CLAUDE_CONFIG_DIR": "~nobody.here"})


def test_the_notes_of_projects_are_one_source(tmp_path: Path) -> None:
    """Of those that Claude Code was used in and that are still there, whichever signs their names have."""
    home = tmp_path / "tom"
    _write(home, "code/my_shop.pl/CLAUDE.md", "code/my_shop.pl/.cursor/rules/style.mdc", "code/my-shop/README.md")
    _write(home, "code/boat/AGENTS.md", "code/never-used/CLAUDE.md")
    for folder in ("code/my_shop.pl", "code/my-shop", "code/boat", "code/gone"):
        name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in str(home / folder))
        (home / ".claude/projects" / name).mkdir(parents=True)
    expected = ("code/boat/AGENTS.md", "code/my_shop.pl/CLAUDE.md", "code/my_shop.pl/.cursor/rules/*.mdc")
    assert {"project-notes": expected} == _sources(home)


def test_notes_stand_after_the_stores_with_their_number(tmp_path: Path) -> None:
    """They are counted by a listing, and their table has the patterns."""
    _write(tmp_path, ".claude/CLAUDE.md", ".claude/projects/-x/memory/a.md", ".claude/projects/-x/memory/b.md")
    *_, notes = proposals(tmp_path, {}, seconds=60)
    assert 3 == (notes.extent.files if notes.extent else 0)
    table = f'[[sources]]\nkind = "notes"\npath = "{tmp_path}/.claude"\nname = "claude-notes"\n'
    assert f'{table}patterns = ["CLAUDE.md", "projects/*/memory/*.md"]\n' == source_tables([notes.source])
