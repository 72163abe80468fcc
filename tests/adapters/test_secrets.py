"""Secrets are masked wherever people and programs leave them, and what merely resembles one stays as it is.

Every secret here is made up for these tests.
"""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.adapters.secrets import SecretRedactor
from pipeline.ports import Redactor
from pipeline.testing.redactor_contract import RedactorContract
from schemas.transcript import MASK

KEY_BLOCK = """-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED

MIIEpAIBAAKCAQEA1FAKEfakeFAKE0123456789abcdefghijklmnop
qrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/==
-----END RSA PRIVATE KEY-----"""

SAMPLES = Path(__file__).parent / "samples"
ORDINARY = (SAMPLES / "ordinary.txt").read_text(encoding="utf-8").splitlines()
SECRETS = [line.split("\t") for line in (SAMPLES / "secrets.tsv").read_text(encoding="utf-8").splitlines()]


class TestSecretRedactor(RedactorContract):
    """The contract, on the real finders."""

    def redactor(self) -> Redactor:
        """One for all texts."""
        return SecretRedactor()

    def planted(self) -> Sequence[tuple[str, str]]:
        """Secrets that no second copy on the same line can hide."""
        return [
            ("github ghp_FAKEfake0123456789FAKEfake0123456789", "ghp_FAKEfake0123456789FAKEfake0123456789"),
            ("hasło: Fake-Chleb-11", "Fake-Chleb-11"),
            ("密码是Fake2026abc，别外传", "Fake2026abc"),
        ]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_masked(text: str, secret: str) -> None:
    """Nothing of it is left in the text."""
    assert secret not in SecretRedactor().redact(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    """Identifiers, commits, versions, paths, dates, amounts, and talk about passwords are no secrets."""
    assert text == SecretRedactor().redact(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use Abc123!x as password, ok?", "use •••••••• as password, ok?"),
        ("hasło do poczty: Wisla26fake, nie zgub", "hasło do poczty: •••••••••••, nie zgub"),
        ("密码是Fake26abc，别外传", "密码是•••••••••，别外传"),
        ("https://u:pw@h.example/x is up", "•" * 24 + " is up"),
        ("DB_PASSWORD=fakeS3cret make run", "DB_PASSWORD=•••••••••• make run"),
    ],
)
def test_only_the_secret_is_masked(text: str, expected: str) -> None:
    """The words around it, and the marks behind it, stay readable."""
    redacted = SecretRedactor().redact(text)
    assert expected == redacted


def test_a_secret_may_stand_on_the_line_below() -> None:
    """Behind a colon and a line end, alone in its line."""
    redacted = SecretRedactor().redact("the password:\nFake-Below-77\nthanks")
    assert redacted == f"the password:\n{MASK * 13}\nthanks"


def test_a_private_key_is_masked_to_its_end() -> None:
    """All lines of it, header and all; the lines themselves stay lines."""
    redacted = SecretRedactor().redact(f"here\n{KEY_BLOCK}\nthanks")
    assert redacted.replace(MASK, "") == "here" + "\n" * 7 + "thanks"


@pytest.mark.parametrize("end", [60, 110, 150, len(KEY_BLOCK) - 1])
def test_a_private_key_that_was_cut_off_is_masked(end: int) -> None:
    """A key need not be whole to be secret."""
    redacted = SecretRedactor().redact(KEY_BLOCK[:end])
    assert redacted.replace(MASK, "").strip() == ""


def test_a_key_block_in_json_is_masked() -> None:
    """Line ends may be written as backslash and n."""
    escaped = KEY_BLOCK.replace("\n", "\\n")
    assert "FAKE" not in SecretRedactor().redact(f'{{"private_key": "{escaped}"}}')


@pytest.mark.parametrize(
    "piece",
    [
        *("password ", 'password "', "https://a:", "aB3/", "x@", "key: ", "curl ", "1234 ", "pass-", "PL61 1090 "),
        *("-----BEGIN PRIVATE KEY-----\n", "a=b&token=c&", "seed phrase abandon ability ", "cookie: ", "pin to "),
    ],
)
def test_long_lines_do_not_take_long(piece: str) -> None:
    """No text makes a pattern run away: 60 kB of the worst end within the time limit of the test run."""
    text = piece * (60_000 // len(piece))
    assert len(text) == len(SecretRedactor().redact(text))


def test_what_is_known_to_be_a_secret_is_masked_whatever_it_looks_like() -> None:
    """Everywhere, also where two of them overlap or one is part of another; the rest is looked at as ever."""
    redactor = SecretRedactor(["", "plain words", "plain words of a longer one", "abab"])
    text = "a plain words b plain words of a longer one c ababab d 'plain words'\n"
    masked = f"a {MASK * 11} b {MASK * 27} c {MASK * 6} d '{MASK * 11}'\n"
    assert masked == redactor.redact(text) == redactor.redact(masked)
    assert text == SecretRedactor().redact(text)


def test_the_library_is_loaded_only_when_it_is_needed() -> None:
    """A command that reads no transcript does not pay for it."""
    script = (
        "import sys\nfrom pipeline.adapters.secrets import SecretRedactor\nSecretRedactor().redact('hello')\n"
        "sys.exit('detect_secrets' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0
