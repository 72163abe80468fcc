"""Bad days of a program that answers for a back-fill: each is a sentence, nothing is lost, and little is paid twice."""

import json
import os
import shlex
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Any

import pytest

from tests.support.ports.shown_rows import read_shown
from tests.support.processes.command_line import Said, end_of
from tests.support.processes.commands import RealWorkspace
from tests.support.processes.fake_program import Behaviour, Call, fake_program, lines
from tests.support.processes.waiting import SOON_SECONDS
from tests.support.weekly import ZONE
from tests.support.workspaces.four_days import JOBS, PROMISE, FourDays, build_four_days
from tests.support.workspaces.transcript_folder import TranscriptFolder

WAITS = 4
CLAUDE = '[model]\nprogram = "claude"\nsources.openclaw = "claude"\n'
USAGE = {"input_tokens": 10, "output_tokens": 2}
SIGNED_OUT = Behaviour(lines({"type": "result", "is_error": True, "result": "Not logged in", "usage": USAGE}), code=1)
NOISE = "\x1b[1mUpdate available!\x1b[0m run `claude update`\n"


def says(answer: dict[str, Any] | None) -> Behaviour:
    """A good reply of Claude Code, with a notice before it; `None` is one without its structured part."""
    result = {"type": "result", "subtype": "success", "is_error": False, "usage": USAGE}
    return Behaviour(NOISE + lines(result if answer is None else result | {"structured_output": answer}))


def promises(call: Call) -> dict[str, Any]:
    """All that the owner asks to remember, word for word."""
    if "candidates" not in json.loads(call.option("--json-schema"))["properties"]:
        return {}
    shown = read_shown(call.input, ZONE)
    said = [one for one in shown.messages if one.number >= shown.first_new and one.text.startswith(PROMISE)]
    return {"candidates": [entry(one.text, one.number) for one in said]}


def entry(quote: str, number: int) -> dict[str, Any]:
    """A candidate that says what the quote says."""
    fields = {"kind": "remember", "title": quote, "quote": quote, "quote_number": number, "conclusion": quote}
    return {**fields, "confirmation": "stated", "confidence": 0.9}


@dataclass
class Asked:
    """The program of a workspace: it behaves as told, and counts what it has answered."""

    four_days: FourDays
    folder: Path
    behave: Callable[[Call], Behaviour] = lambda call: says(promises(call))
    answered: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def called(self, call: Call) -> Behaviour:
        """How the program ends."""
        if call.argv[0] != "-p":
            return Behaviour('{"loggedIn": true}')
        behaviour = self.behave(call)
        if '"success"' in behaviour.out:
            with self.lock:
                self.answered[call.input] += 1
        return behaviour

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the back-fill."""
        return ("backfill", "micro_sync", "--from", str(self.four_days.first), "--to", str(self.four_days.days[-1]))

    @property
    def path(self) -> str:
        """A PATH with the program."""
        return os.pathsep.join([str(self.folder), os.environ["PATH"]])

    def backfill(self, **more: str) -> Said:
        """How the back-fill ends."""
        return self.four_days.memory.memory(*self.words, **{"PATH": self.path, **more})

    @property
    def keys(self) -> set[str]:
        """The keys of which a promise is written down."""
        titles = [one["title"] for one in self.four_days.memory.entries() if one["title"].startswith(PROMISE)]
        assert len(titles) == len(set(titles))
        return {title.removeprefix(PROMISE).split()[0] for title in titles}


@pytest.fixture
def asked(tmp_path: Path, first_day: date) -> Iterator[Asked]:
    """Four days of talk, and a program in the PATH."""
    four_days = build_four_days(tmp_path / "house", first_day, CLAUDE)
    subject = Asked(four_days, tmp_path / "bin")
    with fake_program(tmp_path / "bin", "claude", subject.called):
        yield subject


def test_a_program_that_is_signed_out_in_the_middle(asked: Asked) -> None:
    """What was answered is written, the rest waits and says what to do; signed in again, no answer is paid twice."""
    asked.behave = lambda call: SIGNED_OUT if sum(asked.answered.values()) == 2 else says(promises(call))
    said = asked.backfill()
    assert (WAITS, True) == (said.code, "run `claude` and sign in with /login" in said.shown), said.shown
    before = asked.keys
    asked.behave = lambda call: says(promises(call))
    assert 0 == asked.backfill().code
    assert before < asked.keys
    assert (12, {1}) == (len(asked.keys), set(asked.answered.values()))


def test_a_program_that_dies_or_says_half(asked: Asked) -> None:
    """By a signal, with half of an answer, or without its structured part; each once, and then all is done."""
    half = Behaviour(says({"candidates": [entry("x", 1)]}).out[:-40])
    bad = [Behaviour(signal=signal.SIGSEGV), half, says(None), Behaviour("", "panic", 101)]
    asked.behave = lambda call: bad.pop() if bad else says(promises(call))
    codes = [asked.backfill().code]
    while codes[-1] == WAITS and len(codes) < 9:
        codes.append(asked.backfill().code)
    assert (0, []) == (codes[-1], bad)
    assert 12 == len(asked.keys)


def test_fifty_candidates_of_which_few_are_right(asked: Asked) -> None:
    """The right ones are written, the invented ones are rejected and counted."""

    def crowded(call: Call) -> dict[str, Any]:
        right = promises(call)
        invented = [entry(f"Remember that the moon is made of cheese number {number}.", 1) for number in range(48)]
        return {**right, "candidates": [*invented, *right["candidates"]]} if right else {}

    asked.behave = lambda call: says(crowded(call))
    said = asked.backfill()
    assert (0, False) == (said.code, "cheese" in "".join(map(repr, asked.four_days.memory.pages().values())))
    assert 12 == len(asked.keys)
    assert "0 candidates rejected" not in said.out


def test_a_program_that_is_updated_meanwhile(asked: Asked) -> None:
    """Its file is away for a moment: that is waited for, as the next question may find it."""
    file, away = asked.folder / "claude", asked.folder / "claude.new"

    def updated(call: Call) -> Behaviour:
        if file.exists() and not away.exists():
            shutil.copy2(file, away)
            file.unlink()
        return says(promises(call))

    asked.behave = updated
    said = asked.backfill(PATH=os.pathsep.join([str(asked.folder), "/usr/bin", "/bin"]))
    assert (WAITS, True) == (said.code, "its file is not there; install it" in said.shown), said.shown
    away.rename(file)
    asked.behave = lambda call: says(promises(call))
    assert 0 == asked.backfill().code
    assert (12, {1}) == (len(asked.keys), set(asked.answered.values()))


def test_a_command_that_is_killed_at_a_question_pays_for_that_one_again(asked: Asked) -> None:
    """The program ends with it; the answers before are kept."""
    begun = Event()

    def stuck(call: Call) -> Behaviour:
        if sum(asked.answered.values()) < 2:
            return says(promises(call))
        begun.set()
        return Behaviour(signal=signal.SIGSTOP)

    asked.behave = stuck
    process = asked.four_days.memory.start(*asked.words, PATH=asked.path)
    assert begun.wait(SOON_SECONDS)
    process.kill()
    end_of(process)
    asked.behave = lambda call: says(promises(call))
    assert 0 == asked.backfill().code
    assert (12, {1}) == (len(asked.keys), set(asked.answered.values()))


def test_two_commands_at_once(asked: Asked) -> None:
    """The second is told that the first is at work, or finds all answered."""
    begun, go_on = Event(), Event()

    def slow(call: Call) -> Behaviour:
        begun.set()
        go_on.wait(SOON_SECONDS)
        return says(promises(call))

    asked.behave = slow
    first = asked.four_days.memory.start(*asked.words, PATH=asked.path)
    assert begun.wait(SOON_SECONDS)
    second = asked.backfill()
    go_on.set()
    assert (75, 0) == (second.code, end_of(first).code), second.shown
    assert (12, {1}) == (len(asked.keys), set(asked.answered.values()))


ONLY_ITS_OWN = """
mount --bind {home} {home} && mount --bind {house} {house} && mount -o remount,bind,ro {home} &&
! touch {home}/x 2> /dev/null && exec "$@"
"""


def in_namespace() -> bool:
    """Whether this user may make a mount namespace here."""
    made = ["unshare", "-Urm", "true"]
    return bool(shutil.which("unshare")) and not subprocess.run(made, capture_output=True, check=False).returncode


@pytest.mark.skipif(not in_namespace(), reason="no mount namespace can be made here")
def test_a_question_from_the_namespace_of_a_unit(tmp_path: Path, first_day: date) -> None:
    """HOME is read-only but for the workspace, and the PATH is that of the unit: a program in ~/.local/bin is found."""
    four_days = build_four_days(tmp_path / "house", first_day, CLAUDE)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/.credentials.json").write_text("{}")
    (tmp_path / ".local").mkdir()
    asked = Asked(four_days, tmp_path / ".local/bin")
    script = ONLY_ITS_OWN.format(home=shlex.quote(str(tmp_path)), house=shlex.quote(str(four_days.memory.root)))
    with fake_program(tmp_path / ".local/bin", "claude", asked.called) as program:
        said = four_days.memory.memory(
            *asked.words, before=("unshare", "-Urm", "sh", "-c", script, "sh"), HOME=str(tmp_path), PATH="/usr/bin:/bin"
        )
    assert (0, 12, {1}) == (said.code, len(asked.keys), set(asked.answered.values())), said.shown
    assert {str(tmp_path)} == {call.environment["HOME"] for call in program.calls}


PROGRAMS = {"zebra": "claude", "quagga": "codex"}
"""The program of each source; every message of a source has its name in it."""


def keeps(call: Call) -> dict[str, Any]:
    """All that the owner says in a piece of a talk."""
    is_codex = call.argv[0] == "exec"
    schema = Path(call.option("--output-schema")).read_text() if is_codex else call.option("--json-schema")
    if "candidates" not in json.loads(schema)["properties"]:
        return {}
    said = [one for one in read_shown(call.input, ZONE).messages if one.text.startswith("Remember")]
    return {"candidates": [entry(one.text, one.number) for one in said]}


def codex(call: Call) -> Behaviour:
    """A good reply of Codex, which lists its models before."""
    if call.argv[0] == "debug":
        return Behaviour(lines({"models": [{"slug": "m"}]}))
    item = {"type": "agent_message", "text": json.dumps(keeps(call))}
    return Behaviour(lines({"type": "item.completed", "item": item}, {"type": "turn.completed", "usage": USAGE}))


@pytest.mark.parametrize("mixed", ["", "claude"])
def test_a_program_sees_its_own_source(tmp_path: Path, first_day: date, mixed: str) -> None:
    """Whatever job asks, no word of the other source; all text goes only to the program that is named for it."""
    sources = "".join(f'[[sources]]\nkind = "openclaw"\npath = "{name}"\nname = "{name}"\n' for name in PROGRAMS)
    parts = "".join(f'sources.{name} = "{program}"\n' for name, program in PROGRAMS.items())
    named = f'[model]\nprogram = "claude"\nmixed = "{mixed}"\n{parts}'
    root = tmp_path / "house"
    memory = RealWorkspace(root).configure(f'timezone = "{ZONE}"\nstart = {first_day}T00:00:00+01:00\n{sources}{named}')
    for place, name in enumerate(PROGRAMS):
        for day in range(3):
            moment = datetime.combine(first_day + timedelta(days=day), time(9 + place), UTC)
            text = f"Remember that the sauna costs {30 + 10 * day + place} euro, {name}."
            TranscriptFolder(root / name).say(f"{name}-{day}", [(moment, "user", text)])
    with (
        fake_program(tmp_path / "bin", "claude", lambda call: says(keeps(call))) as claude,
        fake_program(tmp_path / "bin", "codex", codex) as other,
    ):
        until = first_day + timedelta(days=6)
        path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
        said = memory.memory("backfill", *JOBS, "--from", str(first_day), "--to", str(until), PATH=path)
        assert 0 == said.code, said.shown
        assert 6 == len(memory.entries())
    seen = {
        name: {word for call in program.calls for word in PROGRAMS if word in call.input + " ".join(call.argv)}
        for name, program in (("claude", claude), ("codex", other))
    }
    assert {"claude": {"zebra", "quagga"} if mixed else {"zebra"}, "codex": {"quagga"}} == seen
