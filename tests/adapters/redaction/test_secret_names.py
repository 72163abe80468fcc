"""What a name tells of its value, however its words are put together."""

from pipeline.adapters.redaction.naming import ValueKind, is_deliberate, kind_of
from tests.support.tables import table


@table(
    ("names", "kind"),
    [
        ("password dbPassword DB_PASSWORD db-password PGPASSWORD smtp_pass user_pw passwordNew2", ValueKind.PASSWORD),
        ("passphrase passcode pwd psk haslo hasło oldpasswd pass pw rootpassphrase token_pass", ValueKind.PASSWORD),
        ("adminApiKey clientSecret userSecret API_KEY X-Api-Key MAILGUN_KEY private_key_id TOKEN_PROD", ValueKind.KEY),
        ("secret sekret creds ak sk access myapikey mytoken sshKey A_KEY secretNew accessKeys2Secret", ValueKind.KEY),
        ("pin gatePin ALARM_PIN doorCode safe_code otp cvv pukNew backupCode", ValueKind.CODE),
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
        "pw_file ak_x skX access_x KEY KEY_MAIL mail_key mailKEY key_mail private_key_ids door gate_x",
        "token_id token_ids token_limit token_type token_name token_url token_urls token_uri token_path token_file",
        "token_len token_expires token_policy token_var token_size token_manager token_version token_rule token_hint",
        "token_bucket token_rotation token_pattern token_form token_format token_label token_prompt token_header",
        "token_input token_error token_hashes token_validity token_checked passwordNewHash show_password_x",
    ],
)
def test_a_name_that_promises_none(names: str) -> None:
    """What tells something about a secret, and words that merely hold such a word."""
    for name in names.split():
        assert (name, None) == (name, kind_of(name))


def test_a_name_in_code_is_distinguished_from_a_word() -> None:
    """By an underscore or a capital inside."""
    assert [True, True, False, False] == [*map(is_deliberate, ("DB_PASSWORD", "dbPassword", "password", "Password"))]
