"""The topics in `memory/forgotten.md`."""

from datetime import UTC, date, datetime
from pathlib import Path

from pipeline.entries.mentions import tokens
from pipeline.workspace.files import Workspace
from pipeline.workspace.forgotten import Tombstone, note_forgotten, note_topics, read_forgotten, read_topics
from pipeline.workspace.layout import FORGOTTEN
from tests.support.tables import table

NOW, DAY = datetime(2026, 3, 4, 10, tzinfo=UTC), date(2026, 3, 4)


@table(("name", "text"), [("Anna Nowak", "I met ANNA nowak."), ("小王", "我和小王一起去"), ("Gdańsk", "w Gdańsk!")])
def test_a_topic_is_recognized_and_not_readable(tmp_path: Path, name: str, text: str) -> None:
    """The file has none of its words, and a text that names it is known by them."""
    workspace = Workspace(tmp_path)
    note_topics(workspace, [tokens(name)], NOW, DAY)
    assert not any(word in (tmp_path / FORGOTTEN).read_text("utf-8") for word in name.split())
    [topic] = read_topics(workspace)
    assert NOW == topic.until
    assert topic.stands_in(tokens(text))
    assert not topic.stands_in(tokens("Annabel Nowakowska, 小张, Gdynia"))


def test_other_lines_stay(tmp_path: Path) -> None:
    """Entries that were deleted are in the same list; a broken line is a person's."""
    workspace = Workspace(tmp_path)
    note_forgotten(workspace, [Tombstone("DECISION-20260304-x", "ab")], DAY)
    note_topics(workspace, [["gdynia"], ["gdynia"], []], NOW, DAY)
    with (tmp_path / FORGOTTEN).open("a") as file:
        file.write("- topic letters:6 salt:ab text:cd until:yesterday on 2026-03-04\n- topic of mine\n")
    assert [Tombstone("DECISION-20260304-x", "ab")] == read_forgotten(workspace)
    assert [6] == [topic.letters for topic in read_topics(workspace)]
