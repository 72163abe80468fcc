"""Secrets are masked wherever people and programs leave them, and what merely resembles one stays as it is.

Every secret here is made up for these tests.
"""

# ruff: noqa: RUF001 - Chinese punctuation is meant

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.ports.engine import Redactor
from schemas.transcript import MASK
from tests.support.builders.long_texts import is_linear
from tests.support.marks import at_length
from tests.support.ports.redactor_contract import RedactorContract
from tests.support.tables import table

KEY_BLOCK = """-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED

MIIEpAIBAAKCAQEA1FAKEfakeFAKE0123456789abcdefghijklmnop
qrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/==
-----END RSA PRIVATE KEY-----"""

SAMPLES = Path(__file__).parent / "samples"
ORDINARY = (SAMPLES / "ordinary.txt").read_text(encoding="utf-8").splitlines()
UNMASKED = (SAMPLES / "unmasked.txt").read_text(encoding="utf-8").splitlines()
SECRETS = [line.split("\t") for line in (SAMPLES / "secrets.tsv").read_text(encoding="utf-8").splitlines()]
ANSWERS = [
    line.replace("\\n", "\n").split("\t") for line in (SAMPLES / "answers.tsv").read_text(encoding="utf-8").splitlines()
]
"""Questions and their answers, with line ends written as in JSON, and the secret of an answer that has one."""


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


def test_a_secret_is_masked() -> None:
    """All of it, and nothing beside it; the texts that come out otherwise are listed."""
    redactor = SecretRedactor()
    wrong = [after for text, *secrets in SECRETS if (after := redactor.redact(text)) != _mask_secrets(text, secrets)]
    assert not wrong, "\n".join(wrong)


def _mask_secrets(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK * len(secret))
    return text


def test_ordinary_text_stays() -> None:
    """Identifiers, commits, versions, paths, dates, amounts, and talk about passwords are no secrets.

    The texts that change are listed as they come out.
    """
    assert not (masked := _masked(ORDINARY)), "\n".join(masked)


def test_the_limit_of_the_rules() -> None:
    """Secrets, and words that read like them, which no rule masks yet: they show where a rule ends.

    With a rule that masks a row, the row belongs to the secrets.
    """
    assert not (masked := _masked(UNMASKED)), "\n".join(masked)


def _masked(texts: Sequence[str]) -> list[str]:
    return [after for text in texts if (after := SecretRedactor().redact(text)) != text]


@table(
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


@table(
    ("text", "secret"),
    [
        ("the password:\nFake-Below-77\nthanks", "Fake-Below-77"),
        ("hasło do routera\nMaple#2211", "Maple#2211"),
        ("keep it, with the password for the router:\nMaple#2211 ?", "Maple#2211"),
        ("密码：\nMaple#2211", "Maple#2211"),
        ("password:\n\nMaple#2211", "Maple#2211"),
        ("password:\n```\nMaple#2211\n```", "Maple#2211"),
        ("password:\n```text\nMaple#2211\n```", "Maple#2211"),
        ("password:**\n> Maple#2211 ok", "Maple#2211"),
        ("the password of the shop\n> Maple#2211", "Maple#2211"),
        ("the password\nma7pl", "ma7pl"),
        ("the api key\nma7pletea", "ma7pletea"),
        ("password:\nmaple-34", "maple-34"),
        ("password:\nMap#1", "Map#1"),
        ("DB_PASSWORD=\n  hunter2xyz9", "hunter2xyz9"),
        ("here's the token:\n9fceb02d0ae598e95dc970b74767f193", "9fceb02d0ae598e95dc970b74767f193"),
        ("The gate code:\n4471#", "4471#"),
        ("PIN:\n9274", "9274"),
        ("大门密码：\n8842#", "8842#"),
        ("login: tom\npassword: Blue$ky2026\n", "Blue$ky2026"),
        ("The gate code:\n4471#" + "\nthanks" * 6, "4471#"),
        ("Hello\n" * 6 + "门禁码：\n四四七一", "四四七一"),
    ],
)
def test_a_secret_may_stand_on_the_line_below(text: str, secret: str) -> None:
    """Behind a colon it may be followed by more; without one it stands alone in its line."""
    assert text.replace(secret, MASK * len(secret)) == SecretRedactor().redact(text)


@table(
    "text",
    [
        *("hasło do laptopa\nJodla!Kuna", "password:\n$PASS1", "the token\nuser_12", "the api key\nhunter2"),
        *("password:\n\n\nMaple#2211", "the password of the shop\nMaple#2211 ok", "the password\nma7p"),
        *("the api key\nma7ple", "the password\nmaple-34", "password:\nMa#1", "password:\nurl=Maple#2211"),
        *("password:\n/etc/maple22", "the password:\nMapleLeaf"),
    ],
)
def test_what_stands_below_may_be_no_secret(text: str) -> None:
    """A reference, a name, or two words that no colon announces."""
    assert text == SecretRedactor().redact(text)


def test_settings_on_lines_below_one_another_keep_their_names() -> None:
    """What follows a line with a secret's name may be the next setting."""
    redacted = SecretRedactor().redact("MAIL_PASSWORD=Fake-One-11\nMAIL_SECRET=Fake-Two-22")
    assert f"MAIL_PASSWORD={MASK * 11}\nMAIL_SECRET={MASK * 11}" == redacted


def test_what_cannot_be_seen_hides_no_secret() -> None:
    """A blank of no width inside a secret, and letters of full width, are read as a person reads them."""
    hidden = "ghp_Zz9Zz9\u200bZz9Zz9Zz9Zz9Zz9Zz9Zz9Zz9Zz9Zz9"
    assert f"use {MASK * len(hidden)} now" == SecretRedactor().redact(f"use {hidden} now")
    assert f"ｐａｓｓｗｏｒｄ：{MASK * 8}" == SecretRedactor().redact("ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２ｘ")


@table(("question", "answer", "secret"), [row for row in ANSWERS if len(row) > 2])
def test_an_answer_is_a_secret_when_the_question_was_for_one(question: str, answer: str, secret: str) -> None:
    """Nothing else in the answer is masked, and without the question nothing is; also when a word comes between."""
    redactor, expected = SecretRedactor(), answer.replace(secret, MASK * len(secret))
    assert expected == redactor.redact(answer, [question]) == redactor.redact(expected, [question])
    assert expected == redactor.redact(answer, ["How are you?", question])
    assert answer == redactor.redact(answer) == redactor.redact(answer, ["How are you?"])
    assert MASK * 11 == redactor.redact("Autumn2026!", [question, "sure, one second"])


@table(("question", "answer"), [row for row in ANSWERS if len(row) == 2])
def test_an_answer_without_a_secret_stays(question: str, answer: str) -> None:
    """A question that merely has such a word in it asks for no secret, and not every answer gives one."""
    assert answer == SecretRedactor().redact(answer, [question])


def test_a_question_stands_in_the_last_part_of_a_message() -> None:
    """One letter more behind it, and it is no longer read."""
    asked, redactor = "Password?\n" + "x" * 1_190, SecretRedactor()
    assert MASK * 9 == redactor.redact("sunflower", [asked])
    assert "sunflower" == redactor.redact("sunflower", [f"{asked}x"])


def test_a_private_key_is_masked_to_its_end() -> None:
    """All lines of it, header and all; the lines themselves stay lines."""
    redacted = SecretRedactor().redact(f"here\n{KEY_BLOCK}\nthanks")
    assert redacted.replace(MASK, "") == "here" + "\n" * 7 + "thanks"


@table("end", [60, 110, 150, len(KEY_BLOCK) - 1])
def test_a_private_key_that_was_cut_off_is_masked(end: int) -> None:
    """A key need not be whole to be secret."""
    redacted = SecretRedactor().redact(KEY_BLOCK[:end])
    assert redacted.replace(MASK, "").strip() == ""


def test_a_key_block_in_json_is_masked() -> None:
    """Line ends may be written as backslash and n."""
    escaped = KEY_BLOCK.replace("\n", "\\n")
    assert "FAKE" not in SecretRedactor().redact(f'{{"private_key": "{escaped}"}}')


@pytest.mark.soak
@pytest.mark.parametrize(
    "piece",
    [
        *("password ", 'password "', "https://a:", "aB3/", "x@", "key: ", "curl ", "1234 ", "pass-", "PL61 1090 "),
        *("-----BEGIN PRIVATE KEY-----\n", "a=b&token=c&", "seed phrase abandon ability ", "cookie: ", "pin to "),
        *(
            "ghp_",
            "eyJ",
            "eyJhbGci",
            "sk-ant-",
            "a_live_",
            "aB1-",
            "key_deadbeef",
            "PIN ",
            "the gate code is 1234, ",
            "one two ",
        ),
        *("kod do bramy 4471 ", "密码是我", "password capital ", "password\n", "password:\n", "root/a1 "),
        *("dbPassword = ", "DB_PASSWORD=", "?a=", "http://a/reset/", "Ａ！", "\u200ba", "pesel ", "1-2 ", "type 1234 "),
        *(
            "one two three ",
            "二三四五",
            "alarm ",
            "password is now always ",
        ),
        *("密码现在已经", "szyfr do ", "hasło naszego "),
        *at_length("密码 1234 ", "the safe takes 12-34 ", "password for my dad's ", "door 1234 opens "),
    ],
)
def test_long_lines_do_not_take_long(piece: str) -> None:
    """No text makes a pattern run away: a text takes as much time as it has characters."""
    redactor = SecretRedactor()
    redactor.redact("the first text loads the library: 0123456789abcdefghij")

    def read(text: str) -> None:
        assert len(text) == len(redactor.redact(text))

    assert is_linear(read, piece, 60_000)


def test_what_is_known_to_be_a_secret_is_masked_whatever_it_looks_like() -> None:
    """Everywhere, also where two of them overlap or one is part of another; the rest is looked at as ever."""
    redactor = SecretRedactor(["", "plain words", "plain words of a longer one", "abab"])
    text = "a plain words b plain words of a longer one c ababab d 'plain words'\n"
    masked = f"a {MASK * 11} b {MASK * 27} c {MASK * 6} d '{MASK * 11}'\n"
    assert masked == redactor.redact(text) == redactor.redact(masked)
    assert text == SecretRedactor().redact(text)
