"""Tokens: random words, of which a workspace keeps the hashes."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.errors import Held
from pipeline.errors.service import TokenNameTaken, TokensDamaged, UnknownToken
from pipeline.workspace.tokens import FILE, TokenFile
from schemas.caller import CallerKind

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_who_has_a_token(tmp_path: Path) -> None:
    """The file has no token, and is for its owner alone; a token that is revoked is nobody's."""
    tokens = TokenFile(tmp_path)
    person, agent = tokens.add("anna", CallerKind.PERSON, "", NOW), tokens.add("bot", CallerKind.AGENT, "main", NOW)
    known = tokens.caller(agent, NOW)
    assert known
    assert ("main", False) == (known.agent, known.is_person)
    assert person not in (tmp_path / FILE).read_text()
    assert 0o600 == stat.S_IMODE((tmp_path / FILE).stat().st_mode)
    with pytest.raises(TokenNameTaken):
        tokens.add("anna", CallerKind.AGENT, "x", NOW)
    tokens.revoke("anna", NOW)
    assert tokens.caller(person, NOW) is None
    with pytest.raises(UnknownToken):
        tokens.revoke("anna", NOW)


def test_a_token_that_ends(tmp_path: Path) -> None:
    """It opens nothing from its end on, its name is free then, and the next token takes it out of the file."""
    tokens, day = TokenFile(tmp_path), timedelta(days=1)
    short = tokens.add("page", CallerKind.PERSON, "", NOW, lasting=day)
    lasting = tokens.add("anna", CallerKind.PERSON, "", NOW)
    assert tokens.caller(short, NOW + day - timedelta(microseconds=1))
    assert tokens.caller(short, NOW + day) is None
    assert tokens.caller(lasting, NOW + day)
    again = tokens.add("page", CallerKind.PERSON, "", NOW + day, lasting=day)
    assert ["anna", "page"] == [token.name for token in tokens.read_tokens()]
    assert tokens.caller(again, NOW + day)
    assert tokens.caller(short, NOW + day) is None


def test_a_file_of_an_earlier_version(tmp_path: Path) -> None:
    """Its tokens have no end, and open what they opened."""
    tokens = TokenFile(tmp_path)
    token = tokens.add("anna", CallerKind.PERSON, "", NOW)
    kept = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps([{name: one[name] for name in one if name != "expires"} for one in kept]))
    assert [None] == [one.expires for one in tokens.read_tokens()]
    assert tokens.caller(token, NOW + timedelta(days=10_000))


def test_many_at_once(tmp_path: Path) -> None:
    """Every token that is shown works."""

    def add(number: int) -> str:
        try:
            return TokenFile(tmp_path).add(f"t{number}", CallerKind.PERSON, "", NOW)
        except Held:
            return ""

    with ThreadPoolExecutor(6) as pool:
        shown = [token for token in pool.map(add, range(6)) if token]
    assert shown
    assert all(TokenFile(tmp_path).caller(token, NOW) for token in shown)


def test_a_file_that_is_no_list(tmp_path: Path) -> None:
    """A sentence that names it."""
    TokenFile(tmp_path).add("anna", CallerKind.PERSON, "", NOW)
    (tmp_path / FILE).write_text("[1")
    with pytest.raises(TokensDamaged, match=r"tokens\.json"):
        TokenFile(tmp_path).read_tokens()
