"""Sessions that grow and are rewritten between shipments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.test_shipping import all_words, claude, moved_store, texts_at
from tests.support.builders.codex_lines import CodexLines
from tests.support.marks import examples
from tests.support.workspaces.shipping import Laptop, receiving, sessions_in


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
