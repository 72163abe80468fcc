"""Secrets in a stream: none gets through where two blocks meet, and every other byte stays."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.details.redaction import OVERLAP, WINDOW, redact_blocks
from pipeline.ports.engine import Redactor
from tests.support.marks import examples
from tests.support.ports.plain_redactor import PlainRedactor

TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
KEY_BLOCK = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bq98\n" * 700 + "-----END RSA PRIVATE KEY-----\n"
REDACTOR = SecretRedactor(["a-secret-of-the-settings"])


def masked(text: bytes, block: int, redactor: Redactor = REDACTOR) -> bytes:
    """The text, redacted as it comes in blocks of this size."""
    return b"".join(redact_blocks((text[at : at + block] for at in range(0, len(text), block)), redactor))


def test_a_secret_where_windows_meet() -> None:
    """A token, a block of a private key and a secret of the settings, wherever they stand; as if read as a whole."""
    for secret in (TOKEN, KEY_BLOCK, "a-secret-of-the-settings"):
        for place in (WINDOW - 10, WINDOW + OVERLAP - 10):
            text = "".join(("some words here\n" * (place // 16), secret, "\nand more of them\n" * 3_000))
            seen = masked(text.encode(), 60_000).decode()
            assert secret[20:40] not in seen, (secret[:10], place)
            assert len(text) == len(seen)


def test_a_secret_in_a_line_without_end() -> None:
    """There is no line end to cut at, and every secret is still in one window as a whole."""
    text = ("x" * 9_973 + f" {TOKEN} ") * 40
    seen = masked(text.encode(), 65_536).decode()
    assert TOKEN[4:20] not in seen
    assert len(text) == len(seen)


@settings(max_examples=examples(20), deadline=None)
@given(
    st.lists(st.binary(max_size=200) | st.just(b"hunter2") | st.just("zażółć 构建\n".encode()), max_size=30),
    st.integers(1, 300),
)
def test_all_other_bytes_stay(parts: list[bytes], block: int) -> None:
    """Also those that are no text, however they are cut."""
    text = b"".join(parts)
    assert text.replace(b"hunter2", "•".encode() * 7) == masked(text, block, PlainRedactor("hunter2"))


def test_many_windows_are_the_text() -> None:
    """Nothing comes twice, and nothing is left out."""
    text = b"".join(b"%d hunter2 line\n" % number for number in range(60_000))
    assert text.replace(b"hunter2", "•".encode() * 7) == masked(text, 262_144, PlainRedactor("hunter2"))
