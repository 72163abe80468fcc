"""Questions by words alone, in English, Polish and Chinese, and by identifiers, paths and numbers."""

from pathlib import Path

import pytest

from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

LINES = {
    "costs": "Koszty remontu łódki wzrosły o dwa tysiące złotych.",
    "postgres": "Wybraliśmy Postgresa zamiast MySQL do rezerwacji.",
    "deposit": "The refundable deposits for cabins were raised in spring.",
    "ferry": "Running the ferries twice a day keeps the guests happy.",
    "key": "小屋的钥匙放在码头办公室。",
    "holiday": "旅客在節日期間需要預付訂金。",
    "valve": "The heating loop uses valve HRN-2231-B, see parse_settings in src/booking/heat_loop.py.",
    "camel": "The class BookingLedger calls getRefundRate before it posts.",
    "version": "We pinned qdrant-edge-py to 0.9.0 on 2026-03-05.",
    "price": "Faktura FV/2026/0317 opiewa na 1 234,50 zł.",
}
ASKED = [
    ("koszt łódki", "costs"),
    ("kosztów łódek", "costs"),
    ("KOSZTACH LODKI", "costs"),
    ("zloty tysiac", "costs"),
    ("Postgres rezerwacja", "postgres"),
    ("wybralismy baze postgresem", "postgres"),
    ("deposit for a cabin", "deposit"),
    ("raising refundable deposit", "deposit"),
    ("does the ferry run", "ferry"),
    ("钥匙", "key"),
    ("鑰匙", "key"),
    ("码头", "key"),
    ("钥匙在哪里", "key"),
    ("订金", "holiday"),
    ("訂金", "holiday"),
    ("节日", "holiday"),
    ("HRN-2231-B", "valve"),
    ("hrn-2231", "valve"),
    ("2231", "valve"),
    ("heat_loop.py", "valve"),
    ("src/booking/heat_loop.py", "valve"),
    ("parse settings", "valve"),
    ("booking ledger", "camel"),
    ("getRefundRate", "camel"),
    ("refund rate", "camel"),
    ("0.9.0", "version"),
    ("qdrant edge", "version"),
    ("5 March 2026", "version"),
    ("FV/2026/0317", "price"),
    ("1234,50 zł", "price"),
]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """A workspace that says each thing in a file of its own."""
    searched = new_searched(tmp_path_factory.mktemp("languages") / "w", **WORDS_ALONE)
    for name, line in LINES.items():
        searched.write(f"bank/{name}.md", f"{line}\n")
    searched.reindex()
    return searched


def test_what_is_asked_ranks_first(searched: Searched) -> None:
    """In other forms of the words, without diacritics, in the other script, in parts; and cited exactly."""
    answers = searched.ask_all([question for question, _ in ASKED])
    first = [(answer.query, Path(answer.hits[0].path).stem if answer.hits else "") for answer in answers]
    assert [] == [(asked, came) for asked, came in zip(ASKED, first, strict=True) if asked != came]
    assert all(searched.cites(hit) for answer in answers for hit in answer.hits)
