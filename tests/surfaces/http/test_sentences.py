"""What a wrong request is told: a sentence that says how it is right, without the words of Python."""

from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace

MESSAGES = "sessions/s1/messages"


_DAY = "write a day such as 2026-02-20, or a period such as 2026-W10, 30d or last month"


@table(
    ("path", "method", "body", "sentence"),
    [
        (MESSAGES, "POST", [{"role": "system", "text": "x"}], "[0].role: write 'user', 'assistant' or 'tool'"),
        (MESSAGES, "POST", {"role": "user", "text": "x"}, "The body: write a list, as in [...]"),
        (MESSAGES, "POST", [], "The body: has at least 1 element(s)"),
        (MESSAGES, "POST", [{"role": "user", "text": 1}], "[0].text: write a text"),
        (
            "sessions",
            "POST",
            b"{",
            "The body is no JSON: Expecting property name enclosed in double quotes at character 1",
        ),
        ("sessions", "POST", [], "The body: write an object, as in {...}"),
        ("sessions", "POST", None, "The body: has to be given"),
        (
            "sessions",
            "POST",
            {"session_id": "a b"},
            "session_id: write letters, digits and . : @ + - _ alone, at most 200",
        ),
        ("sessions", "POST", {"mood": "x"}, "mood: is not known here; /docs lists what is"),
        ("forget", "POST", {"id": " "}, "id: may not be empty"),
        ("search", "GET", None, "query: has to be given"),
        ("search?query=a&k=0", "GET", None, "k: has to be 1 or more"),
        ("search?query=a&k=some", "GET", None, "k: write a whole number"),
        ("recall?since=soon", "GET", None, f"since: {_DAY}"),
        ("entries?since=0d", "GET", None, f"since: {_DAY}"),
        (
            "search?query=a&thread_id=t",
            "GET",
            None,
            "The request: thread_id (--thread) is for stored texts alone: say tier detail with it",
        ),
        ("sessions/s1/export?form=pdf", "GET", None, "form: write 'md' or 'jsonl'"),
    ],
)
def test_a_field_that_is_wrong(reading: ServedWorkspace, path: str, method: str, body: object, sentence: str) -> None:
    """By its name, and how it is written."""
    answer = reading.ask(f"/api/v1/{path}", method, body)
    assert (422, sentence) == (answer.status, answer.value["detail"])


@table(("method", "path", "status"), [("GET", "nothing", 404), ("PUT", "sessions", 405)])
def test_an_address_that_is_none(reading: ServedWorkspace, method: str, path: str, status: int) -> None:
    """It says where the right ones are."""
    answer = reading.ask(f"/api/v1/{path}", method)
    assert (status, True) == (answer.status, "/docs" in answer.value["detail"] or "`Allow`" in answer.value["detail"])
