"""The pipe by which processes wake each other."""

from pathlib import Path

from pipeline.adapters.index.edge.turn import WakePipe, wake


def test_a_listener_is_woken(tmp_path: Path) -> None:
    """However often others wrote, and not before; the next to listen is not woken by it any more."""
    for _ in range(2):
        with WakePipe(tmp_path) as wake_pipe:
            assert not wake_pipe.is_woken(0)
            wake(tmp_path)
            wake(tmp_path)
            assert wake_pipe.is_woken(30)


def test_a_pipe_that_nobody_listens_at_may_be_written_to(tmp_path: Path) -> None:
    """Before the first one listened, and after the last."""
    wake(tmp_path)
    assert [] == [*tmp_path.iterdir()]
    with WakePipe(tmp_path):
        pass
    wake(tmp_path)


def test_a_thread_of_ours_is_woken_too(tmp_path: Path) -> None:
    """Even when others wrote so often that the pipe is full."""
    with WakePipe(tmp_path) as wake_pipe:
        for _ in range(100_000):  # more than a pipe takes
            wake_pipe.wake_listener()
        assert wake_pipe.is_woken(0)
