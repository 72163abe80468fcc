"""The lines of `memory/forgotten.md`: what they keep away, and that they can be struck out."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.workspace.files import Workspace
from pipeline.workspace.forgotten import (
    PATH,
    Tombstone,
    note_forgotten,
    read_forgotten,
    read_forgotten_messages,
    strike_out,
)
from tests.support.tables import table

DAY = date(2026, 3, 4)
LINE = "- B-2 identity:00ff on 2026-03-01"
GONE = Tombstone("B-2", "00ff")


def holding(root: Path, text: bytes) -> Workspace:
    """A workspace whose list is this."""
    (root / PATH).parent.mkdir(exist_ok=True)
    (root / PATH).write_bytes(text)
    return Workspace(root)


@table("before", ["", "  ", "\t", "# Forgotten\n\n", "mine\r\n", "mine\r", "- A-1\n    "])
@table("behind", ["", "\n", " (mine)\r\n", "\nmine"])
def test_a_line_keeps_away_and_can_be_struck_out(tmp_path: Path, before: str, behind: str) -> None:
    """However it is indented, and whatever its end; nothing else goes."""
    workspace = holding(tmp_path, f"{before}{LINE}{behind}".encode())
    assert [GONE] == read_forgotten(workspace)
    strike_out(workspace, [GONE])
    assert [] == read_forgotten(workspace)
    left = (tmp_path / PATH).read_bytes() if (tmp_path / PATH).exists() else b""
    assert [b"mine" in left, b"A-1" in left] == ["mine" in before or behind == "\nmine", "A-1" in before]


@table(
    "text", [f"I removed `{LINE}` myself.", f"Usunąłem {LINE}", f"我删了{LINE}", f"> {LINE}", f"-{LINE}", f"a {LINE}\n"]
)
def test_what_a_person_tells_of_a_line_keeps_nothing_away(tmp_path: Path, text: str) -> None:
    """Nobody could strike it out; so it can be listed as well."""
    workspace = holding(tmp_path, text.encode())
    assert [] == read_forgotten(workspace)
    note_forgotten(workspace, [GONE], DAY)
    assert [GONE] == read_forgotten(workspace)
    strike_out(workspace, [GONE])
    assert text.rstrip("\n").encode() == (tmp_path / PATH).read_bytes().rstrip(b"\n")


@given(
    st.lists(st.sampled_from([LINE, "  ", "\t", "\n", "\r\n", "\r", "mine ", "`", "- ", "\x0c", "\u2028"]), max_size=9)
)
def test_all_that_is_read_can_be_struck_out(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """Both read a line alike, whatever stands around it."""
    workspace = holding(tmp_path_factory.mktemp("any"), "".join(parts).encode())
    strike_out(workspace, read_forgotten(workspace))
    assert [] == read_forgotten(workspace)


@table(
    "line",
    [b"  - said salt:0a message:0b on 2026-03-01\n", b"\xef\xbb\xbf> - said salt:0a message:0b on 2026-03-01 again\r"],
)
def test_a_message_stays_forgotten_wherever_its_line_stands(tmp_path: Path, line: bytes) -> None:
    """A person may wrap or quote the list."""
    assert {("0a", "0b")} == read_forgotten_messages(holding(tmp_path, b"# Forgotten\n\n" + line)).listed
