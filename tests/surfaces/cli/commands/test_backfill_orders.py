"""The orders of a back-fill: kept until all is done, and found again by an id."""

import re
import shlex
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from pipeline.backfill.orders import OrdersFolder, first_words
from pipeline.backfill.run import PORTION
from pipeline.errors import SeveralNames, UnknownBackfill, WriteFailed
from pipeline.workspace.locks import Latch
from schemas.run_options import Only
from schemas.run_request import BackfillRequest
from tests.support.afternoon import days_ago
from tests.support.processes.command_line import CommandLine
from tests.support.servers.behaviours import answering, failing
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table

ORDERS = BackfillRequest(
    id="20260202-abcdef",
    jobs=("micro_sync",),
    first=date(2026, 2, 2),
    last=date(2026, 2, 3),
    max_tokens=100,
    tokens_left=40,
)
SPAN = ("--from", "2026-02-02", "--to", "2026-02-02")


def test_they_are_kept_as_they_are(tmp_path: Path) -> None:
    """In a file that only its owner may read, in a folder that only its owner may enter; kept again, they are newer."""
    folder = OrdersFolder(tmp_path)
    folder.keep(ORDERS)
    folder.keep(ORDERS.model_copy(update={"tokens_left": 30}))
    assert 30 == folder.find(ORDERS.id).tokens_left
    [file] = (tmp_path / "backfills").iterdir()
    assert (0o600, 0o700) == (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777)


def test_they_are_dropped(tmp_path: Path) -> None:
    """Once dropped, the id is unknown; dropping it again is no failure."""
    folder = OrdersFolder(tmp_path)
    folder.keep(ORDERS)
    folder.drop(ORDERS.id)
    folder.drop(ORDERS.id)
    with pytest.raises(UnknownBackfill, match="`memory status` lists those that were stopped"):
        folder.find(ORDERS.id)


def test_the_beginning_of_an_id_will_do(tmp_path: Path) -> None:
    """When no other back-fill begins so."""
    folder = OrdersFolder(tmp_path)
    folder.keep(ORDERS)
    assert ORDERS == folder.find(ORDERS.id[:4])
    folder.keep(ORDERS.model_copy(update={"id": f"{ORDERS.id}0"}))
    assert ORDERS == folder.find(ORDERS.id)
    with pytest.raises(SeveralNames, match=f"{ORDERS.id}0"):
        folder.find(ORDERS.id[:4])


def test_orders_that_cannot_be_dropped(tmp_path: Path) -> None:
    """What the system refuses is told in a sentence, and is no bug of the program."""
    (tmp_path / "backfills" / f"{ORDERS.id}.json").mkdir(parents=True)
    with pytest.raises(WriteFailed, match=ORDERS.id):
        OrdersFolder(tmp_path).drop(ORDERS.id)


@table("wrong", ["other", "../state", "", "20260202-abcdef.json", "a/b"])
def test_an_unknown_id_offers_the_known_ones(wrong: str, tmp_path: Path) -> None:
    """Whatever the id looks like, nothing outside the folder is read."""
    folder = OrdersFolder(tmp_path)
    folder.keep(ORDERS)
    (tmp_path / "state.json").write_text(ORDERS.model_dump_json())
    with pytest.raises(UnknownBackfill, match=f"Known: {ORDERS.id}"):
        folder.find(wrong)


def test_orders_that_cannot_be_read_are_none(tmp_path: Path) -> None:
    """A file that was cut off is as good as missing."""
    folder = OrdersFolder(tmp_path)
    folder.keep(ORDERS)
    (tmp_path / "backfills" / f"{ORDERS.id}.json").write_text('{"id": "20')
    with pytest.raises(UnknownBackfill):
        folder.find(ORDERS.id)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "backfills").write_text("")
    with pytest.raises(WriteFailed, match="backfills"):
        OrdersFolder(tmp_path).keep(ORDERS)


@table(
    ("words", "sentence"),
    [
        (("micro_sync", "--resume", "x"), "--resume goes on with the same jobs and days"),
        (("--resume", "x", "--only", "failed"), "--resume goes on with the same jobs and days"),
        (("--resume", "x"), "There is no back-fill to resume 'x'. `memory status` lists those that were stopped."),
        (SPAN, "Missing JOB"),
        (("micro_sync", *SPAN[:2]), "Missing --to"),
        (("micro_sync", *SPAN, "--only", "old"), "'old' is not one of 'missing', 'failed', 'stale', 'all'"),
        (("micro_sync", *SPAN, "--parallel", "0"), "--parallel"),
        (("micro_sync", *SPAN, "--max-tokens", "0"), "--max-tokens"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, ...], sentence: str, workspace: Path, memory: CommandLine) -> None:
    """With exit code 2 and a sentence."""
    said = memory("backfill", *words, "--workspace", workspace)
    assert 2 == said.code
    assert sentence in said.err


def test_only_what_failed(workspace: Path, memory: CommandLine) -> None:
    """The windows that waited for the model are run, those that nobody has tried are not; then none has failed."""
    words = ("backfill", "micro_sync", *SPAN, "--only", "failed", "--workspace", workspace)
    down = [failing()] * 4  # a question is asked with a schema, then without
    with ScriptedServer(*down, answering(lambda _request: {"candidates": []})) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m", "MEMORY_MODEL__ATTEMPTS": "1"}
        none = "No window of these days is failed; {} others still have to run (--only all).\n"
        assert none.format(8) == memory(*words, **model).out
        assert 4 == memory("backfill", "micro_sync", *SPAN, "--workspace", workspace, **model).code
        said = memory(*words, **model)
    assert (0, True) == (said.code, "\n1 window (1 done): 1 entry written" in said.out), said.shown
    assert none.format(4) == memory(*words).out


def kept(workspace: Path) -> list[str]:
    """The files of the orders that are kept."""
    return sorted(file.name for file in (workspace / ".memory" / "backfills").iterdir())


def test_what_did_nothing_leaves_no_orders(workspace: Path, memory: CommandLine) -> None:
    """Another process is at work: 75, and the command to type again is the one that was typed."""
    lock = workspace / "memory" / ".locks" / "micro_sync.lock"
    with Latch(lock).hold(0):
        said = memory("backfill", "micro_sync", *SPAN, "--only", "missing", "--workspace", workspace)
    assert (75, []) == (said.code, kept(workspace))
    again = shlex.split(said.out.splitlines()[-1])
    assert ["memory", "backfill", "micro_sync", *SPAN, "--only", "missing", "--workspace", str(workspace)] == again
    assert 0 == memory(*again[1:]).code


@pytest.mark.parametrize("command", ["backfill", "run"])
def test_orders_are_dropped_whoever_has_done_them(command: str, afternoon: Path, memory: CommandLine) -> None:
    """Those of back-fills that were killed, when others have run their windows; those with windows left stay."""
    folder, day = OrdersFolder(afternoon / ".memory"), days_ago(2).date()
    for name, last in (("a", day), ("b", day), ("c", day + timedelta(days=1))):
        folder.keep(ORDERS.model_copy(update={"id": f"20260202-{name}", "first": day, "last": last}))
    (afternoon / ".memory" / "backfills" / "20260202-a.lock").touch()
    span = ("--from", day, "--to", day, "--workspace", afternoon)
    assert 0 == memory("backfill", "micro_sync", *span, "--dry-run").code
    assert 4 == len(kept(afternoon))
    if command == "run":
        settings = afternoon / "memory.toml"
        settings.write_text(re.sub("start = .*", f"start = {days_ago(2).isoformat()}", settings.read_text()))
        assert 0 == memory("run", "micro_sync", "--workspace", afternoon).code
        assert [] == kept(afternoon)
    else:
        assert 0 == memory("backfill", "micro_sync", *span).code
        assert ["20260202-c.json"] == kept(afternoon)


def test_two_cannot_go_on_with_the_same(workspace: Path, memory: CommandLine) -> None:
    """The second is told that the first is at work, and the orders stay as they are."""
    folder = OrdersFolder(workspace / ".memory")
    folder.keep(ORDERS.model_copy(update={"max_tokens": None, "tokens_left": None}))
    with folder.at_work(ORDERS.id):
        assert [] == folder.stopped_requests()
        said = memory("backfill", "--resume", ORDERS.id, "--workspace", workspace)
        assert (75, True) == (said.code, f"{ORDERS.id} is at work elsewhere" in said.err)
    assert 0 == memory("backfill", "--resume", ORDERS.id, "--workspace", workspace).code
    assert [] == kept(workspace)


def test_status_tells_of_what_was_stopped(workspace: Path, memory: CommandLine) -> None:
    """With the command that goes on; nothing is told of one that somebody is at work on, or that is done."""
    folder, words = OrdersFolder(workspace / ".memory"), ("status", "--workspace", workspace)
    folder.keep(ORDERS)
    line = (
        "backfill micro_sync from 2026-02-02 to 2026-02-03 was stopped, 16 windows left; "
        f"`memory backfill --resume {ORDERS.id}` goes on\n"
    )
    assert line in memory(*words).out
    resume = ["memory", "backfill", "--resume", ORDERS.id]
    fields = {"backfill": ORDERS.id, "jobs": ["micro_sync"], "left": 16, "resume": resume, "waits": False}
    assert fields in memory(*words, "--json").records
    folder.keep(ORDERS.model_copy(update={"tokens_left": 0}))
    assert f"`{shlex.join(resume)} --max-tokens 100` goes on" in memory(*words).out
    with folder.at_work(ORDERS.id):
        assert "was stopped" not in memory(*words).out
    folder.keep(ORDERS.model_copy(update={"only": Only.STALE}))
    assert "was stopped" not in memory(*words).out


def test_what_waits_goes_on_by_itself(workspace: Path, memory: CommandLine) -> None:
    """A model that does not answer leaves orders that the service takes up; a person who goes on decides again."""
    folder, at = OrdersFolder(workspace / ".memory"), ("--workspace", workspace)
    down = [failing()] * 8  # a question is asked with a schema, then without
    with ScriptedServer(*down, answering(lambda _request: {"candidates": []})) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m", "MEMORY_MODEL__ATTEMPTS": "1"}
        said = memory("backfill", "micro_sync", *SPAN, *at, **model)
        assert (4, True) == (said.code, "`memory serve` goes on with it by itself. To go on:" in said.out)
        [orders] = folder.stopped_requests()
        assert orders.waits
        assert ", waits, and goes on by itself while `memory serve` runs; `memory backfill" in memory("status", *at).out
        assert 4 == memory("backfill", "--by-itself", "--yes", *at, **model).code
        assert [True] == [one.waits for one in folder.stopped_requests()]
        assert 0 == memory("backfill", "--by-itself", *at, **model).code
    assert [] == folder.stopped_requests()
    assert 2 == memory("backfill", "--by-itself", *at).code


def test_what_a_person_goes_on_with_waits_no_more(workspace: Path, memory: CommandLine) -> None:
    """Ended by a limit of windows of its own, it is left to the person; so is one that used up its own tokens."""
    folder = OrdersFolder(workspace / ".memory")
    folder.keep(ORDERS.model_copy(update={"max_tokens": None, "tokens_left": None, "waits": True}))
    assert 0 == memory("backfill", "--resume", ORDERS.id, "--max-windows", 1, "--workspace", workspace).code
    assert [False] == [one.waits for one in folder.stopped_requests()]


def test_a_part_is_run_at_a_time_by_itself(workspace: Path, memory: CommandLine) -> None:
    """So that the jobs of the day come in between; it waits for its next part. The first part makes the first page."""
    folder = OrdersFolder(workspace / ".memory")
    more = {"max_tokens": None, "tokens_left": None, "last": date(2026, 2, 5), "waits": True}
    folder.keep(ORDERS.model_copy(update=more))
    said = memory("backfill", "--by-itself", "--json", "--workspace", workspace)
    jobs = Counter(record["job"] for record in said.records)
    assert (0, {"micro_sync": PORTION, "weekly_compound": 1}) == (said.code, jobs)
    assert [True] == [one.waits for one in folder.stopped_requests()]
    assert 0 == memory("backfill", "--by-itself", "--workspace", workspace).code
    assert [] == folder.stopped_requests()


def test_a_limit_that_holds_no_window_is_reported_with_one_that_does(workspace: Path, memory: CommandLine) -> None:
    """The command that goes on gives at least what the next window is to cost; the same limit again tells the same."""
    words = ("backfill", "micro_sync", *SPAN, "--max-tokens", "10", "--workspace", workspace)
    with ScriptedServer(answering(lambda _request: {"candidates": []})) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m", "MEMORY_MODEL__ATTEMPTS": "1"}
        said = memory(*words, **model)
        needed = re.search(r"The next window needs about (\d+) tokens, and 0 of 10 tokens of this back-fill", said.out)
        assert (5, []) == (said.code, server.requests)
        assert needed
        again = shlex.split(said.out.splitlines()[-1])
        assert ["--max-tokens", needed[1]] == again[4:6]
        for more in ((), ("--max-tokens", "20")):
            same = memory("backfill", "--resume", again[3], *more, "--workspace", workspace, **model)
            assert (5, again) == (same.code, shlex.split(same.out.splitlines()[-1]))
        assert 0 == memory(*again[1:], **model).code
        assert 1 == len(server.requests)


def test_the_same_work_goes_on_under_its_id(tmp_path: Path) -> None:
    """Of what was stopped; not of other work, nor of what somebody is at work on."""
    folder, open_days = OrdersFolder(tmp_path), {"jobs": (), "first": None, "last": None}
    everything = ORDERS.model_copy(update={"id": "1", **open_days})
    folder.keep(ORDERS)
    folder.keep(everything)
    new = everything.model_copy(update={"id": "9", "max_tokens": None, "tokens_left": None})
    assert new.model_copy(update={"id": "1"}) == folder.resume_same(new)
    with folder.at_work("1"):
        assert new == folder.resume_same(new)
    failed = new.model_copy(update={"only": Only.FAILED})
    assert failed == folder.resume_same(failed)


def test_the_command_that_begins() -> None:
    """With all that was given, and nothing else."""
    assert ["--from", "2026-02-02", "--to", "2026-02-03", "--max-tokens", "100"] == first_words(ORDERS)[3:]
    everything = BackfillRequest(id="1", jobs=("micro_sync",), only=Only.STALE, max_windows=5)
    words = ["memory", "backfill", "--all", "micro_sync", "--only", "stale", "--max-windows", "5"]
    assert words == first_words(everything)


def test_the_same_command_again_takes_the_place_of_what_was_stopped(tmp_path: Path) -> None:
    """Its jobs may come in any order; what somebody is at work on stays, and so does what is to do something else."""
    folder, same = OrdersFolder(tmp_path), {"max_tokens": None, "tokens_left": None, "jobs": ("b", "a")}
    ours = ORDERS.model_copy(update={"id": "9", "jobs": ("a", "b")})
    for name, update in (("1", same), ("2", same), ("3", same | {"only": Only.FAILED}), ("9", {"jobs": ("a", "b")})):
        folder.keep(ORDERS.model_copy(update={"id": name, **update}))
    with folder.at_work("2"):
        folder.replace_same(ours)
    assert ["2", "3", "9"] == [request.id for request in folder.stopped_requests()]
