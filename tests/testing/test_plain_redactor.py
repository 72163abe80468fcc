"""The redactor that masks what it is told holds to the contract."""

from collections.abc import Sequence

from pipeline.ports.engine import Redactor
from tests.support.ports.plain_redactor import PlainRedactor
from tests.support.ports.redactor_contract import RedactorContract


class TestPlainRedactor(RedactorContract):
    """The contract, on the fake."""

    def redactor(self) -> Redactor:
        """Two secrets, one inside the other."""
        return PlainRedactor("swordfish", "swordfish-2")

    def planted(self) -> Sequence[tuple[str, str]]:
        """Both."""
        return [("say swordfish", "swordfish"), ("say swordfish-2.", "swordfish-2")]
