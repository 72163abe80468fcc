"""Which program sees which source, by the settings and by what is installed."""

from pathlib import Path

from pipeline.app.readers import open_readers
from pipeline.job import OFFLINE
from schemas.settings import Settings
from tests.support.tables import table

SOURCES = [{"kind": kind, "path": kind} for kind in ("claude_code", "codex", "openclaw")]
SERVER = {"base_url": "http://127.0.0.1:9/v1", "name": "m"}
OTHERS = {"openclaw": "claude", "codex": OFFLINE}


@table(
    ("model", "installed", "expected"),
    [
        ({"program": "claude"}, ("claude", "codex"), ("claude", "codex", OFFLINE, OFFLINE)),
        ({"program": "claude"}, ("claude",), ("claude", OFFLINE, OFFLINE, OFFLINE)),
        ({"program": "claude"}, (), ("claude", OFFLINE, OFFLINE, OFFLINE)),
        ({"program": "codex", "mixed": "claude"}, ("claude",), ("claude", "codex", OFFLINE, "claude")),
        ({"program": "claude", "sources": OTHERS}, ("codex",), ("claude", OFFLINE, "claude", OFFLINE)),
        ({"program": "claude", "sources": {"codex": "codex"}}, (), ("claude", "codex", OFFLINE, OFFLINE)),
        ({"program": "claude", "per_source": False}, ("codex",), ("claude", "claude", "claude", "claude")),
        ({"program": "claude", "per_source": False, "sources": OTHERS}, (), ("claude", OFFLINE, "claude", OFFLINE)),
        (SERVER, ("claude", "codex"), ("server", "server", "server", "server")),
        (SERVER | {"sources": OTHERS}, (), ("server", OFFLINE, "claude", OFFLINE)),
    ],
)
def test_a_source_is_seen_by_its_program(
    tmp_path: Path, model: dict[str, object], installed: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    """Of Claude Code, of Codex, and of another agent, each alone, and the first two together."""
    for name in installed:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    settings = Settings.model_validate({"sources": SOURCES, "model": model})
    readers = open_readers(settings, tmp_path / "state", {"PATH": str(tmp_path), "HOME": str(tmp_path)})
    asked = [{"claude_code"}, {"codex"}, {"openclaw"}, {"claude_code", "codex"}]
    assert expected == tuple(readers.name_of(sources) for sources in asked)
    assert {*expected} - {OFFLINE} <= readers.models.keys()


def test_a_model_has_a_name_of_its_own_program(tmp_path: Path) -> None:
    """The name of a model in the settings is that of the main program; another program has its own choice."""
    model = {"program": "claude", "name": "opus", "sources": {"codex": "codex"}}
    settings = Settings.model_validate({"sources": SOURCES, "model": model})
    readers = open_readers(settings, tmp_path, {"PATH": str(tmp_path)})
    assert {"claude": "claude:opus", "codex": "codex:default"} == {
        name: one.name for name, one in readers.models.items()
    }
