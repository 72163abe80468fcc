"""A pull, acts in the fleet, edits of the folder, and a push: both sides are kept, or nothing is changed."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.app.engine import EngineOptions, open_engine
from pipeline.errors import ChangedMeanwhile
from pipeline.errors.fleet import FolderLeadsOut, NotPulled, PushOutdated, UnknownFleetWorkspace
from pipeline.events import Event
from pipeline.fleet.checkout import GENERATIONS_KEPT, publish
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import add_folder, pull_folder
from pipeline.fleet.machine import Machine
from pipeline.fleet.pushes import PushedFiles, push_folder
from pipeline.fleet.tree import WorkspaceTree
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.locate import WORKSPACE_VARIABLE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from schemas.fleet_act import CorrectAct, FleetAct, ForgetAct
from schemas.index_settings import IndexSettings
from tests.fleet.conftest import NOON, added, check_out
from tests.fleet.working import DAY, SETTINGS, WORDS, asked, drain, entries, published_files, reported, rows
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import awaited


@pytest.fixture
def machine(new_machine: Callable[[], Machine]) -> Machine:
    """A machine of the fleet."""
    return new_machine()


@pytest.fixture
def folder(machine: Machine, spoken: FleetWorkspace, tmp_path: Path) -> Path:
    """The workspace in a folder of a person, as the runs have left it."""
    drain(machine)
    pull_folder(machine.database, spoken.name, tmp_path / "laptop", "laptop", NOON)
    return tmp_path / "laptop"


def push(machine: Machine, folder: Path) -> None:
    """Push the folder, and let a worker merge it."""
    push_folder(machine.database, folder, ProcessContext({}, FixedClock(NOON)))
    drain(machine)


def last_answer(database: FleetDatabase) -> tuple[str, dict[str, Any]]:
    """How the last act ended."""
    ((state, answer),) = rows(database, "SELECT state, answer FROM act ORDER BY seq DESC LIMIT 1")
    return state, answer


def test_both_sides_are_kept(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """A line and a page of the person, and an act of the fleet; what the folder never had is no deletion."""
    first = entries(machine.database, spoken)[0]
    asked(machine, spoken, CorrectAct(id=first, words="the truck comes on fridays"))
    drain(machine)
    before = published_files(machine.database, spoken)
    (folder / DAY).write_text((folder / DAY).read_text() + "\na line of mine\n")
    (folder / "memory" / "mine.md").write_text("a page of mine\n")
    push(machine, folder)
    after = published_files(machine.database, spoken)
    state, answer = last_answer(machine.database)
    assert ("done", [DAY, "memory/mine.md"]) == (state, sorted(answer["paths"]))
    assert before[DAY].split() == after[DAY].replace("a line of mine", "").split()
    assert "\na line of mine\n" in after[DAY]
    assert before | {DAY: after[DAY], "memory/mine.md": "a page of mine\n"} == after
    push(machine, folder)
    assert after == published_files(machine.database, spoken)


def test_a_folder_without_changes_changes_nothing(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """Also after the fleet has gone on, and where a file is missing in it."""
    asked(machine, spoken, CorrectAct(id=entries(machine.database, spoken)[0], words="the truck comes on fridays"))
    drain(machine)
    before = published_files(machine.database, spoken)
    (folder / DAY).unlink()
    push(machine, folder)
    assert ("done", {"paths": []}) == last_answer(machine.database)
    assert before == published_files(machine.database, spoken)


def test_two_changes_of_one_line_are_shown(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """And nothing is changed."""
    asked(machine, spoken, CorrectAct(id=entries(machine.database, spoken)[0], words="the truck comes on fridays"))
    drain(machine)
    before = published_files(machine.database, spoken)
    (folder / DAY).write_text((folder / DAY).read_text().replace(WORDS[0], "the truck comes on mondays"))
    push(machine, folder)
    state, answer = last_answer(machine.database)
    assert "refused" == state
    assert "The same lines were changed" in answer["error"]
    assert before == published_files(machine.database, spoken)


def test_settings_that_cannot_be_used_are_refused(machine: Machine, folder: Path) -> None:
    """With them no worker could open the workspace any more; right ones are taken."""
    settings = folder / "memory.toml"
    right = settings.read_text()
    settings.write_text(right.replace('"store"', '"nothing"', 1))
    push(machine, folder)
    state, answer = last_answer(machine.database)
    assert ("refused", True) == (state, "sources[0].kind" in answer["error"])
    settings.write_text(f"{right}# mine\n")
    push(machine, folder)
    assert ("done", {"paths": ["memory.toml"]}) == last_answer(machine.database)


def test_what_was_forgotten_does_not_come_back(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """Neither with a push that was asked for before, nor later: the pull is too old then."""
    (folder / "memory" / "mine.md").write_text("a page of mine\n")
    asked(machine, spoken, ForgetAct(id=entries(machine.database, spoken)[1]))
    push(machine, folder)
    assert ("done", {}) == last_answer(machine.database)
    assert WORDS[1] not in published_files(machine.database, spoken)[DAY]
    with pytest.raises(PushOutdated):
        push(machine, folder)


def test_pages_alone_are_pushed(machine: Machine, folder: Path) -> None:
    """Nothing of the databases that jobs have left in the folder comes into the fleet."""
    before = rows(machine.database, "SELECT count(*) FROM piece")
    with closing(sqlite3.connect(folder / ".memory" / "state.db")) as ledger:
        ledger.execute("CREATE TABLE more AS SELECT hex(randomblob(100000))")
        ledger.commit()
    push_folder(machine.database, folder, ProcessContext({}, FixedClock(NOON)))
    assert before == rows(machine.database, "SELECT count(*) FROM piece")


def test_links_that_lead_out_are_refused(machine: Machine, folder: Path, tmp_path: Path) -> None:
    """They may lead to the files of another owner, also where the layout has the name."""
    (folder / "agents").symlink_to(tmp_path)
    context = ProcessContext({}, FixedClock(NOON))
    with pytest.raises(FolderLeadsOut, match="the link agents"):
        push_folder(machine.database, folder, context)
    with pytest.raises(FolderLeadsOut, match="the link agents"):
        add_folder(machine.database, "eva", folder, context)


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("memory.toml", SETTINGS.encode() + b'[agents]\nroot = "others"\n', "agents.root: a push cannot change it"),
        ("memory/mine.md", "a page of mine\n".encode("utf-16"), "memory/mine.md cannot be pushed"),
    ],
)
def test_a_push_after_which_no_worker_could_go_on(
    machine: Machine, folder: Path, path: str, data: bytes, reason: str
) -> None:
    """It is refused, and the workspace goes on."""
    (folder / path).write_bytes(data)
    push_folder(machine.database, folder, ProcessContext({WORKSPACE_VARIABLE: str(folder)}, FixedClock(NOON)))
    drain(machine)
    state, answer = last_answer(machine.database)
    assert ("refused", True) == (state, reason in answer["error"]), answer
    assert "" == reported(machine.database, "anna").failure


def test_a_pull_brings_settings_that_this_program_refuses(
    machine: Machine, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """They may be those of a newer program: somebody has to see them to mend them."""
    checkout = check_out(machine, spoken)
    root = machine.root_of(checkout)
    (root / "memory.toml").write_text(f"later = 1\n{SETTINGS}")
    take = partial(WorkspaceTree(root).take, Workspace(root, Layout(discover())), IndexSettings())
    with machine.database.transaction() as connection:
        publish(connection, checkout, take, NOON)
    pull_folder(machine.database, spoken.name, tmp_path / "pulled", "laptop", NOON)
    assert (tmp_path / "pulled" / "memory.toml").read_text().startswith("later")


def test_settings_that_lead_out_are_refused(machine: Machine, folder: Path) -> None:
    """No worker would open the workspace with them."""
    (folder / "memory.toml").write_text(f'{SETTINGS}[embedder]\nkind = "fastembed"\n')
    context = ProcessContext({WORKSPACE_VARIABLE: str(folder)}, FixedClock(NOON))
    with pytest.raises(FolderLeadsOut, match=r"embedder\.kind"):
        push_folder(machine.database, folder, context)


def test_an_act_that_meets_a_bug(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """It is refused when it was tried twice, and logged; those before and after it are carried out."""
    first, second, _ = entries(machine.database, spoken)
    (folder / "memory" / "mine.md").write_text("a page of mine\n")
    asked(machine, spoken, CorrectAct(id=first, words="on fridays"))
    push_folder(machine.database, folder, ProcessContext({}, FixedClock(NOON)))
    asked(machine, spoken, CorrectAct(id=second, words="the sauna is open"))
    with machine.database.transaction() as connection:  # which no code of ours expects
        connection.execute("""UPDATE piece SET content = '\\x00' WHERE hash IN (
            SELECT hash FROM manifest JOIN manifest_piece ON id = manifest_id WHERE path = 'memory/mine.md')""")
    logged = list[tuple[Event, object]]()
    context = replace(machine.context, emit=lambda event, **said: logged.append((event, said.get("act"))))
    for tried in (1, 2):
        drain(Machine(machine.database, machine.cache, context))
        assert [("waiting", 0), ("waiting", tried), ("waiting", 0)] == rows(
            machine.database, "SELECT state, tried FROM act ORDER BY seq"
        )
    drain(Machine(machine.database, machine.cache, context))
    assert [("done",), ("refused",), ("done",)] == rows(machine.database, "SELECT state FROM act ORDER BY seq")
    assert (Event.ACT_BROKEN, 2) in logged
    ended = reported(machine.database, spoken.name)
    assert ("ready", 0, "") == (ended.state, ended.deaths, ended.failure)
    assert "on fridays" in published_files(machine.database, spoken)[DAY]


def test_a_folder_of_another_workspace(machine: Machine, spoken: FleetWorkspace, folder: Path, tmp_path: Path) -> None:
    """A folder that was never pulled, and that of a workspace which was removed."""
    with pytest.raises(NotPulled):
        push(machine, tmp_path / "from-anna")
    note = folder / ".memory" / "fleet.json"
    written = note.read_text()
    added(machine.database, "ben")
    note.write_text(written.replace('"anna"', '"ben"'))
    with pytest.raises(NotPulled):
        push(machine, folder)
    note.write_text(written)
    with machine.database.transaction() as connection:
        remove_workspace(connection, spoken.id)
    with pytest.raises(UnknownFleetWorkspace):
        push(machine, folder)


@pytest.mark.parametrize("words", ["a line of mine", "on mondays"])
def test_of_a_push_that_was_merged_nothing_is_left(
    machine: Machine, spoken: FleetWorkspace, folder: Path, words: str
) -> None:
    """Neither its list of files nor a piece, also where it was refused."""
    asked(machine, spoken, CorrectAct(id=entries(machine.database, spoken)[0], words="the truck comes on fridays"))
    drain(machine)
    (folder / DAY).write_text((folder / DAY).read_text().replace("every second tuesday", words))
    (folder / DAY).write_text((folder / DAY).read_text() + "\na line of mine\n")
    push(machine, folder)
    assert [(0,)] == rows(machine.database, "SELECT count(*) FROM manifest WHERE since < 0")
    unnamed = "SELECT hash FROM piece EXCEPT SELECT hash FROM manifest_piece"
    assert [] == rows(machine.database, unnamed)


def test_a_push_while_something_is_forgotten(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """It is refused, because it may have the words; nothing of it is kept."""
    (folder / "memory" / "mine.md").write_text("a page of mine\n")
    before = rows(machine.database, "SELECT count(*) FROM piece")
    with ThreadPoolExecutor(1) as pool:
        with machine.database.transaction() as forgetting:
            forgetting.execute("SELECT FROM workspace WHERE id = %s FOR UPDATE", [spoken.id])
            pushing = pool.submit(push_folder, machine.database, folder, ProcessContext({}, FixedClock(NOON)))
            awaited(lambda: rows(machine.database, "SELECT pid FROM pg_locks WHERE NOT granted") or None)
            forgetting.execute("DELETE FROM generation WHERE workspace_id = %s", [spoken.id])
        with pytest.raises(PushOutdated):
            pushing.result()
    assert before == rows(machine.database, "SELECT count(*) FROM piece")


class BusyDatabase(FleetDatabase):
    """A fleet in which something happens after the first transaction."""

    happens: Callable[[], None] | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection[TupleRow]]:
        """Let it happen afterwards."""
        with super().transaction() as connection:
            yield connection
        happens, self.happens = self.happens, None
        if happens:
            happens()


def test_a_pull_while_others_publish(
    machine: Machine, spoken: FleetWorkspace, tmp_path: Path, clock: FixedClock
) -> None:
    """It gets the newest generation, also where one before was forgotten; that is kept, however many come after it."""
    drain(machine)

    def do(act: FleetAct) -> None:
        asked(machine, spoken, act)
        drain(machine)

    with BusyDatabase(machine.database.url) as busy:
        busy.happens = lambda: do(ForgetAct(id=entries(machine.database, spoken)[1]))
        pull_folder(busy, spoken.name, tmp_path / "second", "second", clock.now())
    pulled = (tmp_path / "second" / DAY).read_text()
    assert (True, False) == (WORDS[0] in pulled, WORDS[1] in pulled)
    clock.move(timedelta(hours=2))
    for title in range(GENERATIONS_KEPT + 1):
        do(CorrectAct(id=entries(machine.database, spoken)[0], title=f"title {title}"))
    (tmp_path / "second" / "memory" / "mine.md").write_text("a page of mine\n")
    push(machine, tmp_path / "second")
    assert "a page of mine\n" == published_files(machine.database, spoken)["memory/mine.md"]


def test_a_page_that_changes_while_it_is_merged(machine: Machine, spoken: FleetWorkspace, folder: Path) -> None:
    """The push is not said to be done: it waits for the next slice."""
    (folder / "memory" / "mine.md").write_text("a page of mine\n")
    _, number = push_folder(machine.database, folder, ProcessContext({}, FixedClock(NOON)))
    checkout = check_out(machine, spoken)

    def write_meanwhile() -> None:
        (machine.root_of(checkout) / "memory" / "mine.md").write_text("a page of another program\n")

    with closing(machine.open_store(checkout)) as store:
        options = EngineOptions(store=store, take_over=True)
        engine = open_engine(machine.root_of(checkout), machine.context_of(checkout), options)
        with closing(engine.ledger.store):
            workspace = engine.workspace.checked_by(write_meanwhile)
            pushed = PushedFiles(machine.database, spoken.id, 2, number)
            with pytest.raises(ChangedMeanwhile):
                pushed.merge_into(replace(engine, workspace=workspace))
