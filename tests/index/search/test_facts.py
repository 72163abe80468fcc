"""Facts among the hits of a search."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.markdown.blocks import seal_item
from schemas.entry import Source
from schemas.fact import FactKind, FactWord
from schemas.hit import Hit, Reach
from schemas.requests import SearchRequest
from tests.support.builders.facts import stated
from tests.support.workspaces.indexed import Indexed, said

GDANSK = stated("Lives in Gdansk.", "Kuba", day=date(2026, 3, 1))
GDYNIA = stated("Lives in Gdynia.", "Kuba", day=date(2026, 3, 2), replaces=(GDANSK.id,))
SHORT = stated("Prefers short replies.", "Kuba", kind=FactKind.OPINION, session_id="s1", numbers=(1, 2))
SOURCE = Source(session_id="s1", session_path="openclaw:s1.jsonl", message_range=(1, 2), entry_ids=("m1",))


@pytest.fixture
def made(tmp_path: Path) -> Indexed:
    """An empty workspace."""
    return Indexed(tmp_path)


def hits(made: Indexed, question: str, **limits: object) -> list[Hit]:
    """The hits everywhere."""
    return list(made.ask(SearchRequest(query=question, tier=Reach.ALL, **limits)).hits)


def test_a_fact_is_a_hit_with_its_kind_and_its_word(made: Indexed) -> None:
    """With the lines of the file, the entities, and how sure it is."""
    made.retain(SHORT).index()
    (hit,) = hits(made, "short replies")
    assert ("opinion", SHORT.id, ("Kuba",)) == (hit.kind, hit.fact_id, hit.entities)
    assert ("owner", 0.7, "active", "") == (hit.trust, hit.confidence, hit.status, hit.uncertain)
    assert (2, 3) == (hit.start_line, hit.end_line)
    assert "Prefers short replies." == hit.snippet


@pytest.mark.parametrize(
    ("word", "trust", "doubt"),
    [
        (FactWord.ASKED, "owner", ""),
        (FactWord.ACCEPTED, "accepted", ""),
        (FactWord.AGENT, "agent", "only the agent says so, confidence 0.5"),
    ],
)
def test_whose_word_it_is(word: FactWord, trust: str, doubt: str, made: Indexed) -> None:
    """What the agent says of itself is doubtful."""
    made.retain(SHORT.model_copy(update={"word": word})).index()
    (hit,) = hits(made, "short replies")
    assert (trust, doubt) == (hit.trust, hit.uncertain)


def test_a_fact_that_the_ledger_does_not_know_is_unverified(made: Indexed) -> None:
    """It says what it says, and has no id."""
    made.doubted.add(SHORT.id)
    made.retain(SHORT).write("memory/2026-03-01.md", "## Retain\n- O @Kuba: Prefers very short replies.\n").index()
    assert [("unverified", "", 0.5)] * 2 == [(hit.trust, hit.fact_id, hit.confidence) for hit in hits(made, "replies")]


def test_a_fact_is_a_hit_of_its_own(made: Indexed) -> None:
    """Neighbours do not join: each has its own word."""
    made.retain(SHORT, stated("Prefers short mails.", "Kuba")).index()
    assert [2, 2] == [hit.end_line - hit.start_line + 1 for hit in hits(made, "prefers short")]


def test_what_was_said_once_is_one_hit(made: Indexed) -> None:
    """A decision, its fact, its line in a wrap-up and the one of MEMORY.md; the decision leads."""
    decision = said("DECISION-20260302-a", "2026-03-02", "Prefers short replies.", source=SOURCE)
    made.remember(decision).retain(SHORT)
    line = f"- Short replies [{decision.id}](../a.md)\n"
    made.write("second-brain/summaries/2026-03-02-wrapup.md", f"# 2026-03-02\n\n{line}")
    made.index()
    (hit,) = hits(made, "short replies")
    assert (decision.id, "") == (hit.entry_id, hit.fact_id)
    assert {"memory/2026-03-02.md", "memory/retain/2026-03-02.md", "second-brain/summaries/2026-03-02-wrapup.md"} == {
        place.path for place in hit.places
    }


def test_another_thing_of_the_same_message_is_another_hit(made: Indexed) -> None:
    """One message may say several."""
    other = stated("Has a sister in Sopot.", "Kuba", session_id="s1", numbers=(1, 2))
    made.remember(said("DECISION-20260302-a", "2026-03-02", "Prefers short replies.", source=SOURCE)).retain(other)
    made.index()
    assert 2 == len(hits(made, "Kuba prefers short replies, sister"))


def test_what_was_said_around_an_entry_is_a_hit_of_its_own(made: Indexed) -> None:
    """The entry only cites it, as what was said before."""
    around = said("DECISION-20260302-a", "2026-03-02", "Mails go out on Monday.", source=SOURCE, finding=SHORT.quote)
    made.remember(around).retain(SHORT).index()
    assert SHORT.id in [hit.fact_id for hit in hits(made, "short replies")]


def test_a_line_that_cites_the_message_of_a_fact_joins_it(made: Indexed) -> None:
    """Where it says the same; the fact leads."""
    line = "- Kuba prefers short replies to mails, session `s1`, messages 1-2 <!-- memory:point-a check:000000 -->\n"
    made.retain(SHORT).write("second-brain/summaries/2026-03-02-wrapup.md", f"# 2026-03-02\n\n{line}").index()
    (hit,) = hits(made, "short replies to mails")
    assert (SHORT.id, 2) == (hit.fact_id, len(hit.places))


def test_a_line_of_our_pages_with_the_name_of_a_fact_joins_it(made: Indexed) -> None:
    """Not so in a page that anybody may write."""
    line = seal_item(SHORT.id, "- Kuba likes his replies short.")
    made.retain(SHORT).write("second-brain/summaries/2026-03-02-wrapup.md", f"# 2026-03-02\n\n{line}").index()
    (hit,) = hits(made, "short replies")
    assert (SHORT.id, 2) == (hit.fact_id, len(hit.places))
    made.write("memory/2026-03-04.md", f"# 2026-03-04\n\n{line.replace('his', 'all')}").index()
    assert 2 == len(hits(made, "short replies"))


def test_a_line_of_the_bank_joins_the_fact_that_it_shows(made: Indexed) -> None:
    """By the id in its name and by the whole sentence: other hands may write such a name as well."""
    name, sentence = f"memory:{SHORT.id}-0123456789ab check:000000", f"{SHORT.text} (c 0.70, likely)"
    page = f"# Opinions\n\n- {sentence} <!-- {name} -->\n- Kuba hates short replies <!-- {name} -->\n"
    made.retain(SHORT).write("bank/opinions.md", page).index()
    assert {SHORT.id: 2, "": 1} == {hit.fact_id: len(hit.places) for hit in hits(made, "short replies")}


def test_the_surer_fact_comes_first(made: Indexed) -> None:
    """Of two that answer alike: what speaks for one, and against one, counts."""
    green, black = stated("Likes green tea.", "Kuba"), stated("Likes black tea.", "Kuba")
    before, after = date(2026, 3, 3), date(2026, 3, 4)
    for_black = stated("Black is best.", "Kuba", day=before, supports=(black.id,))
    for_green = stated("Green is best.", "Kuba", day=before, supports=(green.id,))
    made.retain(green, black, for_black).index()
    assert [black.id, green.id] == [hit.fact_id for hit in hits(made, "likes tea")][:2]
    against = stated("No black any more.", "Kuba", day=after, contradicts=(black.id,))
    made.retain(green, black, for_green, against).index()
    assert [green.id, black.id] == [hit.fact_id for hit in hits(made, "likes tea")][:2]


def test_a_fact_that_was_replaced_gives_way(made: Indexed) -> None:
    """To the one that took its place; alone it is marked, and as of an earlier day it holds."""
    made.retain(GDANSK, GDYNIA).index()
    assert [GDYNIA.id] == [hit.fact_id for hit in hits(made, "where does he live")]
    (old,) = hits(made, "where does he live", until=date(2026, 3, 1))
    assert ("superseded", (GDYNIA.id,), f"superseded by {GDYNIA.id}") == (old.status, old.superseded_by, old.uncertain)
    (then,) = hits(made, "where does he live", as_of=date(2026, 3, 1))
    assert (GDANSK.id, "active") == (then.fact_id, then.status)


def test_who_asks_what_was_before_gets_both(made: Indexed) -> None:
    """What held before comes after, and marked."""
    made.retain(GDANSK, GDYNIA).index()
    shown = [(hit.fact_id, hit.status) for hit in hits(made, "where did he live before, lives")]
    assert [(GDYNIA.id, "active"), (GDANSK.id, "superseded")] == shown


def test_a_fact_that_nobody_vouches_for_replaces_nothing(made: Indexed) -> None:
    """Whoever writes it as we do."""
    made.doubted.add(GDYNIA.id)
    made.retain(GDANSK, GDYNIA).index()
    assert {"active"} == {hit.status for hit in hits(made, "where does he live")}


def test_a_fact_is_as_sure_as_all_evidence_makes_it(made: Indexed) -> None:
    """Days that speak for it and against it count, as of the day that is asked about."""
    evidence = [
        stated(text, "Kuba", day=date(2026, 3, day), **{way: (SHORT.id,)})
        for text, day, way in [("Replies were fine.", 3, "supports"), ("Wants it longer.", 5, "contradicts")]
    ]
    made.retain(SHORT, *evidence).index()
    sure = [hits(made, "prefers short", as_of=date(2026, 3, day))[0].confidence for day in (2, 3, 5)]
    assert [0.7, 0.75, 0.65] == sure


def test_facts_are_searched_by_kind_and_by_entity(made: Indexed) -> None:
    """Also where the name stands in the names of the fact alone; both limits together too."""
    tea, sea = stated("Prefers tea.", "Anna", kind=FactKind.OPINION), stated("Prefers the sea.", "Anna")
    made.retain(SHORT, tea, sea).index()
    assert {"Prefers tea.", "Prefers the sea."} == {_text(hit) for hit in hits(made, "prefers", entity=("anna",))}
    assert 2 == len(hits(made, "prefers", kind=("opinion",)))
    assert [tea.id] == [hit.fact_id for hit in hits(made, "prefers", kind=("opinion",), entity=("Anna",))]


def _text(hit: Hit) -> str:
    return hit.text.partition(": ")[2].partition("\n")[0]
