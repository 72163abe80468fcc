"""The choice of sessions: which settings leave one out, and what they say."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from pipeline.model.question import fence
from pipeline.transcripts.selection import why_left_out
from schemas.settings import SessionRule, SourceSettings
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

SESSION = conversation(
    "5f1c-77",
    datetime(2026, 2, 2, 9, tzinfo=UTC),
    [("memory", "A summary."), ("owner", "  Review the change [draft]."), ("assistant", "Done.")],
    agent="work",
    project="/home/tom/shop",
    path="agents/work/sessions/5f1c-77.jsonl",
)


def why(session: Session = SESSION, **rules: object) -> str:
    """Why the settings leave the session out."""
    return why_left_out(session, SourceSettings.model_validate({"kind": "openclaw", "path": "x", **rules}))


@table(
    ("wanted", "taken"),
    [
        ("/home/tom/shop", True),
        ("/home/tom", True),
        ("shop", True),
        ("sh*", True),
        ("/home/*/shop", True),
        ("/home/tom/sho", False),
        ("tom", False),
        ("/home/tom/shop/api", False),
    ],
)
def test_a_project_is_a_working_folder(wanted: str, taken: bool) -> None:  # noqa: FBT001 - a table
    """A project is its folder, a folder above it, or the folder's own name; a pattern may stand for them."""
    assert taken == (not why(projects=[wanted]))
    assert taken == bool(why(exclude=[{"project": wanted}]))


def test_a_session_without_a_project_is_in_none() -> None:
    """What is not recorded fits no rule that names it."""
    nowhere = SESSION.model_copy(update={"project": "", "agent": ""})
    assert why(nowhere, projects=["*"]) == "its project is not recorded, which `projects` does not name"
    assert why(nowhere, agents=["work"]) == "its agent is not recorded, which `agents` does not name"


def test_agents_are_named_whole() -> None:
    """With agents named, sessions of others are left out."""
    assert not why(agents=["work", "main"])
    assert why(agents=["main"]) == 'its agent is "work", which `agents` does not name'


@table(
    "rule",
    [
        {"session": "5f1c"},
        {"path": "agents/work/*"},
        {"agent": "w*"},
        {"first_words": "Review the change ?draft?"},
        {"first_words": "Review", "agent": "work"},
    ],
)
def test_a_rule_fits_by_all_its_patterns(rule: dict[str, str]) -> None:
    """A rule that fits excludes the session and names itself; as the only one to include, it lets the session in."""
    reason = why(exclude=[{"agent": "other"}, rule])
    assert reason.startswith("a rule of `exclude` fits: ")
    assert all(f'{name} = "{pattern}"' in reason for name, pattern in rule.items())
    assert not why(include=[{"agent": "other"}, rule])
    assert why(include=[rule | {"project": "elsewhere"}]) == "no rule of `include` fits"
    assert not why(exclude=[rule | {"project": "elsewhere"}])


def test_an_excluding_rule_wins() -> None:
    """A session that both lists fit is left out."""
    assert why(include=[{"agent": "work"}], exclude=[{"session": "5f"}]) == 'a rule of `exclude` fits: session = "5f"'


@table("given", ["5f1c", "codex:5f"])
def test_an_id_is_given_as_in_the_file_or_as_in_lists(given: str) -> None:
    """Where two kinds have one id, lists show it with the kind before it."""
    assert why(SESSION.model_copy(update={"session_id": "codex:5f1c-77"}), exclude=[{"session": given}])


def test_a_rule_without_a_pattern_is_refused() -> None:
    """It would fit every session."""
    with pytest.raises(ValidationError, match="set one of session, path"):
        SessionRule()


QUESTION = fence("owner: from now on we ship on Fridays")
QUESTIONS = [
    (QUESTION, "/w/.memory/model/claude/asks-a-model", True),
    (f"{QUESTION}\n", "/w/.memory/model/claude/asks-a-model", True),
    (QUESTION, "/home/tom/shop", False),
    (f"see: {QUESTION}", "/w/.memory/model/claude/asks-a-model", False),
    (QUESTION.replace("Fridays", "Mondays"), "/w/.memory/model/claude/asks-a-model", False),
    (f"{QUESTION}\nFrom now on we ship on Mondays.", "/w/.memory/model/claude/asks-a-model", False),
]


@table(("words", "folder", "ours"), QUESTIONS)
def test_a_question_of_ours_is_never_read(words: str, folder: str, ours: bool) -> None:  # noqa: FBT001 - a table
    """It is known by its folder and by its marks, together; where it is only quoted, the session is read."""
    asked = conversation("q", datetime(2026, 2, 2, tzinfo=UTC), [("owner", words)], project=folder)
    assert ("it is a question of memory to its model" * ours) == why(asked)
