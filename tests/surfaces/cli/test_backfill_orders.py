"""The orders of a back-fill: kept until all is done, and found again by an id."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.errors import UnknownBackfill, WriteFailed
from pipeline.surfaces.cli.backfill_orders import Orders, OrdersFolder
from pipeline.testing.behaviours import answering, failing
from pipeline.testing.command_line import CommandLine
from pipeline.testing.model_server import ScriptedServer

ORDERS = Orders(
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
    with pytest.raises(UnknownBackfill, match="Known: none"):
        folder.find(ORDERS.id)


@pytest.mark.parametrize("wrong", ["other", "../state", "", "20260202-abcdef.json", "a/b"])
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


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "backfills").write_text("")
    with pytest.raises(WriteFailed, match="backfills"):
        OrdersFolder(tmp_path).keep(ORDERS)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("micro_sync", "--resume", "x"), "--resume goes on with the same jobs and days"),
        (("--resume", "x", "--only", "failed"), "--resume goes on with the same jobs and days"),
        (("--resume", "x"), "There is no back-fill to resume 'x'. Known: none."),
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
    with ScriptedServer(failing(), failing(), answering(lambda _request: {"candidates": []})) as server:
        model = {"MEMORY_MODEL__BASE_URL": server.base_url, "MEMORY_MODEL__NAME": "m", "MEMORY_MODEL__ATTEMPTS": "1"}
        none = "No window of these days is failed; {} others still have to run (--only all).\n"
        assert none.format(8) == memory(*words, **model).out
        assert 4 == memory("backfill", "micro_sync", *SPAN, "--workspace", workspace, **model).code
        said = memory(*words, **model)
    assert (0, True) == (said.code, said.out.startswith("1 window (1 empty)")), said.told
    assert none.format(4) == memory(*words).out
