"""Tokens of a fleet: each opens one workspace, or is the operator's, until it is revoked."""

from datetime import timedelta

import pytest

from pipeline.errors.fleet import UnknownFleetToken
from pipeline.errors.service import TokenNameTaken
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.tokens import NewToken, add_token, agents_with_tokens, find_caller, find_operator, revoke_token
from pipeline.fleet.workspaces import FleetWorkspace, remove_workspace
from schemas.caller import Caller, CallerKind
from tests.fleet.conftest import NOON, added


def test_a_token_opens_its_workspace_alone(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """No other one, and not the page of the operator; the operator's opens no workspace."""
    added(database, "ben")
    with database.transaction() as connection:
        person = add_token(connection, anna, NewToken("laptop"), NOON)
        agent = add_token(connection, anna, NewToken("bot", agent="main"), NOON)
        operator = add_token(connection, None, NewToken("laptop"), NOON)
        callers = [find_caller(connection, token, "anna", NOON) for token in (person, agent)]
        assert [
            Caller(kind=CallerKind.PERSON, name="laptop"),
            Caller(kind=CallerKind.AGENT, name="bot", agent="main"),
        ] == [one.caller for one in callers if one and one.workspace == anna]
        for token, name in [(person, "ben"), (operator, "anna"), (person, "nobody"), ("", "anna"), ("mem_x", "anna")]:
            assert find_caller(connection, token, name, NOON) is None
        assert ["", "", "laptop"] == [find_operator(connection, token, NOON) for token in (person, agent, operator)]
        assert ["main"] == agents_with_tokens(connection, anna)


def test_the_token_of_a_laptop(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """It is no person's, so a front lets it ship, and do nothing else."""
    with database.transaction() as connection:
        token = add_token(connection, anna, NewToken("laptop", laptop=True), NOON)
        known = find_caller(connection, token, "anna", NOON)
        assert [] == agents_with_tokens(connection, anna)
    assert known
    assert Caller(kind=CallerKind.LAPTOP, name="laptop") == known.caller


def test_the_database_has_no_token(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """Its hash alone."""
    with database.transaction() as connection:
        token = add_token(connection, anna, NewToken("laptop"), NOON)
        (row,) = connection.execute("SELECT * FROM token").fetchall()
    assert token not in str(row)
    assert token.removeprefix("mem_").encode() not in bytes(row[0])


def test_a_token_that_ends(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """Revoked, expired, or with its workspace: the name that is added again is another workspace."""
    with database.transaction() as connection:
        revoked, lasting = (add_token(connection, anna, NewToken(name), NOON) for name in ("one", "two"))
        short = add_token(connection, anna, NewToken("short", lasting=timedelta(days=1)), NOON)
        revoke_token(connection, anna, "one")
        assert find_caller(connection, revoked, "anna", NOON) is None
        assert find_caller(connection, short, "anna", NOON)
        assert find_caller(connection, short, "anna", NOON + timedelta(days=1)) is None
        assert find_caller(connection, lasting, "anna", NOON + timedelta(days=1))
        remove_workspace(connection, anna.id)
    added(database, "anna")
    with database.transaction() as connection:
        assert find_caller(connection, lasting, "anna", NOON) is None


def test_names_of_tokens(database: FleetDatabase, anna: FleetWorkspace) -> None:
    """Two of a workspace differ, and so do two of the operator; an expired one gives its name back."""
    ben = added(database, "ben")
    with database.transaction() as connection:
        for owner in (anna, ben, None):
            add_token(connection, owner, NewToken("laptop", lasting=timedelta(days=1)), NOON)
            with pytest.raises(TokenNameTaken):
                add_token(connection, owner, NewToken("laptop"), NOON)
            add_token(connection, owner, NewToken("laptop"), NOON + timedelta(days=2))
        revoke_token(connection, None, "laptop")
        with pytest.raises(UnknownFleetToken):
            revoke_token(connection, None, "laptop")
        revoke_token(connection, anna, "laptop")
        revoke_token(connection, ben, "laptop")
