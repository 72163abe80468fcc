"""The one table of what stands where, completed from the jobs' targets."""

from pipeline.job import Job, Reads, Schedule, Target
from pipeline.scheduling.registry import discover
from pipeline.workspace.layout import ENGINE, PEOPLE, FileRole, Layout, fault_of, place_job
from schemas.agent_settings import TAKEN
from schemas.tier import Tier
from tests.support.tables import table

PLACES = {
    "memory.md": FileRole(Tier.HOT, "memory", "unattributed"),
    "memory/2026-02-10.md": FileRole(Tier.WARM, "note", "unattributed"),
    "memory/2026-01-30-1615.md": FileRole(Tier.WARM, "note", "unattributed"),
    "memory/recent/2026-02-10-2.md": FileRole(Tier.WARM, "note", "unattributed"),
    "memory/projects/cabins.md": FileRole(Tier.WARM, "note", "person"),
    "memory/whatever/TOPIC.md": FileRole(Tier.WARM, "note", "unattributed"),
    "memory/chat.txt": FileRole(Tier.WARM, "raw", "low"),
    "memory/archive/weekly-2026-W06.md": FileRole(Tier.ARCHIVE, "plan", "accepted"),
    "memory/archive/old.md": FileRole(Tier.ARCHIVE, "note", "unattributed"),
    "second-brain/summaries/2026-02-10-wrapup.md": FileRole(Tier.COLD, "summary", "accepted"),
    "second-brain/research/qdrant.md": FileRole(Tier.RESEARCH, "note", "person"),
    "second-brain/devlogs/2026-02-10.md": FileRole(Tier.RESEARCH, "note", "person"),
    "second-brain/specs/a/b.md": FileRole(Tier.RESEARCH, "note", "person"),
    "bank/entities/anna.md": FileRole(Tier.COLD, "note", "unattributed"),
    "agents/coder/memory/2026-02-10.md": FileRole(Tier.WARM, "note", "unattributed", "coder"),
    "agents/coder/MEMORY.md": FileRole(Tier.HOT, "memory", "unattributed", "coder"),
    "agents/coder/sessions/1.md": FileRole(Tier.COLD, "log", "low", "coder"),
    "agents/coder/notes.md": FileRole(Tier.COLD, "note", "unattributed", "coder"),
    "agents/readme.md": FileRole(Tier.COLD, "note", "unattributed"),
    "agents/coder/USER.md": FileRole(Tier.WARM, "note", "unattributed", "coder"),
    "agents/coder/memory/projects/boat.md": FileRole(Tier.WARM, "note", "unattributed", "coder"),
    "USER.md": FileRole(Tier.WARM, "note", "unattributed"),
    "IDENTITY.md": FileRole(Tier.WARM, "note", "unattributed"),
    "tasks/open.md": FileRole(Tier.WARM, "note", "unattributed"),
    "journal/mine.md": FileRole(Tier.COLD, "note", "unattributed"),
    "docs:USER.md": FileRole(Tier.COLD, "note", "person"),
    "docs:guide/memory/a.md": FileRole(Tier.COLD, "note", "person"),
}


def test_the_hot_page_is_of_our_jobs() -> None:
    """Where they are known; a line in it that is not theirs has no more trust than one of any other page."""
    roles = [layout.place("MEMORY.md") for layout in (Layout(), Layout(discover()))]
    assert [FileRole(Tier.HOT, "memory", trust) for trust in ("unattributed", "accepted")] == roles


@table(
    ("path", "searched"),
    [
        ("agents/jaskier/memory/journal/2026-03-04.md", False),
        ("agents/jaskier/memory/brain.md", False),
        ("agents/jaskier/memory/brain_archive.md", True),
        ("agents/jaskier/memory/brain_archive_2.md", False),
        ("agents/jaskier/memory/active_context.md", True),
        ("agents/jaskier/memory/sessions/2026-03-04_001.md", True),
        ("agents/jaskier/identity.md", True),
        ("memory/declined.md", False),
        ("memory/2026-03-04.md", True),
    ],
)
def test_no_search_shows_what_one_agent_knows(path: str, searched: bool) -> None:  # noqa: FBT001 - a row
    """It holds what nobody has confirmed; its archive says of each line what it is."""
    assert searched == Layout().is_searched(path)


@table("folder", ["People/AI agents", ".pkm-assistant/agents", "agents/mine"])
def test_the_agents_may_have_another_folder(folder: str) -> None:
    """It is listed, also a hidden one; each file there has its role, and what one agent knows is found by nobody."""
    layout, mine = Layout(discover(), folder), f"{folder}/jaskier"
    assert folder in layout.folders or "agents" in layout.folders
    assert FileRole(Tier.COLD, "log", "low", "jaskier") == layout.place(f"{mine}/memory/sessions/2026-03-04_001.md")
    assert FileRole(Tier.HOT, "memory", "unattributed", "jaskier") == layout.place(f"{mine}/MEMORY.md")
    assert FileRole(Tier.COLD, "note", "unattributed") == layout.place("agents/readme.md")
    assert [False, True, False] == [
        layout.is_searched(path)
        for path in (f"{mine}/memory/brain.md", f"{mine}/identity.md", "agents/zoe/memory/journal/2026-03-04.md")
    ]
    assert [False, True] == [layout.is_hidden(path) for path in (f"{mine}/identity.md", f"{mine}/.obsidian/a.md")]
    assert layout.covers("{agents}/{agent}/memory/journal/*.md")


def test_no_folder_of_the_workspace_may_be_that_of_the_agents() -> None:
    """All that stands at its top is refused as `agents.root`, but the usual folder itself."""
    layout = Layout(discover())
    tops = {path.partition("/")[0].casefold() for path in (*layout.folders, *layout.files)}
    assert tops - {"agents"} == {*TAKEN} - {".memory", "memory.toml"}


def job(name: str, family: str, overflow: str = "", *, append: bool = False) -> Job:
    """A job that writes this family."""
    target = Target(family, append=append, overflow=overflow)
    return Job(name, "p", Schedule("0 0 * * *"), Reads(), target, lambda _: [])


@table("path", PLACES)
@table("layout", [Layout(), Layout(discover())])
def test_a_path_tells_tier_kind_trust_and_agent(layout: Layout, path: str) -> None:
    """Each folder of the layout has its tier; what our jobs write and what is raw text is told apart from notes."""
    assert (PLACES[path], PLACES[path].tier) == (layout.place(path), layout.tier(path))


def test_a_new_family_completes_the_table() -> None:
    """Its folder belongs to the layout, and its pages are ours; nobody knows whose a page beside them is."""
    layout = Layout([job("diary", "journal/{day}.md", "journal/more/{day}-{volume}.md")])
    assert ("agents", "bank", "journal", "memory", "second-brain", "tasks") == layout.folders
    assert FileRole(Tier.COLD, "note", "accepted") == layout.place("journal/2026-03-13.md")
    assert FileRole(Tier.COLD, "note", "accepted") == layout.place("journal/more/2026-03-13-12.md")
    assert FileRole(Tier.COLD, "note", "unattributed") == layout.place("journal/mine.md")
    assert [True, True, False, False] == [
        layout.covers(pattern) for pattern in ("journal/*.md", "journal/{day}.md", "journals/a.md", "journal/../a.md")
    ]


def test_a_page_rendered_into_a_persons_folder_is_no_persons_word() -> None:
    """The tier is the folder's; of a file that grows by entries, nobody knows whose the rest is."""
    layout = Layout([job("bank", "bank/{week}.md"), job("log", "memory/log/{day}.md", append=True)])
    assert FileRole(Tier.COLD, "note", "accepted") == layout.place("bank/2026-W08.md")
    assert FileRole(Tier.WARM, "note", "unattributed") == layout.place("memory/log/2026-03-13.md")
    assert ("memory/log/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md",) == layout.entries


def test_a_page_of_facts_vouches_for_none() -> None:
    """It shows those of other hands beside ours."""
    layout = Layout([job for job in discover() if job.reads.facts])
    assert {"unattributed"} == {layout.place(path).trust for path in ("bank/world.md", "bank/entities/anna.md")}


def test_a_family_at_the_top_brings_its_files_alone() -> None:
    """The rest of the top is nobody's memory: a README, or another program's notes."""
    layout = Layout([job("diary", "DIARY-{week}.md")])
    assert {"MEMORY.md", "memory.md", "USER.md"} < set(layout.files)
    assert ("DIARY-[0-9][0-9][0-9][0-9]-W[0-9][0-9].md",) == layout.files[-1:]
    assert [True, False] == [layout.covers(pattern) for pattern in ("DIARY-{week}.md", "README.md")]


def test_every_family_of_every_job_is_a_row() -> None:
    """With its writer; beside them stand the rows of people and of the engine."""
    rows = {area.pattern: area.writer for area in Layout(discover()).areas}
    ours = [place_job(declared, "agents") for declared in discover()]
    assert {declared.writes.family: declared.name for declared in ours}.items() <= rows.items()
    assert (PEOPLE, ENGINE) == (rows["bank/"], rows["memory/forgotten.md"])


@table(
    ("pattern", "expected"),
    [
        ("journal/{day}.md", ""),
        ("/etc/{day}.md", "inside the workspace"),
        ("../{day}.md", "inside the workspace"),
        (".memory/{day}.md", "is hidden"),
        ("journal/.{day}.md", "is hidden"),
        ("journal/{week}/{day}.md", "whose folder"),
        ("journal/{month}.md", ""),
        ("journal/{year}.md", "{year}, which stands for nothing"),
        ("{agents}/{agent}/memory/{day}.md", ""),
        ("journal/{day}.html", "no Markdown"),
        ("memory/forgotten.md", "which the engine writes"),
    ],
)
def test_a_family_that_would_not_be_seen_is_refused(pattern: str, expected: str) -> None:
    """By search, by a dry run or by forget: a hidden one, one that is no Markdown, one outside."""
    assert (expected in fault_of(pattern), bool(expected)) == (True, bool(fault_of(pattern)))
