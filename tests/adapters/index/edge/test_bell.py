"""The bell between processes."""

from pathlib import Path

from pipeline.adapters.index.edge.turn import Bell, ring


def test_who_listens_hears_the_bell(tmp_path: Path) -> None:
    """However often it was rung, and not before; the next to listen does not hear it any more."""
    for _ in range(2):
        with Bell(tmp_path) as bell:
            assert not bell.rung(0)
            ring(tmp_path)
            ring(tmp_path)
            assert bell.rung(30)


def test_a_bell_that_nobody_listens_to_may_be_rung(tmp_path: Path) -> None:
    """Before the first one listened, and after the last."""
    ring(tmp_path)
    assert [] == [*tmp_path.iterdir()]
    with Bell(tmp_path):
        pass
    ring(tmp_path)


def test_a_thread_of_ours_is_woken_too(tmp_path: Path) -> None:
    """Even when others rang so often that the pipe is full."""
    with Bell(tmp_path) as bell:
        for _ in range(100_000):  # more than a pipe takes
            bell.strike()
        assert bell.rung(0)
