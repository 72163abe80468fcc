"""An entry that an agent proposes is one only if the owner said it, and says no more than was said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from jobs.resolution.proposed import LONGEST_WAIT
from jobs.resolution.resolving import resolve
from pipeline.drafts import Draft, EntryDraft, JudgedProposal, Skip, SuggestionDraft
from pipeline.job import Inputs, Run, WaitingProposal, WrittenFiles
from schemas.entry import Entry, Kind, Trust
from schemas.extraction import Candidate
from schemas.memory_change import EntryProposal
from schemas.outcome import Rejection
from schemas.transcript import Session
from schemas.window import Window
from tests.support.builders.job_run import job_run, offline
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=3))
ASKED = START + timedelta(hours=1)
RULE = "From now on we deploy the invoice service only on Tuesdays."
SHORT = "Deploy the invoice service only on Tuesdays."
ENTRY, PERSON, REFUSED = "entry", "suggestion", "refused"


@dataclass(frozen=True)
class Case:
    """What an agent proposes about the last message of a talk, and what becomes of it with these words."""

    said: str
    quote: str
    text: str
    becomes: str
    why: str
    words: str = ""
    before: str = ""
    kind: Kind = Kind.DECISION


OWN_WORDS = [
    Case(RULE, RULE, SHORT, ENTRY, "owner", SHORT),
    Case(RULE, RULE, "The invoice service is deployed on Mondays.", ENTRY, "owner", RULE),
    Case(RULE, RULE, "We never deploy the invoice service on Tuesdays.", ENTRY, "owner", RULE),
    Case(RULE, RULE, "Every service gets a rota, a review and a rollback plan.", ENTRY, "owner", RULE),
    Case("Klient Foka bierze zawsze fakturę w PDF i w XML.", "Klient Foka bierze zawsze fakturę w PDF i w XML",
         "Foka bierze fakturę w PDF i XML.", ENTRY, "owner", "Foka bierze fakturę w PDF i XML."),
    Case("测试环境的数据库每周日凌晨清空,这个别改。", "测试环境的数据库每周日凌晨清空", "数据库每周日凌晨清空。",
         ENTRY, "owner", "数据库每周日凌晨清空。"),
    Case("I moved the laptop to Fedora 41 last night.", "I moved the laptop to Fedora 41", "The laptop has Fedora 41.",
         ENTRY, "owner", "The laptop has Fedora 41.", kind=Kind.REMEMBER),
    Case("Should the build move to Bazel next quarter?", "the build move to Bazel next quarter",
         "The build moves to Bazel next quarter.", PERSON, "below_the_line"),
    Case("A może przenieśmy repozytorium na GitLaba?", "przenieśmy repozytorium na GitLaba",
         "Repozytorium przenosimy na GitLaba.", PERSON, "below_the_line"),
    Case("如果预算够的话,我想把服务器换到法兰克福。", "把服务器换到法兰克福", "服务器换到法兰克福。",
         PERSON, "below_the_line"),
    Case("use pnpm", "use pnpm", "Use pnpm.", PERSON, "below_the_line"),
    Case("My boss wrote: 'everyone commits straight to main'. What now?", "everyone commits straight to main",
         "Everyone commits to main.", REFUSED, "foreign_text"),
    Case("I said nothing of the kind", RULE, SHORT, REFUSED, "quote_not_found"),
]  # fmt: skip
ANSWERS = [
    Case("Yes, let's go with that.", "Yes, let's go with that.", "The store is PostgreSQL 16.", ENTRY, "accepted",
         "The store is PostgreSQL 16.", "I propose PostgreSQL 16 for the store."),
    Case("zgoda", "zgoda", "Logi trzymamy przez 30 dni.", ENTRY, "accepted",
         "Logi trzymamy przez 30 dni.", "Proponuję trzymać logi przez 30 dni. Zgoda?"),
    Case("可以,就这么办", "可以,就这么办", "数据库改用 PostgreSQL 16。", ENTRY, "accepted",
         "数据库改用 PostgreSQL 16。", "建议数据库改用 PostgreSQL 16,你看可以吗?"),
    Case("b", "b", "The cache is PostgreSQL 16.", ENTRY, "accepted",
         "The cache is PostgreSQL 16.", "For the cache:\nA) SQLite\nB) PostgreSQL 16"),
    Case("b", "b", "The cache is SQLite.", PERSON, "not_understood",
         before="For the cache:\nA) SQLite\nB) PostgreSQL 16"),
    Case("zgoda", "zgoda", "Logi trzymamy przez 90 dni.", PERSON, "not_understood",
         before="Proponuję trzymać logi przez 30 dni. Zgoda?"),
    Case("no, keep it", "no, keep it", "We drop the Redis queue.", PERSON, "not_understood",
         before="I suggest we drop the Redis queue."),
    Case("再想想吧", "再想想吧", "日志保留九十天。", PERSON, "not_understood", before="我的方案是日志保留九十天。"),
    Case("great, thanks", "great, thanks", "Temp files are deleted.", PERSON, "not_understood",
         before="I deleted the temp files."),
    Case("yes", "yes", "Migrations run at once.", PERSON, "not_understood", before="Shall I run the migration now?"),
    Case("yes", "yes", "We ship on Fridays.", PERSON, "not_understood"),
]  # fmt: skip


def proposal(quote: str = RULE, text: str = SHORT, kind: Kind = Kind.RULE, waits: str = "") -> EntryProposal:
    """Made an hour into the window."""
    return EntryProposal(id="p", kind=kind, quote=quote, text=text, at=ASKED, asked_by="jaskier", waits=waits)


def run(*sessions: Session, made: EntryProposal, seen: Sequence[Session] | None = None, window: Window = WINDOW) -> Run:
    """A run in which these sessions went on when a proposal was `made`, and those that are `seen` are read."""
    read = tuple(sessions if seen is None else seen)
    return job_run(window, offline, inputs=Inputs(read, proposals=(WaitingProposal(made, sessions),)))


def talk(*said: tuple[str, str], name: str = "s") -> Session:
    """A session from the beginning of the window."""
    return conversation(name, START, list(said)).model_copy(update={"pieces": (WINDOW,)})


def entries(drafts: Sequence[Draft]) -> list[Entry]:
    """The new entries."""
    return [one.entry for one in drafts if isinstance(one, EntryDraft)]


def became(drafts: Sequence[Draft]) -> list[tuple[str, str, str]]:
    """What became of proposals: an entry with its trust and words, or the reason why not."""
    results = [(ENTRY, one.trust.value, one.conclusion) for one in entries(drafts)]
    results += [(PERSON, one.reason, "") for one in drafts if isinstance(one, SuggestionDraft)]
    return results + [(REFUSED, one.reason, "") for one in drafts if isinstance(one, Rejection)]


def is_judged(drafts: Sequence[Draft]) -> bool:
    """Whether it waits no longer."""
    return JudgedProposal("p") in drafts


@table("cases", [OWN_WORDS, ANSWERS])
def test_words_are_judged_by_what_was_said(cases: list[Case]) -> None:
    """The owner's words stand; what they come to is the agent's text only where all of it was said."""
    wrong = []
    for case in cases:
        before = [("assistant", case.before)] if case.before else []
        session = talk(*before, ("owner", case.said))
        drafts = resolve(run(session, made=proposal(case.quote, case.text, case.kind)), [])
        if became(drafts) != [(case.becomes, case.why, case.words)] or not is_judged(drafts):
            wrong.append((case.said, case.text, became(drafts)))
    assert [] == wrong


def test_the_quote_of_an_agent_may_have_other_white_space() -> None:
    """The entry has the owner's."""
    session = talk(("owner", "From now on we deploy\nthe invoice service  only on Tuesdays."))
    [entry] = entries(resolve(run(session, made=proposal()), []))
    assert "From now on we deploy\nthe invoice service  only on Tuesdays." == entry.quote


def test_what_the_owner_takes_back_later_waits_for_a_person() -> None:
    """Also where the agent never hears of it."""
    quote = "Generated files in this repo always use tabs for Go"
    session = talk(("owner", quote), ("assistant", "Done."), ("owner", "no, forget what I said about generated files"))
    drafts = resolve(run(session, made=proposal(quote, quote)), [])
    assert [(PERSON, "perhaps_taken_back", "")] == became(drafts)


def test_an_agent_that_only_suggests_writes_no_entry() -> None:
    """The rule of the gate is the reason."""
    drafts = resolve(run(talk(("owner", RULE)), made=proposal(waits="suggests_only")), [])
    assert [(PERSON, "suggests_only", "")] == became(drafts)


def test_what_a_reader_finds_too_is_one_entry() -> None:
    """In the reader's words, wherever its quote begins."""
    session = talk(("owner", RULE))
    read = Candidate(
        kind=Kind.RULE, title="Deploys", quote="deploy the invoice service only on Tuesdays", quote_number=1,
        conclusion="The invoice service is deployed on Tuesdays alone.", confidence=0.9,
    )  # fmt: skip
    drafts = resolve(run(session, made=proposal()), [(session, read)])
    assert [read.conclusion] == [entry.conclusion for entry in entries(drafts)]
    assert [Skip("near_duplicate")] == [one for one in drafts if isinstance(one, Skip)]
    assert is_judged(drafts)


def test_the_same_words_in_two_sessions_wait_for_a_person() -> None:
    """Nobody can tell which of them is meant; a copy of the same message is no second one."""
    two = talk(("owner", RULE)), talk(("owner", RULE), name="other")
    waits = resolve(run(*two, made=proposal()), [])
    assert [] == waits
    later = Window(start=WINDOW.end + LONGEST_WAIT, end=WINDOW.end + LONGEST_WAIT + timedelta(hours=3))
    drafts = resolve(run(*two, made=proposal(), seen=(), window=later), [])
    assert ([(PERSON, "in_several_sessions", "")], True) == (became(drafts), is_judged(drafts))

    copied = two[1].model_copy(update={"messages": two[0].messages})
    assert [ENTRY] == [what for what, _, _ in became(resolve(run(two[0], copied, made=proposal()), []))]


def test_it_waits_until_its_session_is_read() -> None:
    """A message that the run does not see yet, or of another window, is not written; in the end a person decides."""
    session = talk(("owner", RULE))
    begun = session.model_copy(update={"pieces": ()})
    assert [] == resolve(run(session, made=proposal(), seen=(begun,)), [])
    next_window = Window(start=WINDOW.end, end=WINDOW.end + timedelta(hours=3))
    assert [] == resolve(run(session, made=proposal(), window=next_window), [])
    last = Window(start=WINDOW.end + LONGEST_WAIT, end=WINDOW.end + LONGEST_WAIT + timedelta(hours=3))
    drafts = resolve(run(session, made=proposal(), seen=(), window=last), [])
    assert ([(PERSON, "proposed_late", "")], True) == (became(drafts), is_judged(drafts))


def test_of_a_session_that_nobody_reads_it_is_a_suggestion_after_a_day() -> None:
    """With the agent's words, and who asked."""
    assert [] == resolve(run(made=proposal()), [])
    last = Window(start=ASKED, end=ASKED + LONGEST_WAIT)
    drafts = resolve(run(made=proposal(), window=last), [])
    assert ([(PERSON, "session_not_read", "")], True) == (became(drafts), is_judged(drafts))
    [about] = [one.about for one in drafts if isinstance(one, SuggestionDraft)]
    assert isinstance(about, Entry)
    assert ("unknown, by jaskier over mcp", SHORT) == (about.source.session_id, about.conclusion)


def test_a_session_of_machines_has_no_words_of_the_owner() -> None:
    """Whatever stands in it."""
    session = talk(("owner", RULE)).model_copy(update={"machine": True})
    assert [(REFUSED, "quote_not_found", "")] == became(resolve(run(session, made=proposal()), []))


def test_what_is_to_be_kept_out_of_memory_is_not_proposed() -> None:
    """Neither an entry nor a suggestion, and the run does not show the words."""
    session = talk(("owner", RULE), ("assistant", "All right."), ("owner", "don't keep this"))
    drafts = resolve(run(session, made=proposal()), [])
    assert [Skip("off_record"), JudgedProposal("p")] == drafts


def test_the_last_message_with_the_words_is_the_one() -> None:
    """What was said twice was said, for this proposal, where it was said last."""
    session = talk(("owner", RULE), ("assistant", "All right."), ("owner", RULE))
    [entry] = entries(resolve(run(session, made=proposal()), []))
    assert (3, Trust.OWNER) == (entry.source.message_range[0], entry.trust)
    assert [] == entries(resolve(replace(run(session, made=proposal()), written=WrittenFiles((entry,))), []))
