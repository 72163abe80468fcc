"""The nodes of entries, kept between two looks at the graph."""

from pathlib import Path

from pipeline.app.opening import open_for_reading
from pipeline.process.context import ProcessContext
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.graph import EntryNodes, GraphParts
from schemas.reports.graph import EdgeSort, GraphEdge
from tests.support.workspaces.many_entries import an_entry_after, many_entries

OLD = "DECISION-20200103-thing-3"
"""An entry of the last day, which nothing replaces."""


def test_an_added_entry_is_seen_at_once(tmp_path: Path) -> None:
    """With its edge, and with what it says of an entry in another file; the nodes of all others are kept."""
    root, books, nodes = many_entries(tmp_path / "work", 30), EntryBooks(), EntryNodes()
    before = _parts(nodes, books, root)
    (root / "memory/2020-01-04.md").write_text(an_entry_after(OLD))
    after = _parts(nodes, books, root)
    assert (30, 31) == (len(before.nodes), len(after.nodes))
    assert [True, False] == [parts.nodes[f"entry:{OLD}"].holds for parts in (before, after)]
    assert GraphEdge("entry:DECISION-20991231-thing", f"entry:{OLD}", EdgeSort.SUPERSEDES) in after.edges
    first = next(iter(before.nodes))
    assert before.nodes[first] is after.nodes[first]


def test_a_zone_has_days_of_its_own(tmp_path: Path) -> None:
    """Who sets another one sees the days of that zone at once."""
    root, books, nodes = many_entries(tmp_path / "work", 10), EntryBooks(), EntryNodes()
    days = list[set[str | None]]()
    for zone in ("UTC", "Pacific/Midway"):
        (root / "memory.toml").write_text(f'timezone = "{zone}"\n')
        days.append({node.day for node in _parts(nodes, books, root).nodes.values()})
    assert [{"2020-01-01"}, {"2019-12-31"}] == days


def _parts(nodes: EntryNodes, books: EntryBooks, root: Path) -> GraphParts:
    with open_for_reading(root, ProcessContext({}), looking=False) as engine:
        return nodes.of(books.of(engine).texts, engine.zone)
