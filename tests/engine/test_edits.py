"""A change of an entry in its file: the owner's holds, what an agent may have changed is a suggestion."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs import micro_sync, weekly_compound, weekly_plan
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.decide import accept, decline
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.edits import edits
from pipeline.engine.retention import prune
from pipeline.engine.suggestions import waiting
from pipeline.engine.verification import believed_entry, written_blocks
from pipeline.markdown.entries import parse_entries
from pipeline.reports.entries import list_entries
from schemas.entry import QUOTED_CONFIDENCE, Entry, Status, Trust
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import conversation
from tests.support.tables import table
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
SAID = "New rule: the shop deposit is always 30 percent of the order."
OLD, NEW = "the shop deposit is always 30 percent of the order.", "the shop deposit is 35 percent of every order"
DAY = "memory/2026-03-02.md"
JOBS = (micro_sync.JOB, weekly_plan.JOB, weekly_compound.JOB)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """An entry on MEMORY.md, and the files were looked at since it was written; to be copied."""
    clock = FixedClock(datetime(2026, 3, 4, 11, tzinfo=UTC))
    settings = Settings(timezone="Europe/Warsaw", start=datetime(2026, 3, 1, 23, tzinfo=UTC))
    made = Workbench(tmp_path_factory.mktemp("written"), JOBS, clock, settings)
    made.say(conversation("s1", MORNING, [("owner", SAID)]))
    made.clock.move(timedelta(days=9))
    made.run_due()
    made.clock.move(timedelta(hours=1))
    made.run_due()
    made.clock.move(timedelta(hours=1))
    return made


@pytest.fixture
def bench(written: Workbench, new_bench: NewBench, tmp_path: Path) -> Workbench:
    """A copy of it, for one test."""
    return new_bench(**written.copied(tmp_path))


def change(bench: Workbench, old: str = f"conclusion: {OLD}", new: str = f"conclusion: {NEW}") -> None:
    """Change a text of the daily file."""
    text = (bench.root / DAY).read_text()
    assert old in text
    (bench.root / DAY).write_text(text.replace(old, new))


def holding(bench: Workbench) -> Entry:
    """The entry in force."""
    [entry] = [one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE]
    return entry


def page(bench: Workbench) -> str:
    """MEMORY.md as it stands."""
    return (bench.root / "MEMORY.md").read_text()


def test_the_owners_change_holds_everywhere(bench: Workbench) -> None:
    """From the next run on, which says so; title and impact do not stand beside it. An undo ends it for good."""
    first = holding(bench).id
    change(bench)
    assert [first] == [edit.entry.id for edit in edits(bench.engine)]
    assert OLD == holding(bench).conclusion
    bench.run_due()
    assert [] == edits(bench.engine)
    entry = holding(bench)
    assert (NEW, Trust.EDITED, first) == (entry.conclusion, entry.trust, entry.corrects)
    assert ("not stated", True) == (entry.impact, "35 percent" in entry.title)
    assert (True, False) == (NEW in page(bench), "30 percent" in page(bench))
    run = next(
        run for run in bench.engine.ledger.runs.latest(limit=9) if run.outcome and entry.id in run.outcome.written
    )
    undo(bench.engine, run.run_id)
    bench.run_due()
    assert (OLD, True) == (holding(bench).conclusion, OLD in page(bench))


def test_the_owner_changes_it_once_more(bench: Workbench) -> None:
    """In the same place: the last words hold. What is no word, or was said before, changes nothing."""
    change(bench)
    bench.run_due()
    first = (bench.root / DAY).read_text()
    (bench.root / DAY).write_text(first.replace("35 percent", "40 percent", 1))
    bench.run_due()
    assert ("40 percent" in holding(bench).conclusion, Trust.EDITED) == (True, holding(bench).trust)
    correct(bench.engine, correction(bench.engine, holding(bench).id, "the shop deposit is 45 percent"))
    for old, new in (("- impact", "\n- impact"), ("40 percent", "35 percent")):
        (bench.root / DAY).write_text((bench.root / DAY).read_text().replace(old, new, 1))
        bench.run_due()
        assert ("the shop deposit is 45 percent", []) == (holding(bench).conclusion, waiting(bench.engine))


CHANGES = {
    "title": (f"Rule: {OLD[:1].upper()}{OLD[1:-1]}", f"Rule: {NEW}"),
    "conclusion": (f"conclusion: {OLD}", f"conclusion: {NEW}"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_any_words_of_it_can_be_changed(bench: Workbench, what: str) -> None:
    """The changed ones hold, and the others do not contradict them."""
    change(bench, *CHANGES[what])
    bench.run_due()
    entry = holding(bench)
    assert (NEW, True) == (entry.conclusion, "30" not in f"{entry.title}{entry.quote}{entry.impact}")


BELOW = "always 35 percent of the order, in cash."
HEADING = f"Rule: {OLD[:1].upper()}{OLD[1:-1]}"
ORDINARY: dict[str, tuple[Callable[[str], str], str, int]] = {
    "a typo": (lambda text: text.replace(f": {OLD}", ": the shop deposit is always 33 percent."), "33 percent", 0),
    "a wrapped line": (lambda text: text.replace("the shop deposit is", "the shop deposit\n  is"), OLD, 0),
    "a line wrapped without an indentation": (lambda text: text.replace("always 30", "always\n30"), OLD, 0),
    "a longer line, wrapped": (lambda text: text.replace(OLD, f"the shop deposit is\n  {BELOW}"), BELOW, 0),
    "spaces at the ends of lines": (lambda text: text.replace("\n", "  \n"), OLD, 0),
    "other line ends": (lambda text: text.replace("\n", "\r\n"), OLD, 0),
    "other line ends, and words": (lambda text: text.replace(OLD, NEW).replace("\n", "\r\n"), NEW, 0),
    "a mark at the beginning": (lambda text: f"\ufeff{text}", OLD, 0),
    "a mark at the beginning, and words": (lambda text: f"\ufeff{text.replace(OLD, NEW)}", NEW, 0),
    "typographic quotes": (lambda text: text.replace('quote: "', "quote: \u201c").replace('"\n', "\u201d\n"), OLD, 0),
    "a note below": (lambda text: f"{text}Ask the bank about it.\n", OLD, 0),
    "a note inside": (lambda text: text.replace("- impact", "Ask the bank.\n\n- impact"), "Ask the bank.", 0),
    "a point inside": (lambda text: text.replace("- impact", "- note: ask the bank\n- impact"), OLD, 0),
    "a heading of another level": (lambda text: text.replace("## Rule", "#### Rule"), OLD, 0),
    "a heading of other words": (lambda text: text.replace(HEADING, "Money: what customers pay"), OLD, 1),
    "a heading with another number": (lambda text: text.replace(HEADING, HEADING.replace("30", "35")), "35", 0),
    "no heading": (lambda text: text.replace(f"## {HEADING}\n", ""), OLD, 0),
    "a slip in the quote": (lambda text: text.replace('quote: "New', 'quote: "Neww'), OLD, 1),
    "a quote without its end": (lambda text: text.replace('."\n', ".\n"), OLD, 0),
    "no quote": (lambda text: text.replace(f'quote: "{SAID}"', "quote:"), OLD, 0),
    "no conclusion": (lambda text: text.replace(f"conclusion: {OLD}", "conclusion:"), OLD, 0),
    "a status that nobody knows": (lambda text: text.replace("status: active", "status: gone"), OLD, 0),
    "a status in capitals": (lambda text: text.replace("status: active", "status: ACTIVE"), OLD, 0),
    "Polish words": (
        lambda text: text.replace(f": {OLD}", ": zaliczka to 35 procent każdego zamówienia"),
        "35 proc",
        0,
    ),
    "Chinese words": (lambda text: text.replace(f": {OLD}", ": 定金是订单的百分之三十五"), "百分之三十五", 0),
    "Chinese words, wrapped": (
        lambda text: text.replace(f": {OLD}", ": 定金是订单的\n百分之三十五"),
        "订单的百分之三",
        0,
    ),
}
"""A person's change of the file, the words that hold then, and how many suggestions wait."""


@pytest.mark.parametrize("what", ORDINARY)
def test_what_people_and_their_editors_do_loses_nothing(bench: Workbench, what: str) -> None:
    """New words hold, or wait where they may be a slip; all else leaves the entry as it is, and its trust."""
    edited, words, suggested = ORDINARY[what]
    before, path = holding(bench), bench.root / DAY
    text = edited(path.read_text())
    assert text != path.read_text()
    path.write_bytes(text.encode())
    bench.run_due()
    entry = holding(bench)
    assert words in entry.conclusion
    assert (before.trust if OLD == words else Trust.EDITED, suggested) == (entry.trust, len(waiting(bench.engine)))
    assert (OLD == words) == (before == entry)


SPACED = ("a wrapped line", "spaces at the ends of lines", "other line ends", "a mark at the beginning")


@table("what", [*SPACED, "a point inside", "a slip in the quote", "a word in two"])
def test_a_search_believes_what_an_editor_spaced(bench: Workbench, what: str) -> None:
    """As before; whatever else stands in a block of ours, there its quote alone is believed."""
    edited = ORDINARY[what][0] if what in ORDINARY else lambda text: text.replace("always 30", "al ways 30")
    [(block, entry)] = parse_entries(edited((bench.root / DAY).read_text()).encode())
    assert entry
    sure = believed_entry(block, entry, written_blocks(bench.engine.ledger.changes), bench.engine.catalog)
    assert (what in SPACED) == (sure == holding(bench))


def test_nobody_makes_an_entry_less_sure_in_its_file(bench: Workbench) -> None:
    """Below that of a quote: a search would not find it any more."""
    change(bench, "confidence: 0.93", "confidence: 0.01")
    [(block, entry)] = parse_entries((bench.root / DAY).read_bytes())
    assert entry
    sure = believed_entry(block, entry, written_blocks(bench.engine.ledger.changes), bench.engine.catalog)
    assert QUOTED_CONFIDENCE == sure.confidence


def test_an_entry_is_archived(bench: Workbench) -> None:
    """However the word is written, and at once on the page too; taken back, it stands there again."""
    change(bench, "status: active", "status: Archived")
    bench.run_due()
    assert [Status.ARCHIVED] == [one.status for one in list_entries(bench.engine)]
    assert OLD not in page(bench)
    change(bench, "status: Archived", "status: active")
    bench.run_due()
    assert OLD in page(bench)


@table("old, new", [("why: not stated", "why: {}"), (f"conclusion: {OLD}", "conclusion: {}"), (HEADING, "The {}")])
def test_no_secret_is_written_again(bench: Workbench, old: str, new: str) -> None:
    """In whatever field it stands: a correction would copy it."""
    text = (bench.root / DAY).read_text()
    change(bench, old, new.format("key is sunflower"))
    assert [] == edits(bench.reopen(secrets=("sunflower",)).engine)
    (bench.root / DAY).write_text(text)


def test_a_heading_that_only_names_it_is_its_title(bench: Workbench) -> None:
    """The words stay."""
    change(bench, HEADING, "The shop deposit")
    bench.run_due()
    entry = holding(bench)
    assert ("The shop deposit", OLD, Trust.EDITED) == (entry.title, entry.conclusion, entry.trust)


@pytest.mark.parametrize("new", ["", NEW])
def test_an_entry_is_moved_to_another_day(bench: Workbench, new: str) -> None:
    """It holds as before; with other words these do."""
    path, before = bench.root / DAY, holding(bench)
    head, mark, block = path.read_text().partition("## ")
    path.write_text(head)
    (bench.root / "memory" / "2026-03-04.md").write_text(f"# 2026-03-04\n\n{mark}{block.replace(OLD, new or OLD)}")
    bench.run_due()
    assert (new or OLD, Trust.EDITED if new else before.trust) == (holding(bench).conclusion, holding(bench).trust)


def test_a_change_of_no_word_changes_nothing(bench: Workbench) -> None:
    """Neither its trust, nor its confidence, nor its links: what is not a word is ours."""
    before = holding(bench)
    change(bench, "confidence: 0.93\n- trust: owner", "confidence: 1.00\n- trust: edited\n- corrects: X")
    bench.run_due()
    assert (before, []) == (holding(bench), waiting(bench.engine))


def test_what_an_agent_may_have_changed_waits(bench: Workbench) -> None:
    """The old words hold, with their trust; accepted, the new ones do. A second run asks no second time."""
    bench.say(conversation("s2", bench.clock.now() - timedelta(minutes=5), [("owner", "hello"), ("tool", "done")]))
    change(bench)
    bench.run_due()
    entry = holding(bench)
    assert (OLD, Trust.OWNER, 0.93) == (entry.conclusion, entry.trust, entry.confidence)
    assert (True, False) == (OLD in page(bench), NEW in page(bench))
    bench.run_due()
    [one] = waiting(bench.engine)
    assert (entry.id, NEW, "changed_in_file") == (one.shown.entry_id, one.shown.title, one.reason)
    accept(bench.engine, [one])
    assert (NEW, Trust.OWNER, []) == (holding(bench).conclusion, holding(bench).trust, waiting(bench.engine))
    assert NEW in page(bench)


@pytest.mark.parametrize("is_declined", [True, False])
def test_what_an_agent_may_have_changed_is_never_the_owners(bench: Workbench, *, is_declined: bool) -> None:
    """Also when the suggestion is gone, for it was declined or is too old, and the words stand in the file still."""
    bench.say(conversation("s2", bench.clock.now() - timedelta(minutes=5), [("owner", "hello"), ("tool", "done")]))
    change(bench)
    bench.run_due()
    [one] = waiting(bench.engine)
    if is_declined:
        decline(bench.engine, [one])
    for days in (2, 1, 100, 1):
        bench.clock.move(timedelta(days=days))
        prune(bench.engine)
        bench.run_due()
    assert (OLD, Trust.OWNER, []) == (holding(bench).conclusion, holding(bench).trust, waiting(bench.engine))


def test_words_in_an_entry_that_holds_no_more_are_nobodys(bench: Workbench) -> None:
    """Also when it holds again, long after an agent may have changed it."""
    run_id = correct(bench.engine, correction(bench.engine, holding(bench).id, "the shop deposit is 45 percent"))[
        0
    ].run_id
    bench.say(conversation("s2", bench.clock.now() - timedelta(minutes=5), [("owner", "hello"), ("tool", "done")]))
    change(bench)
    bench.run_due()
    undo(bench.engine, run_id)
    for _ in range(2):
        bench.clock.move(timedelta(days=1))
        bench.run_due()
        assert (OLD, Trust.OWNER) == (holding(bench).conclusion, holding(bench).trust)


def test_a_change_from_before_the_first_look_waits(new_bench: NewBench) -> None:
    """As in a workspace of an earlier version: nobody knows what was done before."""
    bench = new_bench(jobs=JOBS)
    bench.say(conversation("s1", MORNING, [("owner", SAID)]))
    bench.run_due()
    bench.engine.ledger.store.write("DELETE FROM sights")
    change(bench)
    before = bench.pages()
    bench.run_due()
    assert (OLD, 1) == (holding(bench).conclusion, len(waiting(bench.engine)))
    assert before == bench.pages()


FORGED = {
    "a block that corrects ours": lambda text: (
        text.replace(OLD, NEW)
        .replace("id: RULE-", "id: RULE-X-")
        .replace("- check:", "- corrects: RULE-20260302-the-shop-deposit-is-always-30-percent-of-the-order\n- check:")
    ),
    "a block with our id": lambda text: text.replace(OLD, NEW).replace("trust: owner", "trust: edited"),
    "a block with our id that is archived": lambda text: text.replace("status: active", "status: archived"),
}


@pytest.mark.parametrize("what", FORGED)
def test_blocks_that_others_append_touch_nothing_of_ours(bench: Workbench, what: str) -> None:
    """Whatever they say of themselves."""
    path, before = bench.root / DAY, holding(bench)
    block = path.read_text().partition("## ")[2]
    path.write_text(f"{path.read_text()}\n## {FORGED[what](block)}")
    bench.run_due()
    active = (one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE)
    ours = {(entry.id, entry.conclusion) for entry in active if entry.trust is Trust.OWNER}
    assert {(before.id, before.conclusion)} == ours
    assert ([], False) == (waiting(bench.engine), NEW in page(bench))


def test_forgetting_it_erases_what_stood_before(bench: Workbench) -> None:
    """The old words, which only the ledger has by then, and the new ones."""
    change(bench)
    bench.run_due()
    forget(bench.engine, holding(bench).id)
    bench.run_due()
    assert [] == list_entries(bench.engine)
    assert [] == [path for path, data in bench.pages().items() if b"percent" in data]
    assert b"percent" not in (bench.root / ".memory" / "state.db").read_bytes()


def call(name: str, **given: str) -> dict[str, object]:
    """A call of a tool as Claude Code records it."""
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def calls(root: Path) -> dict[str, tuple[dict[str, object], bool]]:
    """Calls that an agent made since, and whether the owner's change then is the owner's."""
    file, link = str(root / DAY), str(root / "elsewhere" / "link.md")
    return {
        "reads it": (call("Read", file_path=file), True),
        "greps in it": (call("Bash", command=f"cat {file} | grep deposit && ls"), True),
        "edits another file": (call("Edit", file_path=str(root.parent / "code.py"), new_string="x"), True),
        "edits it": (call("Edit", file_path=file, old_string=OLD, new_string=NEW), False),
        "writes it through a link": (call("Write", file_path=link, content=NEW), False),
        "writes it by a relative path": (call("Write", file_path=f"../{root.name}/{DAY}", content=NEW), False),
        "sed in a shell": (call("Bash", command=f"sed -i s/30/35/ {file}"), False),
        "a redirection": (call("Bash", command="echo hi > /tmp/x"), False),
        "a substitution": (call("Bash", command="echo $(python3 x.py)"), False),
        "a reading command that runs another": (call("Bash", command="ls; python3 x.py"), False),
        "a command behind the sign of a comment": (call("Bash", command=f"cat a#1; sed -i s/30/35/ {file}"), False),
        "a file at home of a user whom nobody knows": (call("Write", file_path="~nobody-knows/x.md"), False),
        "a path that cannot be one": (call("Write", file_path="a\0b"), False),
        "a tool that nobody knows": (call("mcp__files__put", where="x"), False),
        "a sub-agent": (call("Task", prompt="tidy the notes"), False),
        "a call of a shape that nobody knows": ({"type": "tool_invocation", "tool_kind": "x"}, False),
    }


@pytest.mark.parametrize("what", calls(Path("/w")))
def test_the_calls_of_tools_since_decide(bench: Workbench, what: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file tool on that file, or a shell call that could write, is an agent's hand; reading is none."""
    folder = tmp_path_factory.mktemp("transcripts")
    (bench.root / "elsewhere").mkdir()
    (bench.root / "elsewhere" / "link.md").symlink_to(bench.root / DAY)
    made, by_owner = calls(bench.root)[what]
    at = bench.clock.now() - timedelta(minutes=5)
    record = {
        "type": "assistant",
        "timestamp": at.isoformat(),
        "cwd": str(folder),
        "message": {"role": "assistant", "content": [made]},
    }
    if what == "writes it by a relative path":
        (bench.root.parent / "project").mkdir(exist_ok=True)
        record["cwd"] = str(bench.root.parent / "project")
    (folder / "s2.jsonl").write_text(f"{json.dumps(record)}\n")
    sources = [{"kind": "claude_code", "name": "memory", "path": str(folder)}]
    bench = bench.reopen(settings=Settings.model_validate({**bench.settings.model_dump(), "sources": sources}))
    bench.say(conversation("s2", at, [("owner", "hello"), ("assistant", "done")], path="s2.jsonl"))
    change(bench)
    bench.run_due()
    assert (NEW if by_owner else OLD) == holding(bench).conclusion


def test_an_agents_own_workspace_is_never_the_owners(bench: Workbench) -> None:
    """There an agent writes as it likes."""
    (bench.root / "SOUL.md").write_text("You are helpful.\n")
    change(bench)
    bench.run_due()
    assert (OLD, 1) == (holding(bench).conclusion, len(waiting(bench.engine)))
