"""What is said of transcripts that cannot be read, and when somebody has to look."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.transcripts.unreadable import REPORTED_AFTER, advice_on, lasts
from schemas.reports.source_records import SourceUnreadable
from tests.support.tables import table

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
FILE = SourceUnreadable(whole=False, files=1, since=NOON, path="x y.jsonl", reason="Permission denied")
FOLDER = replace(FILE, whole=True, files=0, path="", reason="No such file or directory")
HOME = Path("/agents")


def test_one_file_may_wait_for_a_day() -> None:
    """An agent may rename it at the moment of a look; a day later nobody does."""
    assert [False, True] == [
        lasts(FILE, NOON + REPORTED_AFTER - timedelta(seconds=1)),
        lasts(FILE, NOON + REPORTED_AFTER),
    ]


def test_a_folder_may_not_wait() -> None:
    """Nothing of the source is read."""
    assert lasts(FOLDER, NOON)


def test_they_are_reported_in_a_line() -> None:
    """How much, since when, which first, and the system's word without its full stop."""
    assert "x y.jsonl cannot be read since noon: Permission denied" == FILE.sentence("noon")
    many = replace(FILE, files=3, reason="it is no regular file.")
    assert "3 files cannot be read since noon, such as x y.jsonl: it is no regular file" == many.sentence("noon")
    assert "cannot be read since noon: No such file or directory" == FOLDER.sentence("noon")


@table(
    ("trouble", "advice"),
    [
        (FILE, "`chmod u+r '/agents/x y.jsonl'`, or as root `setfacl -m u:$USER:r '/agents/x y.jsonl'`, lets it"),
        (
            replace(FOLDER, reason="Permission denied"),
            "`chmod u+rx /agents`, or as root `setfacl -m u:$USER:rx /agents`",
        ),
        (replace(FOLDER, reason="Not a directory"), "A source is a folder: name the one that /agents is in"),
        (FOLDER, "Mount or restore /agents, or correct its `path` in memory.toml."),
        (replace(FILE, reason="SQLite cannot read it: database is locked"), "It is read at the next look"),
        (replace(FILE, reason="SQLite cannot read it: file is not a database"), "`sqlite3 '/agents/x y.jsonl' 'PRAGMA"),
        (replace(FILE, reason="it is of a version that is not known: there is no table t"), "Its agent keeps sessions"),
        (
            replace(FOLDER, reason="The store postgresql://db/m cannot be reached: refused."),
            "It is read at the next look once",
        ),
        (replace(FOLDER, reason="store.url names a PostgreSQL server, and"), "It is read at the next look once"),
        (replace(FILE, reason="Input/output error"), "`ls -ld '/agents/x y.jsonl'` and the system's log tell more"),
    ],
)
def test_what_mends_it_follows_from_the_reason(trouble: SourceUnreadable, advice: str) -> None:
    """A command that can be pasted, whatever is in the name."""
    assert advice_on(trouble, HOME).startswith(advice)


def test_the_folder_as_a_whole_is_one_thing() -> None:
    """Beside the files in it that cannot be read."""
    assert (1, 1) == (FILE.count, FOLDER.count)
