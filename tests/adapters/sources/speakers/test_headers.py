"""The header that a channel puts before a message."""

from pipeline.adapters.sources.speakers.headers import Header, read_header
from tests.support.tables import table

STAMP = "2026-02-02 15:03 UTC"


@table(
    ("header", "senders", "room"),
    [
        (f"[Telegram Tom (@tom_b) id:411 +6m {STAMP}]", ("411", "tom_b"), False),
        (f"[Telegram Shop id:-100 topic:5 {STAMP}]", ("-100",), True),
        (f"[Slack #general {STAMP}]", ("name #general",), True),
        (f"[Discord Guild #dev channel id:987 {STAMP}]", ("987",), True),
        (f"[WhatsApp 120363@g.us {STAMP}]", ("name 120363@g.us",), True),
        (f"[WhatsApp Tom +48000000021 +2d {STAMP}]", ("name Tom +48000000021",), False),
        (f"[WhatsApp +48000000021 +2d {STAMP}]", ("+48000000021",), False),
        (f"[Matrix Tom id:@tom:example.org {STAMP}]", ("tom:example.org",), False),
        (f"[IRC {STAMP}]", ("name ",), False),
        (f"[WebChat {STAMP}]", (), False),
        (f"[{STAMP}]", (), False),
    ],
)
def test_a_header_names_who_speaks_or_the_room(header: str, senders: tuple[str, ...], *, room: bool) -> None:
    """The words begin behind it."""
    actual = read_header(f"{header} words")
    assert actual is not None
    assert (len(header) + 1, senders, room, True) == (actual.end, actual.senders, actual.room, actual.sure)


@table("text", ["[x] milk", "[1, 2] a", "[x] done [see 2026-01-01 10:00]", "[Deploy failed] a", "[see the log", "[ a"])
def test_a_bracket_of_a_person_is_no_header(text: str) -> None:
    """It is closed before a time or an id comes."""
    assert read_header(text) is None


@table(
    "text",
    [f"[Foochat Ann {STAMP}] a", f"[Foochat Ann [x] {STAMP}] a", "[Signal Ann\nid:5] a", f"[@foo id:5 {STAMP}] a"],
)
def test_a_header_that_cannot_be_read_is_none_to_rely_on(text: str) -> None:
    """Nothing of it is cut, and nobody is named."""
    assert read_header(text) == Header(0, sure=False)


@table(
    ("rest", "sure"),
    [
        (f"x id:555 {STAMP}] a", False),
        (f"[ id:555 {STAMP}] a", False),
        (f"Bob {STAMP}] a", False),
        (f"+48000000021 {STAMP}] a", False),
        (f"[Telegram Tom id:411 {STAMP}] a", True),
        (f"[{STAMP}] a", True),
        ("[ticket id:998] a", True),
        ("[a] b [c]", True),
    ],
)
def test_a_header_that_may_end_later_is_not_sure(rest: str, *, sure: bool) -> None:
    """A name may hold brackets, a time and an id; what the words quote of the same sender changes nothing."""
    header = read_header(f"[Telegram Tom id:411 {STAMP}] {rest}")
    assert header is not None
    assert sure == header.sure


@table(("rest", "sure"), [("x id:555] a", False), ("x id:411] a", True), ("x] a", True)])
def test_a_header_without_a_time_may_end_at_any_later_id(rest: str, *, sure: bool) -> None:
    """No time tells which of the two is the channel's."""
    header = read_header(f"[Telegram Tom id:411] {rest}")
    assert header is not None
    assert sure == header.sure
