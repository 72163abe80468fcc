"""What of a file goes into its points, and when a point is another one."""

from dataclasses import replace
from datetime import date, timedelta

from pipeline.facts.names import MentionFinder
from pipeline.index import schema as layout
from pipeline.index.document import IndexedFile, Passage
from pipeline.index.sync.points import STRETCH, Cut, DraftPoint, Evidence, cut_document, fact_of
from schemas.entry import Trust
from schemas.fact import Fact, FactWord
from schemas.tier import Tier
from tests.support.builders.entries import MORNING, noted
from tests.support.builders.facts import stated
from tests.support.tables import table

DAY = date(2026, 3, 2)
LONG = "a lamp beside the boat " * (STRETCH // 50)
"""Two of it fit into a stretch."""


def item(line: int, words: str, section: int = 0, headings: tuple[str, ...] = ("Heron",)) -> Passage:
    """A list item on one line."""
    return Passage(start=line, end=line, text=f"- {words}", words=words, headings=headings, section=section)


def document(*passages: Passage) -> IndexedFile:
    """A day's page."""
    return IndexedFile("memory/2026-03-02.md", Tier.WARM, "note", "person", DAY, passages=passages)


def made(*passages: Passage) -> Cut:
    """The page, cut; nobody's word is doubted."""
    return cut_document(document(*passages), Evidence(lambda _, entry: entry))


def ids(cut_file: Cut) -> dict[str, str]:
    """The ids of the passages by their words."""
    return {draft.passage.words: draft.id for draft in cut_file.drafts}


def only(cut_file: Cut) -> DraftPoint:
    """The one draft there is."""
    (draft,) = cut_file.drafts
    return draft


def test_a_passage_that_moves_keeps_its_id() -> None:
    """Lines, and how many sections stand above it, do not count."""
    before = ids(made(item(3, "lamp", 1), item(9, "boat", 2, ("Sea",))))
    moved = ids(made(item(1, "new", 0, ()), item(5, "lamp", 1), item(11, "boat", 2, ("Sea",))))
    shifted = ids(made(item(5, "lamp", 7), item(11, "boat", 9, ("Sea",))))
    assert before == shifted == {name: moved[name] for name in before}


def test_words_within_reach_are_part_of_a_passage() -> None:
    """The two before and after it in its section, and its stretch; one further away, or in another section, is not."""
    words = [f"{word} {LONG}" for word in ("one", "two", "three", "four", "five", "six")]
    before = ids(made(*(item(line, text) for line, text in enumerate(words, 1))))
    changed = ids(made(*(item(line, text) for line, text in enumerate([f"new {LONG}", *words[1:]], 1))))
    assert words[1:3] == [word for word in words[1:] if before[word] != changed[word]]
    apart = [item(1, "new", 0), *(item(line, text, 1, ("Sea",)) for line, text in enumerate(words[1:], 2))]
    alone = [item(line, text, 1, ("Sea",)) for line, text in enumerate(words[1:], 2)]
    assert ids(made(*alone)).items() <= ids(made(*apart)).items()


@table(
    "changed",
    [
        Passage(1, 1, "- lamp!", "lamp", ("Heron",)),
        Passage(1, 1, "- lamp", "lamps", ("Heron",)),
        Passage(1, 1, "- lamp", "lamp", ("Heron", "Costs")),
        Passage(1, 1, "- lamp", "lamp", ("Heron",), label="lamp"),
        Passage(1, 1, "- lamp", "lamp", ("Heron",), about=("DECISION-a",)),
        Passage(1, 1, "- lamp", "lamp", ("Heron",), entry=noted("DECISION-a").entry),
    ],
)
def test_whatever_is_noted_of_a_passage_is_part_of_its_id(changed: Passage) -> None:
    """Its text, its words, its headings, its label, its entry and what it is about."""
    assert only(made(item(1, "lamp"))).id != only(made(changed)).id


@table("field", ["path", "tier", "kind", "trust", "day", "agent"])
def test_whatever_is_noted_of_a_file_is_part_of_the_ids(field: str) -> None:
    """Its path, its tier and all the rest."""
    page = document(item(1, "lamp"))
    others = {"path": "a.md", "tier": Tier.COLD, "kind": "raw", "trust": "low", "day": None, "agent": "anna"}
    other = replace(page, **{field: others[field]})  # type: ignore[arg-type] # each has the type of its field
    assert only(made(item(1, "lamp"))).id != only(cut_document(other, Evidence(lambda _, entry: entry))).id


def test_the_same_line_twice_is_two_passages() -> None:
    """Told apart by their order."""
    cut_file = made(item(1, "lamp", 0), item(5, "boat", 1, ("Sea",)), item(9, "lamp", 2))
    assert 3 == len({draft.id for draft in cut_file.drafts})
    assert 3 == len({section.id for section in cut_file.sections})
    assert [0, 1, 2] == [draft.payload[layout.ORDINAL] for draft in cut_file.drafts]


def test_text_has_one_content_wherever_it_stands() -> None:
    """In another file, on another day and under another heading: the same vector will do."""
    there = IndexedFile("notes/b.md", Tier.RESEARCH, "note", "person", None, passages=[item(4, "lamp", 2, ("Sea",))])
    assert only(made(item(1, "lamp"))).content == only(cut_document(there, Evidence(lambda _, entry: entry))).content


def test_what_a_passage_is_searched_by() -> None:
    """Its own terms, those around it, those above it; and the pieces of the words of the section."""
    cut_file = made(item(1, "lamp", 0, ("Heron project",)), item(2, "boat", 0, ("Heron project",)))
    point = cut_file.point(cut_file.drafts[0])
    assert ("lamp", "lamp boat") == (point.terms[layout.WORDS], point.terms[layout.CONTEXT])
    assert {"heron", "project"} <= set(point.terms[layout.HEADING].split())
    assert "lamp\nboat" == cut_file.drafts[0].stretch
    (section,) = cut_file.sections
    grams = cut_file.section_point(section).terms[layout.SECTION_GRAMS].split()
    assert (section.id, 6) == (cut_file.drafts[0].payload[layout.SECTION], len(grams))


def test_an_entry_that_does_not_verify_is_marked() -> None:
    """Its own word of its trust does not count."""
    page = document(Passage(1, 9, "x", "x", entry=noted("DECISION-a").entry))
    cut_file = cut_document(page, Evidence(lambda _, entry: entry.as_unverified()))
    assert (True, "unverified") == (cut_file.doubted, only(cut_file).payload[layout.TRUST])
    assert not cut_document(page, Evidence(lambda _, entry: entry)).doubted


def test_an_entry_of_which_the_quote_is_known_is_marked() -> None:
    """Its day and its confidence are what is believed of it, and it is looked at again."""
    page = document(Passage(1, 9, "x", "x", entry=noted("DECISION-a").entry))
    sure = {"trust": Trust.QUOTED, "confidence": 0.5, "date": MORNING - timedelta(days=3)}
    cut_file = cut_document(page, Evidence(lambda _, entry: entry.model_copy(update=sure)))
    payload = only(cut_file).payload
    assert (True, "quoted", 0.5) == (cut_file.doubted, payload[layout.TRUST], payload[layout.CONFIDENCE])
    assert date(2026, 2, 27).toordinal() == payload[layout.DAY]


def test_passages_of_one_stretch_share_a_vector() -> None:
    """Those beside each other in a section, up to its size; the first of them stands for all."""
    passages = [item(line, f"{number} {LONG}") for line, number in enumerate("12345", 1)]
    drafts = made(*passages, item(9, "six", 1, ("Sea",))).drafts
    keys = [draft.content for draft in drafts]
    assert [keys[0]] * 2 + [keys[2]] * 2 == keys[:4]
    assert 4 == len(set(keys))
    begins = [layout.STRETCH in draft.payload[layout.SORT] for draft in drafts]
    assert [True, False, True, False, True, True] == begins
    assert drafts[0].stretch == drafts[1].stretch == f"{passages[0].words}\n{passages[1].words}"


def test_a_passage_longer_than_a_stretch_is_one() -> None:
    """It is not cut again; Chinese characters weigh two."""
    drafts = made(item(1, "a" * 2 * STRETCH), item(2, "short"), item(3, "\u706f" * (STRETCH // 2))).drafts
    assert 3 == len({draft.content for draft in drafts})


def test_a_word_changes_the_vector_of_its_stretch_alone() -> None:
    """And another heading none."""
    before = made(*(item(line, f"{number} {LONG}") for line, number in enumerate("1234", 1))).drafts
    words = ["1", "2", "3", "x"]
    after = made(*(item(line, f"{word} {LONG}", 0, ("Sea",)) for line, word in enumerate(words, 1))).drafts
    assert before[0].content == after[0].content
    assert before[2].content != after[2].content


OURS = stated("Lives in Gdansk.", "Kuba", replaces=("f-00000001",), session_id="s1", numbers=(3, 4))


def retained(fact: Fact) -> Passage:
    """The passage of a fact."""
    return Passage(3, 4, fact.text, fact.text, ("Retain",), fact=fact)


def fact_payload(fact: Fact, *, wrote: bool = True) -> dict[str, object]:
    """What the index keeps of a fact, that we wrote or not."""
    cut_file = cut_document(document(retained(fact)), Evidence(lambda _, entry: entry, lambda _, __: wrote))
    return only(cut_file).payload


def test_what_is_kept_of_a_fact_of_ours() -> None:
    """Its kind and trust, how sure it is by itself, its messages and what it refers to."""
    payload = fact_payload(OURS)
    assert ("world", "owner", 0.7) == (payload[layout.KIND], payload[layout.TRUST], payload[layout.CONFIDENCE])
    assert (["s1#3", "s1#4"], ["f-00000001"]) == (payload[layout.SAID], payload[layout.REFERS])
    assert (["kuba"], [OURS.id]) == (payload[layout.ENTITIES], payload[layout.ABOUT])
    assert OURS == fact_of({**payload, layout.PATH: "", layout.ORDINAL: 0})


def test_a_fact_that_the_ledger_does_not_know_is_nobodys() -> None:
    """Its second line says nothing, and it is looked at again; a person's line is not."""
    payload = fact_payload(OURS, wrote=False)
    assert ("unverified", 0.5, []) == (payload[layout.TRUST], payload[layout.CONFIDENCE], payload[layout.ABOUT])
    assert not {layout.SAID, layout.REFERS} & payload.keys()
    nobody = Evidence(lambda _, entry: entry)
    doubted = [cut_document(document(retained(fact)), nobody).doubted for fact in (OURS, OURS.as_unverified())]
    assert [True, False] == doubted


@table(("word", "trust"), [(FactWord.ASKED, "owner"), (FactWord.ACCEPTED, "accepted"), (FactWord.AGENT, "agent")])
def test_whose_word_a_fact_is(word: FactWord, trust: str) -> None:
    """Who asked to have it remembered is the owner."""
    assert trust == fact_payload(OURS.model_copy(update={"word": word}))[layout.TRUST]


def test_a_fact_stands_alone() -> None:
    """No words around it, and a vector of its own."""
    facts = [retained(stated(f"Lives in {place}.")) for place in ("Gdansk", "Gdynia")]
    drafts = made(*facts, item(9, "lamp"), item(10, "boat")).drafts
    assert [1, 1, 4, 3] == [len(draft.around) for draft in drafts]
    assert 3 == len({draft.content for draft in drafts})


def test_a_passage_knows_the_entities_that_it_names() -> None:
    """In its words and in its headings, by their known names."""
    evidence = Evidence(lambda _, entry: entry, mentions=MentionFinder(frozenset({"heron", "anna"})))
    page = document(item(1, "lamp"), item(2, "ANNA came"), item(3, "boat", 1, ("Sea",)))
    names = [draft.payload.get(layout.ENTITIES) for draft in cut_document(page, evidence).drafts]
    assert [["heron"], ["anna", "heron"], None] == names
