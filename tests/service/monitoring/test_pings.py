"""A check is told of each run; what goes wrong with that is a warning, and holds nothing up."""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from signal import SIGHUP, SIGTERM
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.errors import SettingsInvalid
from pipeline.events import Event
from pipeline.service.monitoring.pings import MOST_WAITING, UNCHANGED, Pings, PingTarget, log_end
from schemas.outcome import EXIT_CODES, Ending
from schemas.service_settings import PingSettings
from tests.support.servers.ping_server import CHECK, PingServer

RUN = UUID("0d3c9a54-7a51-4c5e-9d0e-2f6b1c8e4a77")
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "watch-it.md"
KEY = "AKIA" + "QX7ZL2MN4PR8ST6V"  # in two parts, so that nobody who looks for keys finds one in this file


@dataclass
class Announcements:
    """What was announced."""

    events: list[tuple[Event, dict[str, object]]] = field(default_factory=list)

    def __call__(self, event: Event, **fields: object) -> None:
        """Take an event."""
        self.events.append((event, fields))

    @property
    def reasons(self) -> list[object]:
        """Why pings could not be sent, in order."""
        assert {Event.PING_FAILED} >= {event for event, _ in self.events}
        return [fields["reason"] for _, fields in self.events]


@pytest.fixture
def announcements() -> Announcements:
    """Nothing yet."""
    return Announcements()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a run."""
    path = tmp_path / "run.log"
    path.write_text("first line\nlast line: zażółć 完成\n", encoding="utf-8")
    return path


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address on which nobody listens; its port is kept from others meanwhile."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{kept.getsockname()[1]}/{CHECK}"


def check(url: str, timeout: float = 60, log_bytes: int = 10_000) -> PingTarget:
    """A check at this address, by the settings; `timeout` in seconds."""
    return PingTarget.of(PingSettings(url=SecretStr(url), timeout=timedelta(seconds=timeout), log_bytes=log_bytes))


def plain(text: str) -> str:
    """No secrets here."""
    return text


def test_a_run_is_distinguished_from_its_start_to_its_end(announcements: Announcements, log: Path) -> None:
    """Both carry the run's id and the job's name; the end carries the exit code and the log."""
    with PingServer() as server, Pings(check(server.url), announcements, plain) as pings:
        pings.announce_start("micro_sync", RUN)
        pings.announce_end("micro_sync", RUN, 0, log)
        assert server.heard.wait(60)
    assert ["/start", "/0"] == server.paths
    assert [str(RUN)] * 2 == [ping.run for ping in server.pings]
    assert "micro_sync begins\n" == server.pings[0].body
    assert f"micro_sync ended with exit code 0\n\n{log.read_text(encoding='utf-8')}" == server.pings[1].body
    assert [] == announcements.reasons


@pytest.mark.parametrize(
    ("code", "path"), [(0, "/0"), (1, "/1"), (2, "/2"), (3, "/3"), (5, "/5"), (70, "/70"), (124, "/124"), (-9, "/137")]
)
def test_the_end_says_how_it_was(announcements: Announcements, code: int, path: str) -> None:
    """An exit code as a shell has it: 0 is success, the others are failures."""
    with PingServer() as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_end("micro_sync", RUN, code)
        assert [path] == server.paths


@pytest.mark.parametrize("code", [None, 256])
def test_what_is_no_exit_code_is_a_failure(announcements: Announcements, code: int | None) -> None:
    """The check would take no other number."""
    with PingServer() as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_end("micro_sync", RUN, code)
        assert ["/fail"] == server.paths


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (EXIT_CODES[Ending.LOCKED], "somebody else is at work"),
        (EXIT_CODES[Ending.WAITING], "the model does not answer; what waits for it stays due"),
        (EXIT_CODES[Ending.INTERRUPTED], "it was stopped as asked"),
        (-SIGTERM, "it was stopped as asked"),
        (-SIGHUP, "it was stopped as asked"),
    ],
)
def test_what_is_neither_success_nor_failure_changes_nothing(
    announcements: Announcements, log: Path, code: int, why: str
) -> None:
    """The check notes it, with its reason and what the run said, and stays as it is."""
    with PingServer() as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_end("micro_sync", RUN, code, log)
        assert ["/log"] == server.paths
    number = code if code > 0 else 128 - code
    first, _, rest = server.pings[0].body.partition("\n\n")
    assert (f"micro_sync ended with exit code {number}: {why}", log.read_text("utf-8")) == (first, rest)


def test_the_page_lists_what_changes_nothing() -> None:
    """Every exit code of a run has a row there that says what the check takes it for."""
    rows = dict(re.findall(r"^\| ([\d, ]+)[^|]* \|[^|]*\| `/(\w+|<code>)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    listed = {int(code): end for codes, end in rows.items() for code in codes.split(",")}
    assert {code for code, end in listed.items() if end == "log"} == set(UNCHANGED)
    assert set(EXIT_CODES.values()) <= set(listed)


def test_pings_come_in_their_order(announcements: Announcements) -> None:
    """Whatever was told before the service ends arrives, one after another."""
    with PingServer() as server:
        with Pings(check(server.url), announcements, plain) as pings:
            for code in range(30, 60):
                pings.announce_start("micro_sync", RUN)
                pings.announce_end("micro_sync", RUN, code)
        assert [path for code in range(30, 60) for path in ("/start", f"/{code}")] == server.paths
    assert [] == announcements.reasons


def test_every_job_can_have_a_check_of_its_own(announcements: Announcements) -> None:
    """`{job}` in the address is the job's name, and what the address asks for is asked for."""
    with PingServer() as server:
        with Pings(check(f"{server.address}/key/memory-{{job}}/?create=1"), announcements, plain) as pings:
            pings.announce_start("micro_sync", RUN)
        assert ["/key/memory-micro_sync/start"] == server.paths
        assert [f"create=1&rid={RUN}"] == [ping.query for ping in server.pings]


def test_without_an_address_nothing_is_sent(announcements: Announcements, log: Path) -> None:
    """That is the default."""
    with Pings(PingTarget.of(PingSettings()), announcements, plain) as pings:
        pings.announce_start("micro_sync", RUN)
        pings.announce_end("micro_sync", RUN, 0, log)
    assert [] == announcements.events


def test_secrets_in_a_log_stay_here(announcements: Announcements, log: Path) -> None:
    """What goes over the wire is what the redactor left."""
    log.write_text(f"aws_access_key_id = {KEY}\nno room on the disk\n")
    with PingServer() as server:
        with Pings(check(server.url), announcements, SecretRedactor().redact) as pings:
            pings.announce_end("micro_sync", RUN, 1, log)
        [body] = [ping.body for ping in server.pings]
    assert (False, True) == (KEY in body, "no room on the disk" in body)


def test_a_cut_through_a_secret_shows_none_of_it(log: Path) -> None:
    """Wherever the part that is sent begins: the redactor has seen what stands before."""
    log.write_text(f"aws_access_key_id = {KEY}\nend")
    ends = [log_end(log, most, SecretRedactor().redact) for most in range(1, 60)]
    assert [] == [end for end in ends if set(end.partition("\n")[0]) & set("QX7ZL2MN4PR8ST6V")]
    assert [] == [end for end in ends[4:] if not end.endswith("\nend")]


def test_the_end_of_a_log_is_no_longer_than_allowed(announcements: Announcements, log: Path) -> None:
    """The last bytes are what tells why a run failed; 0 sends none of them."""
    log.write_text("".join(f"line {number}\n" for number in range(10_000)))
    with PingServer() as server:
        for most in (20, 0):
            with Pings(check(server.url, log_bytes=most), announcements, plain) as pings:
                pings.announce_end("micro_sync", RUN, 1, log)
        first, second = (ping.body.partition("\n\n")[2] for ping in server.pings)
    assert ("line 9998\nline 9999\n", "") == (first, second)


@given(st.text(), st.integers(0, 300))
def test_any_log_can_be_cut_anywhere(tmp_path_factory: pytest.TempPathFactory, text: str, most: int) -> None:
    """Never more bytes than asked for, and never half a character."""
    log = tmp_path_factory.getbasetemp() / "any.log"
    log.write_bytes(text.encode(errors="replace"))
    end = log_end(log, most, plain)
    assert len(end.encode()) <= most
    assert text.encode(errors="replace").decode().endswith(end)


def test_what_a_run_printed_may_be_sent_as_it_is(announcements: Announcements) -> None:
    """No longer than a log would be; its end is what counts."""
    with PingServer() as server:
        for most in (10_000, 9, 0):
            with Pings(check(server.url, log_bytes=most), announcements, plain) as pings:
                pings.announce_end("micro_sync", RUN, 1, "done one\nzażółć\n")
        assert ["done one\nzażółć\n", "żółć\n", ""] == [ping.body.partition("\n\n")[2] for ping in server.pings]


def test_a_log_that_is_gone_is_no_reason_to_be_silent(announcements: Announcements, tmp_path: Path) -> None:
    """The ping goes without it."""
    with PingServer() as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_end("micro_sync", RUN, 1, tmp_path / "gone.log")
        assert ["/1"] == server.paths


@pytest.mark.parametrize(("status", "tries"), [(500, 3), (429, 3), (404, 1), (403, 1), (302, 1)])
def test_a_server_that_refuses_is_a_warning(announcements: Announcements, status: int, tries: int) -> None:
    """It names the job and the answer, and never the address; what may pass is tried again, and nothing is followed."""
    with PingServer(status) as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_end("micro_sync", RUN, 0)
        assert ["/0"] * tries == server.paths
    fields = {"job": "micro_sync", "ping": "0", "reason": f"the server answers {status}"}
    assert [(Event.PING_FAILED, fields)] == announcements.events


def test_a_failure_that_passes_is_none(announcements: Announcements) -> None:
    """The second try tells it, and nobody is warned."""
    with PingServer(503, 200) as server:
        with Pings(check(server.url), announcements, plain) as pings:
            pings.announce_start("micro_sync", RUN)
        assert ["/start", "/start"] == server.paths
    assert [] == announcements.events


def test_a_server_that_is_down_is_a_warning(announcements: Announcements, nobody: str) -> None:
    """The system's word says why, and the check's id is not in it."""
    with Pings(check(nobody), announcements, plain) as pings:
        pings.announce_start("micro_sync", RUN)
    assert ["Connection refused"] == announcements.reasons
    assert CHECK not in repr(announcements.events)


def test_telling_waits_for_no_answer(announcements: Announcements) -> None:
    """A server may take a minute for each; nor does the end of the service wait once somebody hurries."""
    with PingServer(silent=True) as server, Pings(check(server.url), announcements, plain) as pings:
        for _ in range(3):
            pings.announce_start("micro_sync", RUN)
            pings.announce_end("micro_sync", RUN, 0)
        assert [] == announcements.reasons
        pings.stop_sending()
    assert ["there was no time left to send it"] * 6 == announcements.reasons


def test_the_end_of_the_service_waits_no_longer_than_for_one_ping(announcements: Announcements) -> None:
    """While a server never answers: what waits behind the one under way is given up."""
    with PingServer(silent=True) as server:
        with Pings(check(server.url, timeout=0.5), announcements, plain) as pings:
            for code in range(6):
                pings.announce_end("micro_sync", RUN, code)
        assert "/5" not in server.paths
    assert (6, "there was no time left to send it") == (len(announcements.reasons), announcements.reasons[-1])


def test_too_many_pings_are_not_kept(announcements: Announcements) -> None:
    """While a server hangs, the service's memory does not grow."""
    with PingServer(silent=True) as server, Pings(check(server.url), announcements, plain) as pings:
        pings.announce_start("micro_sync", RUN)
        assert server.heard.wait(60)  # from now on that one is under way
        for _ in range(MOST_WAITING + 5):
            pings.announce_start("micro_sync", RUN)
        assert 5 == announcements.reasons.count("too many others wait to be sent")
        pings.stop_sending()


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://h/secret", "file:///secret", "secret", "http:///secret", "http://h:port/secret", "http://h/sec ret"),
        *("http://u:secret@h/x", "http://h/secręt", "http://h/secret\n", "http://[secret/"),
        *("http://h..secret/x", "http://.secret/x", f"http://{'secret' * 11}.example/x"),
    ],
)
def test_an_address_that_cannot_be_called_is_refused(announcements: Announcements, url: str) -> None:
    """At once, as a problem of the settings, and without showing it."""
    with pytest.raises(SettingsInvalid, match=r"pings\.url: ") as caught:
        Pings(check(url), announcements, plain)
    assert "secr" not in str(caught.value)
