"""What a new entry does to the ones before it."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from jobs.resolution.judging import code_judge
from jobs.resolution.linking import Timeline
from jobs.resolution.nearness import EntryIndex
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.same_thing import Weights
from pipeline.entries.standing import fold
from schemas.entry import Entry, Kind, Source, Status, Trust
from schemas.links import LinkBar
from tests.support.tables import table

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def entry(text: str, day: int = 0, session: str = "", **fields: object) -> Entry:
    """An entry that says `text`, `day` days after the start, in a session of its own unless one is named."""
    session_id = session or f"s{day}"
    source = Source(session_id=session_id, session_path="m:x", message_range=(1, 1), entry_ids=(f"e-{day}-{text}",))
    base = Entry(
        id=f"{day}:{text}",
        title=text,
        kind=Kind.RULE,
        date=START + timedelta(days=day),
        source=source,
        quote=text,
        conclusion=text,
        confidence=0.8,
    )
    return base.model_copy(update=fields)


def relation_of(later: Entry, earlier: Entry) -> Relation | None:
    """The relation of two entries that are alone in the world."""
    return relation(later, earlier, Weights([statement(later), statement(earlier)]))


@table(
    ("later", "earlier", "kind"),
    [
        (
            "invoices go out within 14 days, we change that",
            "prices are in zloty, and invoices go out within 7 days",
            Relation.REPLACES_PART,
        ),
        ("faktury wysyłamy teraz w 14 dni", "faktury wysyłamy w 7 dni, a ceny są w złotych", Relation.REPLACES_PART),
        ("日志保留改成60天", "日志保留30天，而且周五不发版", Relation.REPLACES_PART),
        ("faktury wysyłamy teraz w 14 dni", "faktury wysyłamy w 7 dni, bo księgowa tak chce", Relation.REPLACES),
        (
            "back to 20 percent deposit for all six cabins, 30 was a mistake",
            "the deposit goes up to 30 percent from april, all six cabins",
            Relation.REPLACES,
        ),
    ],
)
def test_of_two_things_in_one_entry_the_other_stays(later: str, earlier: str, kind: Relation) -> None:
    """The link says that a part is replaced; a reason or a further word about the same is no other thing."""
    new, old = entry(later, 1), entry(earlier)
    assert relation_of(new, old) is kind

    weights = Weights([statement(new), statement(old)])
    linked = Timeline(EntryIndex({old.id: old}), weights, ()).link_entry(new, code_judge(weights))
    part = kind is Relation.REPLACES_PART
    assert (((old.id,), ()) if part else ((), (old.id,))) == (linked.supersedes_part, linked.supersedes)
    assert part is (fold([old, linked]).states[old.id].status is Status.ACTIVE)


@table(
    ("later", "earlier"),
    [
        (
            "access logs are kept for 14 days on the archive node",
            "access logs are kept for 30 days on the archive node",
        ),
        ("nightly database backups move to the Frankfurt bucket", "nightly database backups go to the garage disk"),
        ("dostawy mąki przenosimy na czwartek, magazyn główny", "dostawy maki przyjmuje magazyn glowny we wtorek"),
        ("訂單備份改成每週一次 放冷備機房", "订单备份每天一次 放冷备机房"),
    ],
)
def test_a_changed_value_or_an_announced_change_replaces(later: str, earlier: str) -> None:
    """The same subject with another value, or with words of replacement."""
    assert relation_of(entry(later, 1), entry(earlier)) is Relation.REPLACES


@table(
    ("later", "earlier"),
    [
        (
            "never deploy payment services on Friday evening",
            "payment services: no deploys on Friday afternoon or evening",
        ),
        (
            "faktury wystawia nadal tylko Halina, biuro rachunkowe bez zmian",
            "faktury wystawia Halina z biura rachunkowego",
        ),
        ("重申 生产环境镜像标签不许用 latest", "生产环境镜像标签禁止用 latest"),
    ],
)
def test_the_same_again_repeats(later: str, earlier: str) -> None:
    """The same subject, and something besides it that agrees."""
    assert relation_of(entry(later, 1), entry(earlier)) is Relation.REPEATS


@table(
    ("later", "earlier"),
    [
        ("payments of online orders go through Stripe", "online orders are picked up on weekdays"),
        ("switch the office lights to LED", "invoices carry the order number"),
        ("备份放对象存储", "日志块放对象存储 保留一个月"),
    ],
)
def test_a_shared_word_or_two_links_nothing(later: str, earlier: str) -> None:
    """A missed link leaves two lines; a wrong one hides a rule that holds."""
    assert relation_of(entry(later, 1), entry(earlier)) is None


def test_a_fact_to_remember_does_not_replace_a_rule() -> None:
    """Kinds of another sort do not meet."""
    fact = entry("access logs are kept for 14 days on the archive node", 1, kind=Kind.REMEMBER)

    assert relation_of(fact, entry("access logs are kept for 30 days on the archive node")) is None


OLD = entry("access logs are kept for 30 days on the archive node")
AGAIN = entry("access logs: 30 days on the archive node, as before", 1, reinforces=(OLD.id,))
NEW = entry("access logs are kept for 14 days on the archive node", 2)
WEIGHTS = Weights(statement(one) for one in (OLD, AGAIN, NEW))
JUDGE = code_judge(WEIGHTS)


def timeline_of(entries: Sequence[Entry], bars: Iterable[LinkBar] = ()) -> Timeline:
    """The timeline of entries."""
    return Timeline(EntryIndex({one.id: one for one in entries}), WEIGHTS, bars)


def test_what_repeats_a_replaced_entry_is_replaced_with_it() -> None:
    """Two entries that say the same hold or fall together."""
    assert set(timeline_of([OLD, AGAIN]).link_entry(NEW, JUDGE).supersedes) == {OLD.id, AGAIN.id}


@table("update", [{"status": Status.ARCHIVED}, {"date": NEW.date}, {"date": NEW.date + timedelta(1)}])
def test_what_repeats_it_later_or_does_not_hold_is_left_alone(update: dict[str, object]) -> None:
    """The same things said at the same time or after it, and those that a person archived, keep their standing."""
    again = AGAIN.model_copy(update=update)

    assert timeline_of([OLD, again]).link_entry(NEW, JUDGE).supersedes == (OLD.id,)


def test_a_link_of_an_entry_that_is_believed_less_joins_nothing() -> None:
    """Another process that makes an entry repeat two others has none of them replaced with the other."""
    rule = entry("the archive node is never restarted by day")
    forged = entry("a word of the owner", 1, trust=Trust.QUOTED, reinforces=(OLD.id, rule.id))

    assert timeline_of([OLD, rule, forged]).link_entry(NEW, JUDGE).supersedes == (OLD.id,)


def test_an_entry_written_late_gives_way_to_its_successor() -> None:
    """A back-fill does not bring back what a newer entry replaced."""
    late = timeline_of([NEW]).link_entry(OLD, JUDGE)

    assert late.status is Status.SUPERSEDED
    assert late.superseded_by == (NEW.id,)
    assert late.supersedes == ()


@table("update", [{"status": Status.ARCHIVED}, {"date": NEW.date}])
def test_archived_and_simultaneous_entries_are_left_alone(update: dict[str, object]) -> None:
    """Links lead to earlier entries that hold."""
    linked = timeline_of([OLD.model_copy(update=update)]).link_entry(NEW, JUDGE)

    assert linked == NEW


def test_an_entry_of_the_same_session_is_replaced_but_not_reinforced() -> None:
    """A change of mind counts in the session too; saying it twice there does not."""
    old = OLD.model_copy(update={"source": OLD.source.model_copy(update={"session_id": "same"})})
    source = AGAIN.source.model_copy(update={"session_id": "same"})
    again = AGAIN.model_copy(update={"source": source, "reinforces": ()})
    new = NEW.model_copy(update={"source": source})

    assert timeline_of([old]).link_entry(again, JUDGE).reinforces == ()
    assert timeline_of([old]).link_entry(new, JUDGE).supersedes == (old.id,)


def test_a_draft_of_this_run_is_seen_by_the_next() -> None:
    """What one draft replaced is not replaced again by another."""
    timeline = timeline_of([OLD])
    new = timeline.link_entry(NEW, JUDGE)
    timeline.add(new)
    newest = entry("access logs are kept for 7 days on the archive node", 3)

    assert timeline.link_entry(newest, JUDGE).supersedes == (NEW.id,)


def test_nothing_is_linked_to_what_is_in_review() -> None:
    """Neither does it give way, nor does what is written late give way to it."""
    assert not timeline_of([OLD.model_copy(update={"status": Status.IN_REVIEW})]).link_entry(NEW, JUDGE).supersedes
    assert not timeline_of([NEW.model_copy(update={"status": Status.IN_REVIEW})]).link_entry(OLD, JUDGE).superseded_by
