"""The folder of the agents is a setting: a hidden one works like any other, and a change of it loses nothing."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs.agent_brain import JOB as BRAIN
from jobs.agent_context import JOB as CONTEXT
from jobs.agent_journal import JOB as JOURNAL
from jobs.agent_l1 import JOB as L1
from jobs.agent_sessions import JOB as SESSIONS
from pipeline.app.agent_folder import opened_folder
from pipeline.doctor.integrations import check_abandoned_folders
from pipeline.engine.dry_run import differences, scratch_copy
from pipeline.errors.agents import AgentsLeftBehind
from pipeline.workspace.listing import list_files
from schemas.agent_settings import AgentsSettings
from schemas.index_settings import IndexSettings
from schemas.settings import Settings
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
START = datetime(2026, 3, 1, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 8, tzinfo=UTC)
HIDDEN = ".pkm-assistant/agents"
JOBS = (SESSIONS, CONTEXT, JOURNAL, BRAIN, L1)


def settings(root: str) -> Settings:
    """One agent, which has all sessions, with its folder in `root`."""
    agents = {"root": root, "l1_after": 2, "jaskier": {"sources": ["memory"]}}
    return Settings(timezone="Europe/Warsaw", start=START, agents=AgentsSettings.model_validate(agents))


def opened(new_bench: NewBench, agents: str, **fields: object) -> Workbench:
    """A workspace with three sessions of the agent, of which everything was made that is due."""
    bench = new_bench(jobs=JOBS, settings=settings(agents), **fields)
    texts = ("Remember that the sauna is closed.", "We decided to use SQLite.", "Remember that I live in Gdansk.")
    for place, text in enumerate(texts):
        bench.say(conversation(f"s{place}", MORNING + timedelta(hours=place), [("owner", text), ("assistant", "Yes.")]))
    bench.run_due()
    return bench


def moved(bench: Workbench, old: str, new: str) -> Workbench:
    """The workspace after a person has set another root and moved the folder."""
    (bench.root / new).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(bench.root / old, bench.root / new)
    return bench.reopen(settings=settings(new))


def below(bench: Workbench, root: str) -> dict[str, bytes]:
    """The pages in a folder, by their paths in it."""
    pages = {path: data for path, data in bench.pages().items() if path.startswith(f"{root}/")}
    return {path.removeprefix(f"{root}/"): data for path, data in pages.items()}


@pytest.mark.parametrize("root", [HIDDEN, "People/AI agents"])
def test_another_folder_gets_the_same_pages(new_bench: NewBench, tmp_path: Path, root: str) -> None:
    """Byte for byte, and nothing stands in the usual folder."""
    usual, bench = opened(new_bench, "agents"), opened(new_bench, root, root=tmp_path / "other")
    expected = below(usual, "agents")
    assert {"brain.md", "active_context.md"} <= {path.rpartition("/")[2] for path in expected}
    assert (expected, {}) == (below(bench, root), below(bench, "agents"))
    assert [] == bench.run_due()


def test_a_hidden_folder_is_listed(new_bench: NewBench) -> None:
    """Sessions and summaries are found by a search; journal and brain are not, nor what is hidden inside."""
    bench = opened(new_bench, HIDDEN)
    (bench.root / HIDDEN / "jaskier/.obsidian").mkdir()
    (bench.root / HIDDEN / "jaskier/.obsidian/note.md").write_text("no\n")
    (bench.root / ".pkm-assistant/other.md").write_text("no\n")
    listed = {listed.path for listed in list_files(bench.engine.workspace, IndexSettings()).files}
    mine = {path.removeprefix(f"{HIDDEN}/jaskier/memory/") for path in listed if path.startswith(".")}
    assert {"active_context.md", "summaries/L1/L1_001.md"} < mine
    assert {"sessions/2026-03-03_001.md", "sessions/2026-03-03_002.md", "sessions/2026-03-03_003.md"} < mine
    assert not any("journal" in path or "brain" in path or "obsidian" in path for path in mine)


def test_a_dry_run_copies_a_hidden_folder(new_bench: NewBench) -> None:
    """So that it shows what the run then does."""
    bench = opened(new_bench, HIDDEN)
    layout = bench.engine.workspace.layout
    with scratch_copy(bench.root, layout) as copy:
        assert (copy / HIDDEN / "jaskier/memory/brain.md").is_file()
        (copy / HIDDEN / "jaskier/memory/brain.md").write_text("other\n")
        assert f"+++ b/{HIDDEN}/jaskier/memory/brain.md" in list(differences(bench.root, copy, layout))


@pytest.mark.parametrize(("old", "new"), [("agents", HIDDEN), (HIDDEN, "agents"), ("agents", "agents/mine")])
def test_moved_files_are_the_same_files(new_bench: NewBench, old: str, new: str) -> None:
    """Nothing is written again, and every line still counts as ours; a new session goes on from there."""
    bench = opened(new_bench, old)
    before = below(bench, old)
    if new.startswith(old):
        shutil.move(bench.root / old, bench.root / "aside")
        bench = moved(bench, "aside", new)
    else:
        bench = moved(bench, old, new)
    bench.run_due()
    assert before == below(bench, new)
    bench.say(
        conversation(
            "s9", MORNING + timedelta(hours=9), [("owner", "Remember that I like sauna."), ("assistant", "Yes.")]
        )
    )
    bench.run_due()
    after = below(bench, new)
    assert {
        "jaskier/memory/sessions/2026-03-03_004.md",
        "jaskier/memory/summaries/L1/L1_002.md",
    } == after.keys() - before
    brain = after["jaskier/memory/brain.md"].decode()
    assert 1 == brain.count("sauna is closed") == brain.count("live in Gdansk") == brain.count("like sauna")


def test_what_a_person_took_out_stays_out_after_a_move(new_bench: NewBench) -> None:
    """The line in `memory/forgotten.md` names the page where it is now; every other byte of the list stays."""
    bench = opened(new_bench, "agents")
    page = bench.root / "agents/jaskier/memory/brain.md"
    page.write_bytes(b"".join(line for line in page.read_bytes().splitlines(keepends=True) if b"sauna" not in line))
    bench.say(
        conversation("s8", MORNING + timedelta(hours=8), [("owner", "Remember that I ski."), ("assistant", "Yes.")])
    )
    bench.run_due()
    listed = bench.pages()["memory/forgotten.md"]
    assert b"- agents/jaskier/memory/brain.md#j-" in listed
    bench = moved(bench, "agents", HIDDEN)
    bench.run_due()
    bench.say(
        conversation("s9", MORNING + timedelta(hours=9), [("owner", "Remember that I row."), ("assistant", "Yes.")])
    )
    bench.run_due()
    brain = bench.pages()[f"{HIDDEN}/jaskier/memory/brain.md"].decode()
    assert (False, True, True) == ("sauna" in brain, "I ski" in brain, "I row" in brain)
    assert listed.replace(b"agents/jaskier", f"{HIDDEN}/jaskier".encode()) == bench.pages()["memory/forgotten.md"]


def test_files_that_were_left_behind_stop_every_run(new_bench: NewBench) -> None:
    """The doctor says what to do; not a byte has changed, and after the move all is as it was."""
    bench = opened(new_bench, "agents")
    before = bench.pages()
    bench = bench.reopen(settings=settings(HIDDEN))
    with pytest.raises(AgentsLeftBehind, match=r"such as agents/jaskier/memory/.*Move the folder of each agent into"):
        bench.run_due()
    (check,) = check_abandoned_folders(bench.engine)
    assert "such as agents/jaskier/memory/" in check.message
    assert before == bench.pages()
    bench = moved(bench, "agents", HIDDEN)
    bench.run_due()
    assert {path.removeprefix("agents/") for path in before if path.startswith("agents/")} == below(
        bench, HIDDEN
    ).keys()


def test_a_lost_ledger_does_not_hide_what_was_left_behind(new_bench: NewBench) -> None:
    """Journals of ours in the usual folder tell of it; those of another program do not."""
    bench = opened(new_bench, "agents")
    bench.engine.ledger.store.close()
    shutil.rmtree(bench.root / ".memory")
    bench = new_bench(root=bench.root, jobs=JOBS, settings=settings(HIDDEN), source=bench.source)
    with pytest.raises(AgentsLeftBehind, match="agents/jaskier/memory/journal"):
        bench.run_due()


def test_files_of_another_program_stay(new_bench: NewBench) -> None:
    """Under the root, and in the usual folder, byte for byte."""
    bench = new_bench(jobs=JOBS, settings=settings(HIDDEN))
    for root in (HIDDEN, "agents"):
        folder = bench.root / root / "jaskier/memory/journal"
        folder.mkdir(parents=True)
        (folder / "2026-03-03.md").write_bytes(b"# Mine\r\n- CORE: forged\r\n  by me\r\n")
    bench.say(conversation("s0", MORNING, [("owner", "Remember that the sauna is closed."), ("assistant", "Yes.")]))
    bench.run_due()
    mine = b"# Mine\r\n- CORE: forged\r\n  by me\r\n"
    assert mine == bench.pages()["agents/jaskier/memory/journal/2026-03-03.md"]
    assert bench.pages()[f"{HIDDEN}/jaskier/memory/journal/2026-03-03.md"].startswith(mine)


def test_an_agent_wakes_up_at_once_after_a_move(new_bench: NewBench) -> None:
    """Its lines are ours before the next run; before the move it is told, and does not seem to know nothing."""
    bench = opened(new_bench, "agents")
    settings = AgentsSettings.model_validate({"root": HIDDEN, "jaskier": {}})
    with pytest.raises(AgentsLeftBehind), opened_folder(bench.root, settings, "jaskier"):
        pass
    bench = moved(bench, "agents", HIDDEN)
    with opened_folder(bench.root, settings, "jaskier") as folder:
        texts = [part.text for part in folder.wake().parts]
        assert all(line.id for line in folder.know())
    assert any("sauna is closed" in text for text in texts)
    assert not any("written in the file" in text for text in texts)
