"""The contract of every redactor: inherit it in a test class, and define how a redactor is made."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.ports.engine import Redactor
from schemas.transcript import MASK

ANY_TEXT = st.text(max_size=200)
_PIECES = (
    *(
        "password",
        "hasło",
        "密码",
        "token",
        "PIN",
        "is",
        "to",
        "是",
        ":",
        "=",
        "Abc123xyz",
        "4821",
        "0123",
        "key",
        "Bearer",
    ),
    *("ghp_", "https://u:p@h/", "\n", '"', "'", ",", "。", MASK, "-----BEGIN PRIVATE KEY-----", "4242 4242 4242 4242"),
)
LIKELY_TEXT = st.lists(st.sampled_from(_PIECES) | st.text(max_size=8), max_size=25).map(" ".join)

ANY_BEFORE = st.lists(st.sampled_from(["What is the password?", "Jaki jest kod do bramy?"]) | ANY_TEXT, max_size=2)

# Hypothesis warns because each class that inherits a test runs it anew; that is the purpose of a contract.
INHERITED = settings(suppress_health_check=[HealthCheck.differing_executors])


class RedactorContract(ABC):
    """Any redactor."""

    @abstractmethod
    def redactor(self) -> Redactor:
        """A redactor."""

    @abstractmethod
    def planted(self) -> Sequence[tuple[str, str]]:
        """Texts, each with a secret in it that the redactor knows."""

    @pytest.mark.parametrize("around", ["{}", "before\n{}\nafter", "{} {}"])
    def test_secrets_are_masked(self, around: str) -> None:
        """No secret is left, wherever it stands, and as often as it stands."""
        redactor = self.redactor()
        for text, secret in self.planted():
            redacted = redactor.redact(around.format(text, text))
            assert secret not in redacted
            assert MASK * len(secret.split("\n")[0]) in redacted

    def test_ordinary_text_stays(self) -> None:
        """A text without a secret comes back as it is."""
        text = "We keep one queue. Zostajemy przy jednej kolejce. 就用一个队列。\n"
        assert text == self.redactor().redact(text)

    @INHERITED
    @given(ANY_TEXT | LIKELY_TEXT, ANY_BEFORE)
    def test_only_masks_are_written(self, text: str, before: list[str]) -> None:
        """The length never changes, and a character is masked or as it was; line ends stay."""
        redacted = self.redactor().redact(text, before)
        assert len(text) == len(redacted)
        assert all(new in (old, MASK) for old, new in zip(text, redacted, strict=True))
        assert text.count("\n") == redacted.count("\n")

    @INHERITED
    @given(ANY_TEXT | LIKELY_TEXT, ANY_BEFORE)
    def test_twice_is_once(self, text: str, before: list[str]) -> None:
        """Redacting what is redacted changes nothing."""
        once = self.redactor().redact(text, before)
        assert once == self.redactor().redact(once, before)

    @INHERITED
    @given(ANY_TEXT | LIKELY_TEXT, ANY_BEFORE)
    def test_what_was_said_before_only_adds(self, text: str, before: list[str]) -> None:
        """A secret by itself stays one behind every question."""
        alone, behind = self.redactor().redact(text), self.redactor().redact(text, before)
        assert all(there == MASK for here, there in zip(alone, behind, strict=True) if here == MASK)
