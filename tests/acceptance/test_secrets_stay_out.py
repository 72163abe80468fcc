"""Secrets of every kind in what is said: no byte that the product writes, prints or sends holds one.

Every secret here is made up for these tests. Numbers are long, so that no digest holds one by chance.
"""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import Said
from tests.support.processes.commands import RealWorkspace
from tests.support.processes.serving_process import serving_process
from tests.support.servers.behaviours import Received, failing
from tests.support.servers.model_server import ScriptedServer
from tests.support.servers.ping_server import PingServer
from tests.support.weekly import ZONE
from tests.support.workspaces.four_days import model_table

SETTING = "correct horse battery 77"
MODEL_KEY = "model-key-0f9e8d7c6b5a"
SAID = {
    "a token behind other letters": ("push with tokenghp_{}", "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"),
    "a camelCase name": ('the staging config has dbPassword: "{}"', "hunter2xyz"),
    "a setting's name": ("set SMTP_PASSWORD to {} on the server", "Tulipan-8842-x"),
    "a key in digits": ("the twilio auth token is {}", "0428b891e753e4ee2a384f00b9fd1498"),
    "a random string": ("use {} for the upload", "xK9vQ2mLp8RtY4wZbN6cJ3hF"),
    "a gate": ("the code for the garage is {}", "4471904#"),
    "a keypad": ("type {} at the keypad of the shed", "99207713"),
    "a bank": ("my bank pin {} stays as it is", "92740031"),
    "one-time": ("the code from the sms is {}", "48291357"),
    "number words": ("the locker code is {}", "four seven one one nine"),
    "a word": ("the wifi password is {}", "dragonfruit"),
    "words": ("the passphrase is {}", "purple monkey dishwasher lamp"),
    "a person": ("my ssn is {}", "078-05-1120"),
    "below its name": ("the password for the router:\n{}", "Maple#2211"),
    "a link": ("the invitation is https://x.example/invite/{}", "KnOxIMvw1JcjvJSSt42qZkABIp94"),
    "what a setting holds": ("the index is opened with {} from now on", SETTING),
    "pl: furtka": ("kod do furtki to {}", "7731904#"),
    "pl: hasło": ("hasło do poczty to {}", "stokrotka-polna"),
    "pl: sejf": ("sejf otwiera się na {}", "30-12-45-77"),
    "pl: PESEL": ("mój PESEL to {}", "44051401359"),
    "zh: gate": ("大门密码：{}", "88420917"),
    "zh: words": ("wifi 密码是{}", "我爱北京天安门"),
    "zh: safe": ("保险箱密码是 {}", "44556699"),
    "zh: full-width": ("密码：{}", "Ａbc１２３４ｘ"),
}
ASKED = {
    "What is the password for the nas?": "Autumn2026!",
    "Jaki jest kod do domofonu?": "3391#8842",
    "门禁码是多少？": "25807731#",
}
BEGINNINGS = {"pl": "Zapamiętaj: od teraz zawsze tak: {}", "zh": "记住，以后一律这样：{}"}
SECRETS = {secret for _, secret in SAID.values()} | set(ASKED.values())
SHOWN = (
    ("entries", "--json"),
    ("search", "password code key hasło kod 密码", "--k", "50", "--json"),
    ("runs", "--json", "--all"),
    ("status", "--json"),
    ("transcripts", "--json"),
    ("doctor",),
    ("config", "show"),
    ("config", "show", "--json"),
)


@dataclass
class SecretWorkspace:
    """A workspace whose owner told every secret, and all that has come out of it."""

    memory: RealWorkspace
    day: date
    seen: list[tuple[str, str]] = field(default_factory=list)

    def run(self, *words: str, **variables: str) -> Said:
        """Run a command and keep what it said."""
        ended = self.memory.memory(*words, MEMORY_LOG_LEVEL="debug", **variables)
        self.seen += [(f"{words[0]}, stdout", ended.out), (f"{words[0]}, stderr", ended.err)]
        return ended

    def leaks(self) -> set[tuple[str, str]]:
        """Every place that holds a secret: what the product wrote beside the settings, what it printed and sent."""
        paths = [self.memory.root / "memory.toml", *(self.memory.root / "sessions").iterdir()]
        files = [file for file in self.memory.root.rglob("*") if file.is_file() and file not in paths]
        places = [(str(file.relative_to(self.memory.root)), file.read_bytes()) for file in files]
        places += [(name, text.encode()) for name, text in self.seen]
        secrets = SECRETS | {MODEL_KEY}
        forms = {(one, form.encode()) for one in secrets for form in (one, json.dumps(one)[1:-1])}
        return {(name, one) for name, data in places for one, form in forms if form in data}

    def shown(self) -> None:
        """Run every command that shows something."""
        for words in SHOWN:
            self.run(*words)
        for name in ("told", "asked"):
            assert 0 == self.run("show", "transcript", name, "--all").code


@pytest.fixture
def secret_workspace(tmp_path: Path, first_day: date) -> SecretWorkspace:
    """The workspace; its sessions stand in a folder of it."""
    root = tmp_path / "told"
    sources = "".join(
        f'[[sources]]\nkind = "{kind}"\npath = "sessions"\nname = "{kind}"\n' for kind in ("openclaw", "claude_code")
    )
    settings = f'timezone = "{ZONE}"\nstart = {first_day}T00:00:00+01:00\n{sources}'
    memory = RealWorkspace(root, {"MEMORY_INDEX__API_KEY": SETTING, "MEMORY_MODEL__API_KEY": MODEL_KEY})
    memory.configure(settings)
    at = datetime(first_day.year, first_day.month, first_day.day, 8, tzinfo=UTC)
    _say(root / "sessions", at)
    return SecretWorkspace(memory, first_day)


def _say(folder: Path, at: datetime) -> None:
    said, asked = OpenClawLines("told", timestamp=_stamp(at, 0)), ClaudeLines("asked")
    for number, (kind, (sentence, secret)) in enumerate(SAID.items()):
        text = sentence.format(secret)
        remember = BEGINNINGS.get(kind.partition(":")[0], "Remember this, from now on always: {}").format(text)
        turns = [("assistant", f"Shall I note that {text} ?"), ("user", remember), ("assistant", f"Noted: {text}")]
        for minute, (who, words) in enumerate(turns):
            message = {"role": who, "content": [{"type": "text", "text": words}]}
            said.add({"type": "message", "timestamp": _stamp(at, 3 * number + minute), "message": message})
    for number, (question, secret) in enumerate(ASKED.items()):
        asked.assistant(question, timestamp=_stamp(at, 2 * number))
        asked.user(secret, timestamp=_stamp(at, 2 * number + 1))
    said.write(folder / "told.jsonl")
    asked.write(folder / "asked.jsonl")


def _stamp(at: datetime, minutes: int) -> str:
    return (at + timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _backfill(secret_workspace: SecretWorkspace, *words: str) -> Said:
    end = str(secret_workspace.day + timedelta(days=6))
    jobs = ("micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound")
    return secret_workspace.run("backfill", *jobs, "--from", str(secret_workspace.day), "--to", end, "--yes", *words)


def test_no_secret_is_written_or_printed(secret_workspace: SecretWorkspace) -> None:
    """Neither in Markdown, nor in the ledger, the index, the logs, or the output of any command."""
    assert 0 == _backfill(secret_workspace).code
    assert 0 == secret_workspace.run("doctor", "reindex").code
    secret_workspace.shown()
    assert set() == secret_workspace.leaks()
    assert "••••" in "".join(text for _, text in secret_workspace.seen)


def test_no_secret_is_sent(secret_workspace: SecretWorkspace) -> None:
    """Neither to a model that answers nothing, nor to a check that is told of runs, nor by the service."""
    sent: list[Received] = []
    with PingServer() as check, ScriptedServer(failing(500)) as server:
        settings = secret_workspace.memory.root / "memory.toml"
        settings.write_text(settings.read_text(encoding="utf-8") + model_table(server), encoding="utf-8")
        secret_workspace.run("run", "micro_sync", MEMORY_PINGS__URL=check.url)
        variables = {**secret_workspace.memory.environment, "MEMORY_PINGS__URL": check.url, "MEMORY_LOG_LEVEL": "debug"}
        with serving_process(secret_workspace.memory.root, secret_workspace.memory.root.parent, **variables):
            assert check.heard.wait(60)
        sent += server.requests
        secret_workspace.seen += [("ping", ping.body) for ping in check.pings]
    secret_workspace.seen += [("request", json.dumps(request.body, ensure_ascii=False)) for request in sent]
    assert any("the passphrase is" in text for name, text in secret_workspace.seen if name == "request")
    assert set() == secret_workspace.leaks()
