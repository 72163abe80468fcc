"""What a text is about: its names, its words, and whose item it is."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.mentions import EntryMatcher
from pipeline.entries.reference import MORE_DIGITS, item_name, wordless
from schemas.entry import Entry, Kind, Source
from tests.support.builders.entries import TWINS
from tests.support.tables import table

ID = "DECISION-20260302-one-queue"
OTHER = "RULE-20260304-no-deploys"
QUOTE = "we go with one queue for all the workers"


def entry(entry_id: str = ID, quote: str = QUOTE) -> Entry:
    """An entry of the session s1."""
    source = Source(session_id="s1", session_path="openclaw:s1.jsonl", message_range=(2, 3), entry_ids=("e2",))
    date = datetime(2026, 3, 2, 9, tzinfo=UTC)
    return Entry(
        id=entry_id,
        title=quote[:10],
        kind=Kind.DECISION,
        date=date,
        source=source,
        quote=quote,
        conclusion=quote,
        confidence=0.8,
    )


SUBJECT = EntryMatcher(ID, (entry(),), {OTHER: entry(OTHER, "no deploys on a Friday afternoon")})


@table(
    ("text", "named"),
    [
        (f"see [{ID}](../2026-03-02.md)", True),
        (f"{ID}, {OTHER}", True),
        (f"{ID}.", True),
        (f"{ID}-2", False),
        (f"{ID}s", False),
        (f"X-{ID}", False),
        (ID[:-1], False),
    ],
)
def test_an_id_is_a_whole_word(text: str, named: bool) -> None:  # noqa: FBT001 - what is expected
    """One id may be the beginning of another."""
    assert named is SUBJECT.named_in(text)


@table(
    ("text", "of"),
    [
        (f"- We go. [{ID}](memory/2026-03-02.md), 2026-03-02", True),
        (f"- **promoted** [{ID}](../2026-03-02.md): title\n  into [{OTHER}], because", True),
        (f"- **merged** [{OTHER}](../2026-03-04.md): title\n  into [{ID}], because", False),
        (f"- {OTHER} came before {ID}", False),
        (f"- {ID} came before {OTHER}", True),
        ("- We go with **one queue** for all the workers! ([s1](openclaw:s1.jsonl) 2)", True),
        ("- we go on with it ([s1](openclaw:s1.jsonl) 2)", False),
        ('- "We go with one queue for all the workers" [DECISION-20260302](memory/2026-03-02.md)', True),
        (f"- [{OTHER}](../2026-03-04.md): {QUOTE}", False),
        ("- [s1](openclaw:s1.jsonl) 2: something else", False),
        ("- there, one queue for all the workers ([s1](openclaw:s1.jsonl) 2)", True),
        ("- there, one queue for all the workers ([s9](openclaw:s9.jsonl) 2)", False),
    ],
)
def test_an_item_is_of_the_first_id_in_it_else_of_its_words(text: str, of: bool) -> None:  # noqa: FBT001 - what is expected
    """A part of the words is enough beside a link to the same session."""
    assert of is SUBJECT.is_of(text)


@table(
    "quote",
    ["花园的钥匙挂在红门后面", "zażółć gęślą jaźń w całym ogrodzie", 'he said "<b>no</b>" & left the whole thing'],
)
def test_words_are_known_whatever_marks_stand_around_them(quote: str) -> None:
    """In any script; escaped as HTML or JSON, with other case and spacing."""
    subject = EntryMatcher("REMEMBER-20260302-x", (entry("REMEMBER-20260302-x", quote),))
    for written in (quote.upper(), quote.replace("<", "&lt;"), quote.replace('"', '\\"'), quote.replace(" ", "  ")):
        assert subject.said_in(f"- … {written} …")


def test_few_words_are_no_proof() -> None:
    """A short quote says nothing of whose item it is, unless the item cites the session."""
    subject = EntryMatcher(ID, (entry(quote="ok, do it then"),))
    assert (False, True) == (subject.is_of("- ok, do it then"), subject.is_of("- ok, do it then (openclaw:s1.jsonl)"))


@table(
    ("text", "of"),
    [
        ("- the stand. → so: we share, fifty fifty (session s1, messages 36, 38)", True),
        ("- the stand. → So we share fifty-fifty! (session `s1`, message 38)", True),
        ("- the stand. → so: we share, fifty fifty (session s12, messages 36, 38)", False),
        ("- the stand. → so: we share, fifty fifty", False),
        ("- the stand. → half and half (session s1, messages 36, 38)", False),
        (f"- the stand. → so: we share, fifty fifty ([{OTHER}](../2026-03-04.md); session s1, message 38)", False),
    ],
)
def test_a_line_that_cites_the_session_and_has_the_quote_is_of_it(text: str, of: bool) -> None:  # noqa: FBT001 - what is expected
    """However short the quote: so a wrap-up tells of a conversation, without any id."""
    assert of is EntryMatcher(ID, (entry(quote="so: we share, fifty fifty"),), {OTHER: entry(OTHER)}).is_of(text)


@table(
    ("quote", "text", "of"),
    [
        (f"fine then, {QUOTE}", f"- one queue or two? → {QUOTE} (session s1, messages 36, 38)", True),
        ("好 統一叫湖畔木屋後面加編號", "- 名字 → 統一叫湖畔木屋後面加編號 (session s1, message 38)", True),
        (f"fine then, {QUOTE}", f"- one queue or two? → {QUOTE} (session s2, message 38)", False),
        (f"fine then, {QUOTE}", "- one queue or two? → with one queue (session s1, message 38)", False),
    ],
)
def test_a_line_with_a_long_part_of_the_quote_is_of_it(quote: str, text: str, of: bool) -> None:  # noqa: FBT001 - what is expected
    """A wrap-up leaves out how the owner began: in a line of the same session, a long part of the quote is enough."""
    subject = EntryMatcher(ID, (entry(quote=quote),))
    assert (of, True) == (subject.is_of(text), subject.may_stand_in(text) or not of)


def test_an_entry_that_cannot_be_read_has_no_session() -> None:
    """Nothing is known of it but its id."""
    assert not EntryMatcher(ID).is_of("- something (session , message 1)")


def test_an_entry_is_named_by_its_name_without_words_too() -> None:
    """Pages have that one where nobody vouches for the words; also when the entry can no longer be read."""
    mine, other = wordless(ID), wordless(OTHER)
    for subject in (SUBJECT, EntryMatcher(ID)):
        assert (True, ID) == (subject.named_in(f"into [{mine}], because"), subject.first_id(f"- {mine}: x"))
        assert subject.is_of(f"- **kept** [{mine}](../2026-03-02.md): x\n  into [{OTHER}], because")
        assert f"into [X], {mine}0" == subject.without(f"into [{mine}], {mine}0", "X")
        assert subject.answered_in(json.dumps({"id": mine}))
    assert (OTHER, False) == (SUBJECT.first_id(f"[{other}] {ID}"), SUBJECT.is_of(f"- [{other}] before [{ID}]: {QUOTE}"))


@table("mark", ["<!--m:{} 5d1f0a-->", "<!-- memory:m-{} check:5d1f0a -->"])
def test_an_item_is_of_the_entry_with_its_hash(mark: str) -> None:
    """However short its words: neither they nor an id have to stand in it."""
    name, others = item_name(ID), item_name(OTHER)
    line = f"- go ([2026-03-02](memory/2026-03-02.md)) {mark.format(name.removeprefix('m-'))}"
    assert (True, True, False) == (SUBJECT.may_stand_in(line), SUBJECT.is_of("- go", name), SUBJECT.is_of("- go"))
    assert (True, False) == (SUBJECT.is_named_by("- go", name), SUBJECT.is_named_by("- go", others))
    assert not SUBJECT.is_of(f"- {QUOTE}", others)
    assert f"- {QUOTE}" == EntryMatcher(ID, (entry(),), {OTHER: entry(OTHER)}).without(f"- {QUOTE}", "X", item=others)


def test_of_items_with_the_same_hash_the_words_decide() -> None:
    """One is not taken for the other."""
    one, other = (entry(twin, quote) for twin, quote in zip(TWINS, (QUOTE, "the boat is blue"), strict=True))
    subject, name = EntryMatcher(one.id, (one,), {other.id: other}), item_name(one.id)
    assert (True, False) == (subject.is_of(f"- {QUOTE}", name), subject.is_of("- the boat is blue", name))
    assert (False, True) == (subject.is_named_by("- x", name), subject.is_of("- x", item_name(one.id, MORE_DIGITS)))


def test_what_takes_the_name_of_another_as_its_id_is_not_the_other() -> None:
    """To forget it leaves the lines of the other alone."""
    thief = EntryMatcher(wordless(ID), (entry(wordless(ID), "true words that are somebody else's"),), {ID: entry()})
    line = f"- **kept** [{wordless(ID)}](../2026-03-02.md): x"
    assert (False, False, line) == (thief.named_in(line), thief.is_of(line), thief.without(line, "X"))


def test_long_words_are_known_by_their_beginning() -> None:
    """Pages cut what is long."""
    quote = "the boiler is drained every autumn before the first frost, and filled again when the last guests have gone"
    subject = EntryMatcher(ID, (entry(quote=quote),))
    assert (True, False) == (subject.said_in(f"- {quote[:90]}…"), subject.said_in(f"- {quote[:40]}…"))


def test_a_stand_in_is_put_for_the_id_and_the_words() -> None:
    """Not for those of another entry that says them too, and not inside a longer id."""
    assert f"X, {ID}-2 and X" == SUBJECT.without(f"{ID}, {ID}-2 and {QUOTE}", "X")
    same = EntryMatcher(ID, (entry(),), {OTHER: entry(OTHER)})
    assert f"[{OTHER}] {QUOTE}, X" == same.without(f"[{OTHER}] {QUOTE}, {ID}", "X")


@given(st.text(), st.text())
def test_any_text_can_be_asked(quote: str, text: str) -> None:
    """Nothing raises, and what is put in order has no id left."""
    subject = EntryMatcher(ID, (entry(quote=quote),))
    subject.is_of(text)
    subject.may_stand_in(text)
    assert not subject.named_in(subject.without(f"{text} {ID} {text}", "X"))


@table(
    ("quote", "telling"),
    [
        ("yes", False),
        ("agreed", False),
        ("tak, zgoda", False),
        ("好的", False),
        ("interrupted", False),
        ("2026-03-02T09:00:00", False),
        ("use falcon now", True),
        ("sokół stoi tu", True),
        ("用猎鹰吧", True),
        ("Konstantynopolitańczykowianeczka", True),
    ],
)
def test_a_short_quote_is_looked_for_nowhere(quote: str, telling: bool) -> None:  # noqa: FBT001 - what is expected
    """Files of ours and answers about other things have such words too; the id is always looked for."""
    subject = EntryMatcher(ID, (entry(quote=quote),))
    assert (ID, telling) == (subject.forms[0], quote in subject.forms)
    assert telling is subject.answered_in(json.dumps({"name": f"{quote}!"}, ensure_ascii=False))
