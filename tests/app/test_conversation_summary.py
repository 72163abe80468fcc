"""The summaries of conversations: who writes them, what they cost, and that one is made at a time."""

from datetime import timedelta
from pathlib import Path

from pipeline.app.engine import open_engine
from schemas.conversation import NewConversation, SessionSettings
from schemas.prompt_context import ContextRequest
from schemas.store_settings import SummaryWay
from tests.support.servers.behaviours import Received, answering, failing
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table
from tests.support.workspaces.conversing import NOW, OWNER, SETTINGS, begun, opened, user

PROSE = "They talk about tea, and about nothing else."


def with_model(server: ScriptedServer, **limits: int) -> str:
    """Settings with a model, and its limits."""
    lines = [f'base_url = "{server.base_url}"', 'name = "large"', 'background = "small"', "attempts = 1"]
    return "\n".join([SETTINGS, "[model]", *lines, *(f"{name} = {value}" for name, value in limits.items()), ""])


def test_the_background_model_writes_the_summary(tmp_path: Path) -> None:
    """It is asked once and its cost is booked; the context takes the last finished summary."""
    with ScriptedServer(answering(lambda _: {"prose": PROSE})) as server, opened(tmp_path, with_model(server)) as talks:
        name = begun(talks)
        assert not talks.append(OWNER, name, user(*["let us talk about some tea"] * 19)).summary_due
        assert talks.append(OWNER, name, user("and more tea")).summary_due
        report = talks.summarize(name)
        assert report.summary is not None
        assert (True, PROSE, "small", 16) == (
            report.made,
            report.summary.prose,
            report.summary.made_by,
            report.summary.last_number,
        )
        assert not talks.summarize(name).made
        assert ["small"] == [request.body["model"] for request in server.requests]
        context = talks.context(OWNER, name, ContextRequest(question="?", history=4))
        assert PROSE in context.messages[0].content
        engine = open_engine(tmp_path, talks.process)
        [spent] = engine.ledger.spending.since(NOW - timedelta(days=1), NOW + timedelta(days=1))
        engine.ledger.store.close()
        assert ("conversation_summary", "small", 1) == (spent.job, spent.model, spent.usage.asked)
        assert 1 == talks.delete_session(OWNER, name).answers


def test_one_makes_the_summary_at_a_time(tmp_path: Path) -> None:
    """Who comes while it is made leaves, and the model is asked once; another conversation is not kept waiting."""
    reports = dict[str, bool]()

    def meanwhile(_request: Received) -> dict[str, str]:
        if not reports:
            reports["s-1"] = False
            reports.update({name: talks.summarize(name).made for name in ("s-1", "s-2")})
        return {"prose": PROSE}

    with ScriptedServer(answering(meanwhile)) as server, opened(tmp_path, with_model(server)) as talks:
        for name, way in {"s-1": SummaryWay.LLM_WITH_FALLBACK, "s-2": SummaryWay.HEURISTIC_ONLY}.items():
            talks.begin(OWNER, NewConversation(session_id=name, settings=SessionSettings(summary=way)))
            talks.append(OWNER, name, user(*["let us talk about some tea"] * 20))
        assert talks.summarize("s-1").made
        assert {"s-1": False, "s-2": True} == reports
        assert 1 == len(server.requests)
        assert [] == list((tmp_path / ".memory" / "summaries").iterdir())


@table("answer", ["", "To jest podsumowanie rozmowy o herbacie, której nie było."])
def test_a_refused_answer_changes_nothing(tmp_path: Path, answer: str) -> None:
    """The old summary stays; where there is none, code makes one."""
    replies = [answering(lambda _: {"prose": PROSE}), answering(lambda _: {"prose": answer})]
    with ScriptedServer(*replies) as server, opened(tmp_path, with_model(server)) as talks:
        name = begun(talks)
        talks.append(OWNER, name, user(*["let us talk about some tea"] * 20))
        old = talks.summarize(name).summary
        talks.append(OWNER, name, user(*["let us talk about some more tea"] * 20))
        report = talks.summarize(name)
        assert (False, old) == (report.made, report.summary)
        assert report.refused
        other = talks.begin(OWNER, NewConversation(session_id="s-2")).conversation.session_id
        talks.append(OWNER, other, user(*["let us talk about some tea"] * 21))
        first = talks.summarize(other)
        assert first.summary is not None
        assert (True, "heuristic") == (first.made, first.summary.made_by)


def test_the_limit_of_tokens_holds(tmp_path: Path) -> None:
    """Once it is spent no question is asked, and code writes the summary."""
    answer = answering(lambda _: {"prose": PROSE})
    with ScriptedServer(answer) as server, opened(tmp_path, with_model(server, tokens_in_total=100)) as talks:
        made = list[str]()
        for name in ("s-1", "s-2"):
            talks.begin(OWNER, NewConversation(session_id=name))
            talks.append(OWNER, name, user(*[f"let us talk about some tea in {name}"] * 20))
            summary = talks.summarize(name).summary
            made.append(summary.made_by if summary else "")
        assert ["small", "heuristic"] == made
        assert 1 == len(server.requests)


def test_without_an_answer_code_writes_the_summary(tmp_path: Path) -> None:
    """When the model fails, and when the session wants none; a session without summaries has none."""
    with ScriptedServer(failing()) as server, opened(tmp_path, with_model(server)) as talks:
        ways = {"s-1": SummaryWay.LLM_WITH_FALLBACK, "s-2": SummaryWay.HEURISTIC_ONLY, "s-3": SummaryWay.OFF}
        for name, way in ways.items():
            talks.begin(OWNER, NewConversation(session_id=name, settings=SessionSettings(summary=way)))
            talks.append(OWNER, name, user(*["let us talk about some tea"] * 20))
        reports = {name: talks.summarize(name) for name in ways}
        assert ["heuristic", "heuristic", None] == [
            report.summary.made_by if report.summary else None for report in reports.values()
        ]
        assert [True, False, False] == [bool(report.refused) for report in reports.values()]
        assert 2 == len(server.requests)  # with a schema, then without: some servers fail at schemas
