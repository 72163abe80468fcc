"""The gate: for every level, speaker and operation exactly one decision, by a named rule."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipeline.agents.gate import Case, GateDecision, GateVerdict, decide
from schemas.agent_settings import AgentSettings
from schemas.memory_change import ChangeWord, MemoryChange, Operation
from tests.support.tables import table

AT = datetime(2026, 3, 4, 11, tzinfo=UTC)
CASES = st.builds(
    lambda operation, word, asked_by, over, level, may_write, by_person, unconfirmed: Case(
        MemoryChange(id="j-00000000", operation=operation, text="x", at=AT, word=word, asked_by=asked_by, over=over),
        "jaskier",
        AgentSettings(autonomy=level),
        AgentSettings(may_write=may_write) if asked_by == "dexter" else AgentSettings(),
        by_person=by_person,
        unconfirmed=unconfirmed,
    ),
    operation=st.sampled_from(Operation),
    word=st.sampled_from(ChangeWord),
    asked_by=st.sampled_from(["", "jaskier", "dexter"]),
    over=st.sampled_from(["mcp", "shell", "terminal"]),
    level=st.integers(0, 3),
    may_write=st.sampled_from([(), ("jaskier",), ("*",), ("zoe",)]),
    by_person=st.booleans(),
    unconfirmed=st.booleans(),
)


@given(CASES)
def test_only_a_person_passes_level_0(case: Case) -> None:
    """An agent that only reads changes by a person's decision alone."""
    if case.settings.autonomy == 0:
        passed = decide(case).verdict is GateVerdict.COMMIT
        assert passed == case.change.word.is_decision


@given(CASES)
def test_only_a_person_pins(case: Case) -> None:
    """At no level is a pin of another's written, nor does one wait."""
    if case.change.operation.pins and not case.change.word.is_decision:
        assert GateDecision(GateVerdict.REFUSE, "only_a_person") == decide(case)


@given(CASES)
def test_a_tool_replaces_nothing_below_level_3(case: Case) -> None:
    """A line goes only by a person, by the owner's words, or at the highest level."""
    change = case.change
    if change.operation.rewrites and change.word is ChangeWord.NOT_CONFIRMED and case.settings.autonomy < 3:
        assert decide(case).verdict is not GateVerdict.COMMIT


@given(CASES)
def test_what_a_person_wrote_is_safe_below_level_3(case: Case) -> None:
    """Only a person replaces or removes what a person wrote or accepted."""
    if case.by_person and case.change.operation.rewrites and case.settings.autonomy < 3:
        assert (decide(case).verdict is GateVerdict.COMMIT) == case.change.word.is_decision


@given(CASES)
def test_another_agent_needs_a_right(case: Case) -> None:
    """Without it nothing is even suggested."""
    change = case.change
    if change.word is ChangeWord.NOT_CONFIRMED and change.asked_by == "dexter":
        rights = case.rights or AgentSettings()
        if not rights.writes("jaskier"):
            assert decide(case).verdict is GateVerdict.REFUSE


@given(CASES)
def test_every_decision_names_its_rule(case: Case) -> None:
    """The same case has the same decision."""
    decision = decide(case)
    assert (decision, True) == (decide(case), bool(decision.rule))


@table(
    ("level", "word", "decision"),
    [
        (2, ChangeWord.NOT_CONFIRMED, GateDecision(GateVerdict.COMMIT, "level")),
        (2, ChangeWord.OWNER, GateDecision(GateVerdict.COMMIT, "level")),
        (1, ChangeWord.OWNER, GateDecision(GateVerdict.STAGE, "suggests_only")),
        (0, ChangeWord.OWNER, GateDecision(GateVerdict.REFUSE, "read_only")),
        (0, ChangeWord.PERSON, GateDecision(GateVerdict.COMMIT, "a_person")),
    ],
)
def test_an_addition(level: int, word: ChangeWord, decision: GateDecision) -> None:
    """What the agent asks to add to its own memory."""
    change = MemoryChange(
        id="j-00000000", operation=Operation.CORE, text="x", at=AT, word=word, asked_by="jaskier", over="mcp"
    )
    assert decision == decide(Case(change, "jaskier", AgentSettings(autonomy=level), AgentSettings()))
