"""`memory forget`."""

from collections.abc import Callable
from pathlib import Path

from pipeline.entries.reference import item_name
from tests.support.processes.command_line import Said

DAY = "memory/2026-02-02.md"
MIGRATION = "from now on give every migration a downgrade that was actually run"
PLAN = "memory/archive/weekly-2026-W06.md"
WRAPUP = "second-brain/summaries/2026-02-02-wrapup.md"


def ids(call: Callable[..., Said], root: Path) -> list[str]:
    """The ids of all entries."""
    return [record["id"] for record in call("show", "entries", "--json", "--workspace", root).records]


def test_forgets_for_good(filled: Path, call: Callable[..., Said]) -> None:
    """With --yes an entry goes from its file and from the ledger; a receipt names what is out of reach."""
    entry_id, other = ids(call, filled)
    said = call("forget", entry_id, "--yes", "--workspace", filled)
    assert said.code == 0
    assert DAY in said.out
    assert "git history" in said.out
    assert ids(call, filled) == [other]
    assert MIGRATION not in (filled / DAY).read_text()
    assert MIGRATION.encode() not in (filled / ".memory" / "state.db").read_bytes()


def test_forgets_nothing_unasked(filled: Path, call: Callable[..., Said]) -> None:
    """Where there is nobody to ask, --yes has to be said."""
    known = ids(call, filled)
    said = call("forget", known[0], "--workspace", filled)
    assert (said.code, "say --yes" in said.err) == (2, True)
    assert ids(call, filled) == known


def test_the_beginning_of_an_id_will_do(filled: Path, call: Callable[..., Said]) -> None:
    """What is forgotten is named in full; a beginning that several have, or that nothing has, forgets nothing."""
    entry_id, other = ids(call, filled)
    assert 2 == call("forget", "", "--yes", "--workspace", filled).code
    said = call("forget", entry_id[:20], "--yes", "--workspace", filled)
    assert (0, True) == (
        said.code,
        said.err.startswith(f"memory: forgetting {entry_id} (From now on give every migration"),
    )
    assert [other] == ids(call, filled)


def test_of_several_that_begin_so_none_is_forgotten(filled: Path, call: Callable[..., Said]) -> None:
    """They are listed with their titles."""
    entry_id, other = ids(call, filled)
    (filled / DAY).write_text((filled / DAY).read_text().replace(other, f"{entry_id}-more"))
    said = call("forget", entry_id[:20], "--yes", "--workspace", filled)
    assert (2, True) == (said.code, f"\n  {entry_id}-more  " in said.err)
    assert [entry_id, f"{entry_id}-more"] == ids(call, filled)


def test_reaches_the_pages_as_well(judged: Path, call: Callable[..., Said]) -> None:
    """MEMORY.md, the plan and the wrap-up hold nothing of it; the receipt names the places."""
    entry_id, other = ids(call, judged)
    (receipt,) = call("forget", entry_id, "--yes", "--json", "--workspace", judged).records
    assert ["MEMORY.md", DAY, PLAN, WRAPUP] == receipt["files"]
    assert {DAY, "MEMORY.md", PLAN, WRAPUP} == {place.rpartition(":")[0] for place in receipt["removed"]}
    assert ([], []) == (receipt["mentioned_in"], receipt["said_by"])
    for path in receipt["files"]:
        text = (judged / path).read_text()
        assert (False, False, True) == (
            MIGRATION in text,
            entry_id in text,
            other in text or item_name(other)[2:] in text,
        )
        assert item_name(entry_id)[2:] not in text


def test_names_what_it_leaves(judged: Path, call: Callable[..., Said]) -> None:
    """A person's line that holds the id stays; a person is told where it is."""
    entry_id = ids(call, judged)[0]
    with (judged / "MEMORY.md").open("a") as page:
        page.write(f"\nMine: see {entry_id}\n")
    line = (judged / "MEMORY.md").read_text().count("\n") - 1  # the item that goes has a line
    said = call("forget", entry_id, "--yes", "--workspace", judged)
    expected = "It is still named, or some of its words still stand, in a person's lines,"
    place = f"a line of ours stays out then:\n  MEMORY.md:{line}\n"
    assert (0, True, True) == (said.code, expected in said.out, place in said.out)
    assert f"Mine: see {entry_id}\n" in (judged / "MEMORY.md").read_text()


def test_an_entry_that_only_pages_tell_of_can_be_forgotten(judged: Path, call: Callable[..., Said]) -> None:
    """A person deleted it from its daily file; what tells of it elsewhere goes by its id."""
    entry_id = ids(call, judged)[0]
    (judged / DAY).write_text("# 2026-02-02\n")
    (receipt,) = call("forget", entry_id, "--yes", "--json", "--workspace", judged).records
    assert ["MEMORY.md", PLAN, WRAPUP] == receipt["files"]
    again = call("forget", entry_id, "--yes", "--workspace", judged)
    assert (2, True) == (again.code, f"There is no entry '{entry_id}'" in again.err)


def test_a_fact_is_forgotten_by_its_id(judged: Path, call: Callable[..., Said]) -> None:
    """With --dry-run it is shown what would go, and nothing changes; then it is gone, as `memory show story` says."""
    truck, page = "septic truck comes", judged / "bank" / "world.md"
    (fact,) = call("recall", "septic truck", "--kind", "world", "--json", "--workspace", judged).records
    (seen,) = call("forget", fact["id"], "--dry-run", "--json", "--workspace", judged).records
    assert "memory/retain/2026-02-02.md" in {line["where"].rpartition(":")[0] for line in seen["lines"]}
    assert ([], True) == (seen["entries"], DAY in {line["where"].rpartition(":")[0] for line in seen["kept"]})
    assert truck in page.read_text()
    assert (2, True) == (
        (asked := call("forget", fact["id"], "--workspace", judged)).code,
        "of ours would go" in asked.out,
    )
    (receipt,) = call("forget", fact["id"], "--yes", "--json", "--workspace", judged).records
    assert {line["where"] for line in seen["lines"]} == set(receipt["removed"])
    assert "rebuilt" == receipt["index"]
    assert not page.exists() or truck not in page.read_text()
    story = call("show", "story", fact["id"], "--workspace", judged).out
    assert f"{fact['id']} was deleted by a person. It is listed in memory/forgotten.md" in story
    again = call("forget", fact["id"], "--yes", "--workspace", judged)
    assert (2, True) == (again.code, f"There is no entry '{fact['id']}'" in again.err)


def test_a_dry_run_shows_where_an_entry_stands(judged: Path, call: Callable[..., Said]) -> None:
    """And changes nothing; an agent may look too."""
    entry_id = ids(call, judged)[0]
    said = call("forget", entry_id, "--dry-run", "--workspace", judged, CLAUDECODE="1")
    assert (0, True) == (said.code, said.out.startswith(f"{entry_id} (From now on give every migration"))
    assert "MEMORY.md:" in said.out
    (story,) = call("forget", entry_id, "--dry-run", "--json", "--workspace", judged).records
    assert (entry_id, False) == (story["id"], story["gone"])
    assert entry_id in ids(call, judged)
