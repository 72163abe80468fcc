"""The archive of what an agent always knows is searched, and each line says what it is."""

from datetime import date
from pathlib import Path

from jobs.brain.pages import WORDS
from pipeline.markdown.blocks import seal_item
from schemas.entry import Status
from schemas.hit import Hit, Reach
from schemas.requests import SearchRequest
from schemas.tier import Tier
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed

PAGE = "agents/main/memory/brain_archive.md"


def hits(made: Indexed, *statuses: Status) -> dict[str, Hit]:
    """The hits about the kettle, by the name of their item."""
    answer = made.ask(SearchRequest(query="kettle", tier=Reach.ALL, status=statuses))
    return {name: hit for hit in answer.hits for name in ("j-1", "j-2", "j-3") if f"memory:{name} " in hit.text}


def archive(language: str) -> str:
    """A page with a line without room, one that nobody confirmed, and one that was replaced."""
    words = WORDS[language]
    return "".join(
        [
            seal_item("title", f"# {words.archive}"),
            seal_item("left-over", f"## {words.left_over}"),
            seal_item("j-1", "- The kettle whistles at seven in the morning, and the whole house wakes up from it"),
            seal_item(
                "j-2", f"- The kettle belongs to the neighbour, who has lent it for a week ({words.not_confirmed})"
            ),
            seal_item("replaced", f"## {words.replaced}"),
            seal_item("j-3", "- 2026-03-01: The kettle whistles at eight in the morning"),
        ]
    )


@table("language", WORDS)
def test_every_line_says_what_it_is(tmp_path: Path, language: str) -> None:
    """What was replaced is superseded, and ranked low; what nobody confirmed is nobody's word; the rest is ours."""
    made = Indexed(tmp_path).write(PAGE, archive(language))
    made.index()
    answered = hits(made)
    assert {
        "j-1": ("active", "accepted"),
        "j-2": ("active", "unattributed"),
        "j-3": ("superseded", "accepted"),
    } == {name: (hit.status, hit.trust) for name, hit in answered.items()}
    assert answered["j-3"].score < min(answered["j-1"].score, answered["j-2"].score)
    assert ("superseded", "main") == (answered["j-3"].uncertain, answered["j-3"].agent)
    assert {"j-1", "j-2"} == {*hits(made, Status.ACTIVE)}


def test_summaries_of_an_agent_say_what_was_replaced_since(tmp_path: Path) -> None:
    """From the day of the replacement on; a line has the day that it begins with, and none of a later day is there."""
    made, layer = Indexed(tmp_path), "agents/main/memory/summaries/L1/L1_001.md"
    lines = (
        seal_item("paragraph-1", "2026-02-10: the kettle whistles at eight in the morning. Owner: good."),
        seal_item("paragraph-2", "2026-03-02: the kettle is blue"),
    )
    made.write(PAGE, archive("en")).write(layer, '---\nstart: "2026-02-10"\n---\n\n' + "\n".join(lines)).index()
    asked = {
        day: {
            (str(hit.date), hit.status)
            for hit in made.ask(SearchRequest(query="kettle", tier=Reach.ALL, as_of=day)).hits
            if hit.path == layer
        }
        for day in (None, date(2026, 2, 20))
    }
    assert {
        None: {("2026-02-10", "superseded"), ("2026-03-02", "active")},
        date(2026, 2, 20): {("2026-02-10", "active")},
    } == asked


def test_the_heading_of_another_page_replaces_nothing(tmp_path: Path) -> None:
    """It is the archive of an agent that has lines which others took the place of."""
    made = Indexed(tmp_path).write(PAGE, archive("en"))
    made.write("memory/notes.md", "# Replaced\n\n- The samovar is a kettle\n").index()
    answered = made.ask(SearchRequest(query="samovar")).hits
    assert [("active", "memory/notes.md")] == [(hit.status, hit.path) for hit in answered]
    assert {Tier.ARCHIVE} == {hit.tier for hit in hits(made).values()}
