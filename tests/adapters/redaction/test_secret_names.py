"""What a name tells of its value, however its words are put together."""

from pipeline.adapters.redaction.naming import ValueKind, is_deliberate, kind_of
from tests.support.tables import table


@table(
    ("names", "kind"),
    [
        ("password dbPassword DB_PASSWORD db-password PGPASSWORD smtp_pass user_pw passwordNew2", ValueKind.PASSWORD),
        ("adminApiKey clientSecret userSecret API_KEY X-Api-Key MAILGUN_KEY private_key_id TOKEN_PROD", ValueKind.KEY),
        ("pin gatePin ALARM_PIN doorCode safe_code otp cvv", ValueKind.CODE),
    ],
)  # fmt: skip
def test_a_name_that_promises_a_secret(names: str, kind: ValueKind) -> None:
    """In camelCase, in capitals, with underscores or hyphens, and with words of its own around."""
    for name in names.split():
        assert (name, kind) == (name, kind_of(name))


@table(
    "names",
    [
        "passwordHash password_reset_url passwordField isPasswordValid forgotPassword PASSWORD_MIN_LENGTH",
        "maxTokens max_tokens tokenCount TOKEN_TTL nextPageToken tokenizer secretName secretary publicKey",
        "primaryKey sort_key keyCode monkey key statusCode exit_code errorCode code pinterest opinion passRate",
    ],
)
def test_a_name_that_promises_none(names: str) -> None:
    """What tells something about a secret, and words that merely hold such a word."""
    for name in names.split():
        assert (name, None) == (name, kind_of(name))


def test_a_name_in_code_is_distinguished_from_a_word() -> None:
    """By an underscore or a capital inside."""
    assert [True, True, False, False] == [*map(is_deliberate, ("DB_PASSWORD", "dbPassword", "password", "Password"))]
