"""What another program prints, recorded."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.process.foreign import ERR, OUT, Recording
from tests.support.processes.small_files import no_large_files

BLOCK = 1_048_576


class Given:
    """What was given out, by stream, and in its order."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, bytes]] = []

    def __call__(self, stream: int, data: bytes) -> None:
        """Take it."""
        self.parts.append((stream, data))

    def of(self, stream: int) -> bytes:
        """All of one stream."""
        return b"".join(data for one, data in self.parts if one == stream)


@given(st.lists(st.tuples(st.sampled_from([OUT, ERR]), st.binary(min_size=1, max_size=9))))
def test_every_part_goes_to_its_stream_in_order(parts: list[tuple[int, bytes]]) -> None:
    """Whatever was recorded."""
    shown = Given()
    recording = Recording(shown)
    for stream, data in parts:
        recording.add(stream, data)
    recording.give_out()
    assert b"".join(data for _, data in parts) == b"".join(recording.blocks())
    assert b"".join(data for _, data in parts) == b"".join(data for _, data in shown.parts)
    for stream in (OUT, ERR):
        assert b"".join(data for one, data in parts if one == stream) == shown.of(stream)


def test_what_is_large_is_in_a_file() -> None:
    """And comes back byte by byte."""
    shown = Given()
    recording = Recording(shown)
    for number in range(9):
        recording.add(OUT + number % 2, bytes([number]) * BLOCK)
    recording.give_out()
    recording.close()
    assert 9 * BLOCK == recording.size
    assert b"".join(bytes([number]) * BLOCK for number in range(0, 9, 2)) == shown.of(OUT)


def test_an_output_without_end_has_a_bound() -> None:
    """Beyond it all is given out, and what follows is passed on: no byte of it is lost."""
    shown = Given()
    recording = Recording(shown, most=6 * BLOCK)
    sent = [bytes([number]) * BLOCK for number in range(9)]
    for block in sent:
        recording.add(OUT, block)
    recording.close()
    assert "longer than" in str(recording.trouble)
    assert recording.size <= 6 * BLOCK
    assert b"".join(sent) == shown.of(OUT)


def test_without_room_all_is_given_out_and_passed_on() -> None:
    """Nothing is lost, nothing comes twice: also of the block of which a part found room."""
    shown = Given()
    recording = Recording(shown)
    sent = [bytes([number]) * BLOCK for number in range(9)]
    with no_large_files(BLOCK + BLOCK // 2):
        for block in sent:
            recording.add(OUT, block)
    recording.close()
    assert recording.trouble is not None
    assert b"".join(sent) == shown.of(OUT)
