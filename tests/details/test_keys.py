"""Keys of details: readable, the same for the same text, and safe wherever they stand."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.details.placeholder import TextHash, is_key, keys_of
from schemas.detail import DetailType


def test_a_key_tells_what_it_is_of() -> None:
    """The word of the type, the description, and more digits of the digest for each time that it is taken."""
    digest = "3f9a1c22d0" + "e" * 54
    keys = list(keys_of(DetailType.COMMAND, "npm install", digest))
    assert "cmd_npm-install_3f9a1c22d0" == keys[0]
    assert f"cmd_npm-install_{digest}" == keys[-1]
    assert [10, 16, 32, 64] == [len(key.rpartition("_")[2]) for key in keys]


def test_words_of_any_alphabet() -> None:
    """Letters and digits stay, all else parts words; without any there is a word of ours."""
    digest = "0" * 64
    assert "log_błąd-kompilacji_0000000000" == next(keys_of(DetailType.LOG, "  Błąd: kompilacji!", digest))
    assert "text_构建日志_0000000000" == next(keys_of(DetailType.TEXT, "构建日志", digest))
    assert "json_output_0000000000" == next(keys_of(DetailType.JSON, "../..", digest))


@given(st.sampled_from(DetailType), st.text(max_size=300))
def test_any_description_makes_a_key(kind: DetailType, description: str) -> None:
    """It is known as one, has no more than 120 characters, and no character that ends a placeholder or a path."""
    key = next(keys_of(kind, description, "0123456789" * 6 + "abcd"))
    assert is_key(key)
    assert len(key) <= 120
    assert not set(key) & set(" /\\[]\"'\n.%?&#:")


def test_a_thread_makes_another_key_of_the_same_text() -> None:
    """And the blocks in which it comes make none."""

    def digests(thread: str, *blocks: bytes) -> tuple[str, str]:
        digest = TextHash(thread)
        for block in blocks:
            digest.update(block)
        return digest.key, digest.text

    assert digests("t1", b"ab", b"c") == digests("t1", b"abc")
    assert digests("t1", b"abc")[0] != digests("t2", b"abc")[0]
    assert digests("t1", b"abc")[1] == digests("t2", b"abc")[1]


def test_what_is_no_key() -> None:
    """Nothing is looked up for it."""
    for text in (
        "",
        "cmd",
        "cmd__0123456789",
        "cmd_a_012345678",
        "cmd_a_0123456789 ",
        "x_a_0123456789",
        "cmd_a_01234G6789",
    ):
        assert not is_key(text), text
