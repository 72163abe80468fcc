"""Keeping a text: what is large is stored first and told then; what is small stays what it is."""

import hashlib
import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.app.details.keep import KeepRequest, keep
from pipeline.app.details.upkeep import list_details
from pipeline.errors.store import StoreUnavailable
from pipeline.language.tokens import count_tokens
from pipeline.store.opening import FOLDER, WorkspaceStore
from schemas.detail import DetailScope, DetailType, Placement
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, NOW, Content, detail_of, kept, text_of
from tests.support.builders.placeholders import mentioned_keys
from tests.support.ports.clock import FixedClock
from tests.support.ports.plain_redactor import PlainRedactor


def test_a_large_text_becomes_a_placeholder(store: WorkspaceStore) -> None:
    """It is shorter, names a key that is in the store, and the store has every byte."""
    one = kept(store, command="make", exit_code=2)
    assert one.detail
    assert one.placeholder.startswith("Command 'make' executed, exit 2. [MemoryRef: cmd_make_")
    assert "make: 501 lines, 1 error]" in one.placeholder
    assert "501: error: disk is slow" in one.placeholder
    assert count_tokens(one.placeholder) < count_tokens(LOG)
    assert [one.detail.key] == mentioned_keys(one.text)
    assert LOG.encode() == text_of(store, one.detail)
    assert hashlib.sha256(LOG.encode()).hexdigest() == one.detail.sha256
    assert (len(LOG), 501, count_tokens(LOG)) == (one.detail.size, one.detail.lines, one.detail.tokens)
    assert (NOW, NOW + timedelta(days=30)) == (one.detail.created_at, one.detail.expires_at)
    assert {"command": "make", "exit_code": 2} == one.detail.metadata


def test_a_small_text_stays(store: WorkspaceStore, tmp_path: Path) -> None:
    """Its bytes are given back, and no store is made for it."""
    raw = b"\xff hunter2 ok\n"
    one = kept(store, raw)
    assert (None, "", raw) == (one.detail, one.placeholder, one.content)
    assert ("", True) == (one.report.key, one.report.notice.startswith("It was not stored: "))
    assert not (tmp_path / FOLDER).exists()


def test_secrets_are_masked_before_anything_is_stored(store: WorkspaceStore, tmp_path: Path) -> None:
    """In the text, the description, the command, the key and the placeholder; the caller's bytes stay."""
    words = {"description": "login hunter2", "command": "login -p hunter2", "file_name": "hunter2.log"}
    one = kept(store, LOG + "the word is hunter2\n", **words)
    assert one.detail
    assert "hunter2" not in one.text + one.detail.model_dump_json() + text_of(store, one.detail).decode()
    store.close()
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()]


def test_a_dry_run_stores_nothing(store: WorkspaceStore) -> None:
    """It tells what would stand for the text, before and after the text is stored."""
    clock = FixedClock(NOW)
    request = KeepRequest(LOG, command="make", placement=Placement(thread_id="t1"))
    before = keep(store, request, PlainRedactor("hunter2"), clock, dry_run=True)
    assert before.detail
    assert [] == list_details(store)
    stored = keep(store, request, PlainRedactor("hunter2"), clock)
    late = FixedClock(NOW + timedelta(days=3))
    after = keep(store, request, PlainRedactor("hunter2"), late, dry_run=True)
    assert before.text == stored.text == after.text
    assert [NOW + timedelta(days=30)] == [one.expires_at for one in list_details(store)]


def test_the_same_text_of_the_same_thread(store: WorkspaceStore) -> None:
    """It has one key under one name, and is told as it ended this time; another thread has its own."""
    first = detail_of(store, description="build", exit_code=0)
    again = kept(store, description="build", command="make", exit_code=1)
    assert again.detail
    assert first.key == again.detail.key
    assert again.placeholder.startswith(f"Command 'make' executed, exit 1. [MemoryRef: {first.key} - build: 501 lines")
    other = detail_of(store, description="build", placement=Placement(thread_id="t2"))
    assert first.key != other.key


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize(
    ("first", "own", "begin"),
    [
        (
            {"description": "ok, all tests passed", "exit_code": 0},
            {"command": "make test", "exit_code": 1},
            "Command 'make test' executed, exit 1. [MemoryRef: cmd_make-test_",
        ),
        ({"description": "build", "type": DetailType.TEXT}, {"description": "build", "type": DetailType.LOG}, "Log"),
        ({"description": "Build: (passed)"}, {"description": "build, passed?"}, "build, passed?: 501 lines"),
    ],
    ids=["a command that failed", "a type", "names of one key"],
)
def test_a_description_belongs_to_one_storing(
    store: WorkspaceStore, first: dict[str, Any], own: dict[str, Any], begin: str, *, dry_run: bool
) -> None:
    """Who stores some bytes first does not say what they are for who stores them again."""
    request = KeepRequest(LOG, **own)
    alone = keep(store, request, PlainRedactor("hunter2"), FixedClock(NOW), dry_run=True)
    detail_of(store, placement=Placement(), **first)
    again = keep(store, request, PlainRedactor("hunter2"), FixedClock(NOW), dry_run=dry_run)
    assert begin in again.placeholder
    assert (alone.placeholder, True) == (again.placeholder, again.detail is not None)


def test_a_key_that_another_text_has(store: WorkspaceStore) -> None:
    """The second text gets a longer one; both stay readable."""
    first = detail_of(store, description="build")
    taken = first.model_copy(update={"id": "other", "sha256": "0" * 64, "placement": Placement(thread_id="t0")})
    store.details.erase([first.key])
    store.details.add(taken, [b"another text"])
    second = detail_of(store, description="build")
    assert second.key.startswith(first.key)
    assert len(first.key) + 6 == len(second.key)
    assert b"another text" == text_of(store, taken)


def test_who_stays(store: WorkspaceStore) -> None:
    """What belongs to a user or to all never expires by itself; what is pinned is pinned from the beginning."""
    user = Placement(user_id="u1", scope=DetailScope.USER)
    assert detail_of(store, placement=user, pinned=True).expires_at is None
    assert detail_of(store, placement=user).pinned


def test_a_text_comes_in_any_form(store: WorkspaceStore) -> None:
    """A string with what is no letter, bytes, a file, blocks of a process: the same bytes are stored."""

    def blocks() -> Iterator[bytes]:
        yield from (LOG.encode()[at : at + 1_000] for at in range(0, len(LOG), 1_000))

    texts: list[Content] = [LOG, LOG.encode(), io.BytesIO(LOG.encode()), blocks()]
    keys = {detail_of(store, text).key for text in texts}
    assert 1 == len(keys)
    assert "\ud800".encode(errors="surrogatepass") == text_of(store, detail_of(store, LOG + "\ud800"))[-3:]


def test_odd_bytes_come_back(store: WorkspaceStore) -> None:
    """Binary, escapes, broken UTF-8, a line of megabytes: not a byte is lost, and the placeholder is readable."""
    texts = [
        b'[{"a": "\\ud800\\u0000"}, {"b": 1}' + b', {"b": "x"}' * 900 + b"]",
        b'{"a": "\\udfff"}\n' * 900,
        bytes(range(256)) * 200,
        b"\x1b[31mred\x1b[0m \xc3\x28 \xed\xa0\x80\n" * 900,
        b"x" * 3_000_000,
        "错误: 找不到\r\n".encode() * 900,
    ]
    for text in texts:
        one = kept(store, text)
        assert one.detail
        assert text == text_of(store, one.detail)
        assert "\x1b" not in one.text
        assert len(one.text) < 3_000


def test_a_placeholder_is_never_longer_than_the_text(store: WorkspaceStore, tmp_path: Path) -> None:
    """A text just above the threshold stays a text when its placeholder would not be shorter."""
    low = WorkspaceStore(tmp_path, store.settings.model_copy(update={"threshold": 50}))
    text = "".join(f"error number {'abcdefgh'[n]}: {n * 7919}\n" for n in range(7))
    assert count_tokens(text) > 50
    assert None is kept(low, text).detail
    for lines in range(10, 120, 10):
        one = kept(low, "".join(f"fatal {n}: {n * 7919} {'x' * (n % 9)}\n" for n in range(lines)))
        assert not one.detail or count_tokens(one.placeholder) < one.detail.tokens, lines
    low.close()


def test_a_store_that_cannot_be_made(tmp_path: Path) -> None:
    """The error is one of the store, whatever stands in its way."""
    (tmp_path / FOLDER).write_text("a file\n", encoding="ascii")
    with pytest.raises(StoreUnavailable, match="Nothing was stored"):
        kept(WorkspaceStore(tmp_path, StoreSettings()))


def test_the_type_is_seen(store: WorkspaceStore) -> None:
    """By the text, or as the caller says."""
    assert DetailType.JSON is detail_of(store, "[" + ",".join(['{"a": 1}'] * 900) + "]").type
    assert DetailType.LOG is detail_of(store, LOG, type=DetailType.LOG).type


@pytest.mark.parametrize(("exit_code", "shown"), [(0, "1401 lines]"), (1, "1401 lines, 700 errors]")])
def test_a_diff_that_speaks_of_errors_reports_none(store: WorkspaceStore, exit_code: int, shown: str) -> None:
    """Nor does code: they are what somebody wrote. After a failure whatever names an error counts."""
    text = "diff --git a/x.py b/x.py\n" + "+    raise ValueError\n+    return 1\n" * 700
    assert shown in kept(store, text, command="git diff", exit_code=exit_code).placeholder


def test_odd_descriptions(store: WorkspaceStore) -> None:
    """Zeros, escapes and halves of letters: neither kind of database has to take them."""
    odd = "a\0b\ud800 \x1b[1m\n]c"
    one = kept(store, description=odd, command=odd, file_name=odd)
    assert one.detail
    assert "ab? )c: 501 lines, 1 error" == one.detail.description
    assert one.detail == store.details.find(one.detail.key)
