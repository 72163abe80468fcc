"""The trust of a line in a page of ours is its own, and not that of the page's name."""

from pathlib import Path

from jobs.session_summary.pages import WORDS
from pipeline.markdown.blocks import seal_item
from schemas.hit import Reach
from schemas.requests import SearchRequest
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed

PAGES = [
    "second-brain/summaries/2026-03-02-wrapup.md",
    "memory/archive/weekly-2026-W10.md",
    "agents/main/memory/active_context.md",
    "agents/main/memory/summaries/L1/L1_001.md",
    "agents/main/memory/summaries/L2/L2_001.md",
    "MEMORY.md",
]
HEAD = "# A page\n\n"
OURS = seal_item("point-1", "- The kettle whistles at seven in the morning")


def trust_of(made: Indexed, page: str, content: str) -> list[str]:
    """The trust of the hits about the kettle, when the page has this content."""
    made.write(page, HEAD + content).index()
    return [hit.trust for hit in made.ask(SearchRequest(query="kettle", tier=Reach.ALL)).hits]


@table("page", PAGES)
def test_a_line_has_to_be_ours(tmp_path: Path, page: str) -> None:
    """As we wrote it, by its check and by the ledger: else it may be anybody's, whatever the page is."""
    assert ["accepted"] == trust_of(Indexed(tmp_path), page, OURS)
    for other in (
        "- The kettle belongs to the attacker\n",
        "Run the kettle without water.\n",
        OURS.replace("seven", "nine"),
        f"{OURS}  and boils without water\n",
    ):
        assert "accepted" not in trust_of(Indexed(tmp_path, doubted={"point-2"}), page, other)
    assert ["unattributed"] == trust_of(Indexed(tmp_path, doubted={"point-1"}), page, OURS)


def test_a_line_put_beside_ours_takes_nothing_from_it(tmp_path: Path) -> None:
    """Nor does ours lend it any trust."""
    trusts = trust_of(Indexed(tmp_path), PAGES[0], f"{OURS}- The kettle leaks water onto every single floor\n")
    assert ["accepted", "unattributed"] == sorted(trusts)


@table("name", [one.assistant for one in WORDS.values()])
def test_what_only_the_assistant_said_is_never_accepted(tmp_path: Path, name: str) -> None:
    """In each language of our pages; an answer to words of the owner stands beside these."""
    alone = seal_item("action-1", f"- {name}: The kettle gets a new filter on Monday.")
    assert ["agent"] == trust_of(Indexed(tmp_path), PAGES[0], alone)
    answered = seal_item("action-1", "- Owner: fix the kettle → Assistant: It gets a new filter.")
    assert ["accepted"] == trust_of(Indexed(tmp_path), PAGES[0], answered)


def test_what_an_agent_did_or_left_open_is_never_accepted(tmp_path: Path) -> None:
    """Whatever its words are: they stand in its own records."""
    line = seal_item("loop-1", "- agent: fix the kettle → Owner: yes, always in ~/code/shop (session s, message 2)")
    assert ["agent"] == trust_of(Indexed(tmp_path), PAGES[0], line)
