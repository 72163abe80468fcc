"""Sessions of every kind that are shipped; those that grow, and are rewritten between shipments."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.conversations import FORMATS
from tests.app.test_shipping import KEY, SAID, all_words, claude, moved_store, server, texts_at
from tests.support.builders.codex_lines import CodexLines
from tests.support.marks import examples
from tests.support.workspaces.served_demo import ServedWorkspace
from tests.support.workspaces.shipping import NOW, Laptop, days_of, receiving, run_jobs, sessions_in

__all__ = ["server"]


@given(
    cuts=st.lists(st.integers(0, 12), min_size=1, max_size=4), losses=st.lists(st.booleans(), min_size=4, max_size=4)
)
@settings(max_examples=examples(8), deadline=None)
def test_a_session_that_grows_is_sent_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], losses: list[bool]
) -> None:
    """Whatever was there when, and whether the laptop still knows what it has sent."""
    room = tmp_path_factory.mktemp("grows")
    laptop = Laptop(room / "laptop")
    with receiving(room / "server") as server:
        for cut, lost in zip([*sorted(cuts), 12], [*losses, False], strict=False):
            claude(laptop, *(f"The harbour has {number} berths." for number in range(cut)))
            laptop.ship(server)
            if lost:
                (laptop.root / ".memory" / "state.db").unlink()
        claude(laptop, *(f"The harbour has {number} berths." for number in range(12)))
        laptop.ship(server)
        assert sessions_in(laptop.root) == sessions_in(server.root)
        assert 24 == len(texts_at(server))
        assert 0 == laptop.ship(server).messages


@given(versions=st.lists(st.lists(st.integers(0, 9), max_size=8, unique=True), min_size=1, max_size=4))
@settings(max_examples=examples(6), deadline=None)
def test_a_session_that_is_rewritten(tmp_path_factory: pytest.TempPathFactory, versions: list[list[int]]) -> None:
    """Whatever its file loses, gets or puts elsewhere, the server reads what the laptop reads."""
    room = tmp_path_factory.mktemp("rewritten")
    laptop = Laptop(room / "laptop", "codex")
    with receiving(room / "server") as server:
        for version in ([1, 2, 3], *versions):
            lines = CodexLines("8f1c2d")
            for number in (0, *version):
                lines.user(f"The harbour has {number} berths.")
            lines.write(laptop.sessions / "rollout-8f1c2d.jsonl")
            laptop.ship(server)
            assert sessions_in(laptop.root) == sessions_in(server.root)
            assert len(version) + 1 == len(texts_at(server))
        assert all_words(server.root) == all_words(moved_store(server.root, room / "moved"))


@pytest.mark.parametrize("form", FORMATS, ids="-".join)
def test_entries_of_every_kind_are_those_of_the_laptop(
    form: tuple[str, str], tmp_path: Path, server: ServedWorkspace
) -> None:
    """Local, masked and raw: the sessions have the same ids, and the pages the same bytes, but for the secret."""
    laptop = Laptop(tmp_path / "laptop", form[0])
    FORMATS[form](laptop.sessions, SAID)
    for file in laptop.sessions.rglob("*"):  # some formats have no times but those of their files
        os.utime(file, times=((NOW - timedelta(days=9)).timestamp(),) * 2)
    report = laptop.ship(server)
    assert (1, (), ()) == (report.sessions, report.refused, report.unreadable)
    local = sessions_in(laptop.root)
    assert local == sessions_in(server.root)
    days = days_of(laptop.root)
    pages = run_jobs(laptop.root, *days)
    assert pages == run_jobs(server.root, *days)
    assert b"boat key" in b"".join(pages.values())
    assert KEY not in "".join(texts_at(server))
