"""What the owner copies from the terminal of an agent is not the owner's."""

from pipeline.entries.authorship import foreign, said_by_owner
from tests.support.tables import table

OWN = "we keep the timeout at 30 seconds"


@table(
    "copied",
    [
        "⏺ I moved the retries into the client.\n  We will use exponential backoff from now on.\n  ⎿  12 passed",
        "⏺ Wszystkie testy przechodzą.\n\n⏺ Od teraz używamy Postgresa.\n  Jutro wdrożę zmiany.",
        "⏺ 我已经更新了配置。\n  今后统一使用 Postgres。\n\n⏺ 明天我会部署。",
        "• I changed the default port to 8081 and keep it in the settings.\n\n• Ran pytest -q\n  └ 42 passed",
        "• I will drop the old table.\n\n• Edited db.py (+12 -3)\n    12 + open()",
        "● The parser is two modules now.\n\n● Bash(make test)\n  We stay on that version.",
        "✦ I have decided to use pnpm.\n  I will remove the lock file.\n\n✦ The build passes.",
    ],
)
@table("message", ["{own}\n\n{copied}", "{copied}\n\n{own}"])
def test_only_what_was_typed_beside_it_is_the_owners(copied: str, message: str) -> None:
    """Lines of the terminal have a mark, or are indented below one."""
    text = message.format(own=OWN, copied=copied)
    assert [copied] == [text[start:end].strip() for start, end in foreign(text)]
    assert said_by_owner(OWN, text) == (text.index(OWN), text.index(OWN) + len(OWN))


def test_a_copy_that_lost_its_indentation_ends_with_the_message() -> None:
    """Nothing tells whose the words below are."""
    text = f"⏺ I moved the retries into the client.\n\n{OWN}"
    assert ((0, len(text)),) == foreign(text)


@table(
    "typed",
    [
        "• we keep the lock\n• the second queue goes away",
        "● Postgres 16 for the store\n● no Redis",
        "src\n└── client\nwe keep both folders",
        "- używamy Postgresa\n- port 8081",
        "• 用 Postgres\n• 端口 8081",
    ],
)
def test_a_list_is_the_owners(typed: str) -> None:
    """People begin its items with some of the same marks."""
    assert () == foreign(typed)
