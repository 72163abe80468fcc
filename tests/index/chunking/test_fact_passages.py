"""Each fact of a file is a passage of its own."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.chunking.documents import read_document
from pipeline.index.document import Passage
from pipeline.markdown.encoding import NotText
from pipeline.markdown.entries import render_entry
from pipeline.workspace.layout import Layout
from pipeline.workspace.listing import Listed
from schemas.fact import FactKind, FactWord
from schemas.tier import Tier
from tests.support.builders.entries import noted
from tests.support.builders.facts import fact_item, stated

OURS = stated("Lives in Gdansk.", "Kuba", "The-Castle", quote="I moved to Gdansk")
PAGE = f"""# 2026-03-02

Some talk.

## Retain
{fact_item(OURS)}- O(c=0.9) @Peter: Prefers short replies.
  not in files
- B: I fixed the crash.
- a line that is no fact

## Later
- W @Peter: Not under the heading.
"""


def passages(text: str | bytes, path: str = "memory/2026-03-02.md") -> list[Passage]:
    """The passages of a page."""
    data = text.encode() if isinstance(text, str) else text
    return list(read_document(Listed(path, path, Tier.WARM, 0, 0, 0, 0), data, Layout().place(path)).passages)


def facts(text: str, path: str = "memory/2026-03-02.md") -> list[Passage]:
    """Those that are facts."""
    return [passage for passage in passages(text, path) if passage.fact]


def test_a_fact_is_a_passage_of_its_own() -> None:
    """With its lines, those of a person with what is indented under them; other lines are passages as ever."""
    assert [(6, 7), (8, 9), (10, 10)] == [(passage.start, passage.end) for passage in facts(PAGE)]
    assert [3, 11, 14] == [passage.start for passage in passages(PAGE) if not passage.fact]


def test_what_is_looked_through() -> None:
    """The names, the sentence and the quote, and not the session; the names are the label."""
    ours, other, nobody = facts(PAGE)
    assert "Kuba, The-Castle: Lives in Gdansk.\nI moved to Gdansk" == ours.words
    assert "Peter: Prefers short replies.\nnot in files" == other.words
    assert ("I fixed the crash.", "") == (nobody.words, nobody.label)
    assert ("Kuba, The-Castle", ("2026-03-02", "Retain")) == (ours.label, ours.headings)


def test_a_quote_that_says_the_same_is_not_said_twice() -> None:
    """The sentence stands for both."""
    (passage,) = facts(f"## Retain\n{fact_item(stated('Lives in Gdansk.', quote='lives in Gdansk'))}")
    assert "Lives in Gdansk." == passage.words


def test_what_is_read_of_a_fact() -> None:
    """All that an item of ours says; of other hands the first line alone."""
    ours, other, _ = (passage.fact for passage in facts(PAGE))
    assert ours
    assert other
    assert (OURS.id, FactWord.OWNER, "I moved to Gdansk") == (ours.id, ours.word, ours.quote)
    assert ("", FactKind.OPINION, 90) == (other.id, other.kind, other.stated)
    assert date(2026, 3, 2) == ours.day


def test_an_item_that_a_person_changed_is_a_fact_of_nobody() -> None:
    """Its lines stay together."""
    (passage,) = facts(f"## Retain\n{fact_item(OURS).replace('Gdansk.', 'Gdynia.')}")
    assert passage.fact
    assert ("", "Lives in Gdynia.", (2, 3)) == (passage.fact.id, passage.fact.text, (passage.start, passage.end))


def test_entries_and_facts_of_one_file() -> None:
    """Each in its place, whichever comes first."""
    entry = render_entry(noted("DECISION-a").entry)
    both = [passages(f"## Retain\n{fact_item(OURS)}\n{entry}"), passages(f"{entry}\n## Retain\n{fact_item(OURS)}")]
    assert [[False, True], [True, False]] == [[bool(one.entry) for one in page] for page in both]
    assert [[True, False], [False, True]] == [[bool(one.fact) for one in page] for page in both]


def test_files_without_facts() -> None:
    """Raw text has none, nor a folder of other notes."""
    assert [] == facts(PAGE, "memory/talk.txt") == facts(PAGE, "notes:2026-03-02.md")


PARTS = [*'-*@WBO:：()c=.,、 \n\t"\\#', "## Retain\n", "- W @a: b\n", "<!--f:31ab09cd 48060e-->"]  # noqa: RUF001 - full-width


@given(st.lists(st.sampled_from(PARTS)))
def test_any_text_is_read(parts: list[str]) -> None:
    """No line is in two passages, and none that says something is lost."""
    text = "## Retain\n" + "".join(parts)
    read = passages(text)
    covered = [line for passage in read for line in range(passage.start, passage.end + 1)]
    facts_of = [line for passage in read if passage.fact for line in range(passage.start, passage.end + 1)]
    assert len(facts_of) == len(set(facts_of))
    assert max(covered, default=0) <= text.count("\n") + 1


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    """Or they are no text."""
    try:
        passages(b"## Retain\n- W @a: b\n" + data)
    except NotText:
        return
