"""Golden outputs: what commands print, and what routes, pages and tools answer, about one workspace at one moment.

`tests/golden/rows.toml` has their arguments: what has none there is an error, so no new command is forgotten. `MASKS`
names what differs between two runs of the same code.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import unified_diff
from enum import Enum
from functools import cache, partial
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click
from fastapi import Request
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel

from pipeline.surfaces.cli.main import cli
from pipeline.surfaces.cli.tree import COMMANDS
from pipeline.surfaces.http.application import PAGES, REPLACED
from pipeline.surfaces.http.page.rendering import Page, page_of
from pipeline.surfaces.http.state import StateThere
from tests.support.processes.command_line import CommandLine, Said, bare_environment
from tests.support.processes.preparation import at_moment, prepare
from tests.support.processes.terminal import at_keyboard
from tests.support.workspaces.page_reader import PageReader
from tests.support.workspaces.sample_workspace import sample
from tests.support.workspaces.served_demo import ServedWorkspace, served

MOMENT = datetime(2026, 3, 16, 12, tzinfo=UTC)
"""The present: the day after the last sample session."""
LAST = date(2026, 3, 4)
"""Of the days that the golden files of the tests have."""
ROWS: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "golden/rows.toml").read_text(encoding="utf-8"))
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "COLUMNS": "110", "MEMORY_EMBEDDER__KIND": "none"}
_FIRST = date(2026, 3, 2)
_SETTINGS = """timezone = "Europe/Warsaw"
start = 2026-03-16T12:00:00Z

[[sources]]
kind = "openclaw"
path = "sessions/openclaw"

[[sources]]
kind = "claude_code"
path = "sessions/claude-code"

[agents.main]
sources = ["openclaw:main"]
"""
_STEP = timedelta(seconds=1)
_WIDTH = 120
_TIMES = ("seconds", "p50", "p95")
MASKS = {
    "run": r"\b20260316T\d{6}-[0-9a-f]+",
    "moment": r"\b2026-03-16[T ]1[23]:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:\d\d|Z)?",
    "backfill": r"\b20260316-[0-9a-f]{4,}\b",
    "id": r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    "digest": r"\b[0-9a-f]{16}\b",
    "line": r"\bj-[0-9a-f]{8}\b",
    "process": r"^(process|python)_\w+(\{[^}]*\})? .*",
    "second": r"\b1\.77366\d*e\+09\b",
    "token": r"\bmem_[\w-]{20,}|\bmemory_[0-9a-f]{12}\b",
    "port": r"(?<=127\.0\.0\.1:)\d{4,5}",
    "time": r"\b\d+\.\d+ m?s\b",
    "host": r"(?<=/work on )[^\s.]+",
    "room": r"[\d,]+(?= MB are free)",
}
"""What differs between two runs of the same code, by the name that stands for it. Ids of sample sessions stay."""
_LATER = re.compile(r"(# (HELP|TYPE) )?memory_index_")
"""Begins the metrics that come once the service has looked at its index, which an answer may precede."""
_PROGRESS = re.compile(r'"event": "series\.progressed"')
"""A line of a series that takes seconds, as on a slow machine."""
Row = Mapping[str, Any]


class RowsWrong(Exception):
    """The table of arguments lacks something, or has too much; the message lists it."""


@dataclass
class GoldenWorkspace:
    """A workspace `work` in a folder, and the commands and requests to it; each is a second after the last."""

    folder: Path
    moment: datetime = MOMENT

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.folder / "work"

    def make(self, last: date | None = None) -> None:
        """Make the workspace of `memory demo`, or one of its sessions alone with the days until `last` read."""
        if last is None:
            self._must("demo", str(self.root))
        else:
            sample(self.root).configure(_SETTINGS)
            self._must("backfill", "--all", "--from", str(_FIRST), "--to", str(last))
            words = ("--type", "log", "--description", "npm install")
            self._must(
                "store", *words, stdin="".join(f"npm package {number}\n" for number in range(600)) + "ERESOLVE\n"
            )
        with (self.root / "memory.toml").open("a", encoding="utf-8") as settings:
            settings.write('\n[embedder]\nkind = "none"\n')  # for what is served, which has no variables
        self._must("doctor", "reindex")

    def _must(self, *words: str, stdin: str = "") -> None:
        place = ("--workspace", str(self.root)) if words[0] != "demo" else ()
        said = self.call(*words, *place, stdin=stdin)
        assert 0 == said.code, said.shown

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Bring the workspace back, afterwards, to what it is now."""
        copy = Path(mkdtemp(dir=self.folder)) / "work"
        shutil.copytree(self.root, copy)
        yield
        shutil.rmtree(self.root)
        shutil.move(copy, self.root)

    def call(self, *words: str, stdin: str = "", typed: str = "") -> Said:
        """Run a command; `typed` is typed at its terminal, without it there is none."""
        self.moment += _STEP
        memory, prepared = CommandLine(self.folder), at_moment(self.moment)
        if typed:
            return at_keyboard(memory, f"{typed}\n", *words, prepared=prepared, **_ENVIRONMENT)
        (self.folder / "stdin").write_text(stdin, encoding="utf-8")
        return memory(*words, before=(*prepared, "stdin", str(self.folder / "stdin")), **_ENVIRONMENT)

    def values(self) -> dict[str, str]:
        """What the names of the table stand for, such as `{run}`."""
        values = {"root": str(self.root)}
        for command, names in ROWS["names"].items():
            records = self.call(*command.split(), "--json", "--workspace", str(self.root)).records
            for name, wanted in names.items():
                fitting = [record for record in records if wanted.get("where", {}).items() <= record.items()]
                values[name] = str(fitting[wanted.get("at", 0)][wanted["field"]])
        return values

    def masked(self, value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
        """A value of JSON without what differs between two runs; `name` is its field."""
        if isinstance(value, dict):
            fields = {self._masked_text(key): self.masked(item, key) for key, item in value.items()}
            if "short" in value and f"-{value['short']}" in str(value.get("run_id")):
                fields["short"] = "<run>"
            # The size of a database changes with the pages that were freed in it.
            return fields | {"size": "<size>"} if str(value.get("where")).endswith(".db") else fields
        if isinstance(value, list):
            kept = (item for item in value if not (isinstance(item, str) and _LATER.match(item)))
            return [self.masked(item, name) for item in kept]
        if isinstance(value, int | float) and name.endswith(_TIMES):
            return "<time>"
        return self._masked_text(value) if isinstance(value, str) else value

    def _masked_text(self, text: str) -> str:
        text = text.replace(str(self.folder), "<folder>")
        for name, pattern in MASKS.items():
            text = re.sub(pattern, partial(_named, name), text)
        return text


def _named(name: str, match: re.Match[str]) -> str:
    return match[0] if match[0] in _sample_ids() else f"<{name}>"


@cache
def _sample_ids() -> frozenset[str]:
    sessions = Path(str(files("pipeline.demo"))) / "sessions"
    texts = [f"{path} {path.read_text(encoding='utf-8')}" for path in sessions.rglob("*") if path.is_file()]
    return frozenset(match[0] for text in texts for match in re.finditer(MASKS["id"], text))


def commands() -> Iterator[tuple[str, click.Command]]:
    """All commands that can be called, by the words that follow `memory`."""
    for name, entrance in COMMANDS.items():
        if entrance.module and (command := cli.get_command(click.Context(cli), name)):
            yield name, command


def command_answers(
    golden: GoldenWorkspace, *options: str, only: Container[str] = ROWS["commands"]
) -> dict[str, object]:
    """What each command that has `--json`, or `only` some, prints with these options, in the order of the table."""
    _check("commands", [name for name, one in commands() if any(option.name == "as_json" for option in one.params)])
    values = golden.values()
    return {
        name: [_called(golden, [*name.split(), *options], row, values) for row in rows]
        for name, rows in ROWS["commands"].items()
        if name in only
    }


def _check(table: str, names: Sequence[str]) -> None:
    if wrong := sorted(set(names) ^ set(ROWS[table])):
        message = f"tests/golden/rows.toml, [{table}]: {', '.join(wrong)}"
        raise RowsWrong(message)


def _called(
    golden: GoldenWorkspace, words: Sequence[str], row: Row | Sequence[str], values: Mapping[str, str]
) -> object:
    given: Row = row if isinstance(row, Mapping) else {"words": row}
    own: list[str] = filled(given["words"], values)
    stdin, typed = given.get("stdin", ""), given.get("typed", "")
    of_others = words[0] in {"workspaces", "init", "fleet"}  # all of them, a new one, and those of a fleet
    place = () if of_others else ("--workspace", str(golden.root))
    said = golden.call(*words, *own, *place, stdin=stdin, typed=typed)
    out: list[Any] = said.records if "--json" in words else said.out.splitlines()
    if given.get("shape"):  # the values are those of this machine
        out = sorted({", ".join(record) for record in out} if "--json" in words else [])
    err = [line for line in said.err.splitlines() if not _PROGRESS.search(line)]
    return {"asked": row, "code": said.code, "out": out, "err": err}


def filled(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    """Arguments in which names of the table are replaced by their values."""
    if isinstance(value, dict):
        return {key: filled(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], value) if isinstance(value, str) else value


@dataclass(frozen=True)
class RecordedPage(Page):
    """A page that keeps the values which it shows."""

    shown: list[object] = field(default_factory=list)

    def show(self, template: str, values: Mapping[str, object], status: int = HTTPStatus.OK) -> HTMLResponse:
        """The document, as ever."""
        self.shown.append({"template": template, "values": plain(values)})
        return super().show(template, values, status)


def plain(value: object) -> object:
    """A value as JSON has it; of an object its fields, of what has none the name of its type."""
    match value:
        case Enum():
            made: object = plain(value.value)
        case None | bool() | int() | float():
            made = value
        case str() | Path() | date() | timedelta():
            made = str(value)
        case BaseModel():
            made = {name: plain(getattr(value, name)) for name in type(value).model_fields}
        case Mapping():
            made = {str(plain(key)): plain(item) for key, item in value.items()}
        case set() | frozenset():
            made = sorted(map(plain, value), key=str)
        case Sequence():
            made = [plain(item) for item in value]
        case _ if is_dataclass(value):
            names = [one.name for one in fields(value) if not one.name.startswith("_")]
            made = {name: plain(getattr(value, name)) for name in names}
        case _:
            made = type(value).__name__
    return made


@dataclass(frozen=True)
class ServedGolden:
    """The workspace while it is served; `values` are those of the table's names, and `shown` what a page showed."""

    workspace: ServedWorkspace
    values: Mapping[str, str]
    shown: list[object]

    def pages(self) -> dict[str, object]:
        """The values that the documents of the page show."""
        known = [route for router in PAGES for route in router.routes if isinstance(route, APIRoute)]
        _check("pages", [f"GET {route.path}" for route in known if "GET" in (route.methods or ())])
        for path, body in ROWS["before"]["pages"]:
            self.workspace.ask(path, "POST", body)
        return {route: [self._shown(path) for path in paths] for route, paths in ROWS["pages"].items()}

    def _shown(self, path: str) -> object:
        self.shown.clear()
        answer = PageReader(self.workspace).get(filled(path, self.values))
        return {"asked": path, "status": answer.status, "shown": [*self.shown]}

    def tools(self) -> dict[str, object]:
        """The tools of MCP, of a person and of an agent, and what each answers the agent, or a person."""
        tokens = {"person": self.workspace.person, "agent": self.workspace.agent}
        listed = {who: self._asked(token, "tools/list", {})["tools"] for who, token in tokens.items()}
        _check("tools", sorted({tool["name"] for tools in listed.values() for tool in tools}))
        return {"listed": listed} | {
            name: [self._called(name, row) for row in rows] for name, rows in ROWS["tools"].items()
        }

    def _called(self, name: str, row: Row) -> object:
        who = self.workspace.person if row.get("person") else self.workspace.agent
        arguments = {key: filled(value, self.values) for key, value in row.items() if key != "person"}
        answer = self._asked(who, "tools/call", {"name": name, "arguments": arguments})
        texts = [part["text"] for part in answer["content"]]
        read = [json.loads(text) if text.startswith("{") else text.splitlines() for text in texts]
        return {"asked": row, "error": answer.get("isError", False), "answer": read}

    def _asked(self, token: str, method: str, params: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        accept = "application/json, text/event-stream"
        answer = self.workspace.ask("/mcp", "POST", body, authorization=f"Bearer {token}", accept=accept)
        text = answer.body.decode()
        events = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
        return json.loads(events[-1] if events else text)["result"]

    def routes(self) -> dict[str, object]:
        """The answers of the API, in the order of the table."""
        described = [f"{method.upper()} {path}" for path, one in self.description()["paths"].items() for method in one]
        _check("routes", [*described, *ROWS["before"]["undescribed"]])
        return {route: [self._routed(route, row) for row in rows] for route, rows in ROWS["routes"].items()}

    def description(self) -> dict[str, Any]:
        """The description of the API."""
        description: dict[str, Any] = self.workspace.ask("/openapi.json").value
        return description

    def _routed(self, route: str, row: Row | str) -> object:
        given: Row = {"path": row} if isinstance(row, str) else row
        body = given.get("body")
        sent = body.encode() if isinstance(body, str) else filled(body, self.values)
        agent = {"authorization": f"Bearer {self.workspace.agent}"} if given.get("agent") else {}
        answer = self.workspace.ask(filled(given["path"], self.values), route.split(" ", maxsplit=1)[0], sent, **agent)
        kind = answer.headers.get("content-type", "")
        read = answer.value if kind.endswith("json") else answer.body.decode().splitlines()
        return {"asked": row, "status": answer.status, "type": kind, "answer": read}


def served_answers(golden: GoldenWorkspace) -> dict[str, Any]:
    """What pages, tools and routes answer, in this order, in a process of its own that has our clock."""
    golden.moment += timedelta(minutes=1)
    (golden.folder / "values").write_text(json.dumps(golden.values()), encoding="utf-8")
    command = [sys.executable, "-m", "tests.support.golden", str(golden.folder), golden.moment.isoformat()]
    # Sets have the same order in each run.
    environment = bare_environment(golden.folder, PYTHONHASHSEED="0", **_ENVIRONMENT)
    subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, check=True)
    answered: dict[str, Any] = json.loads((golden.folder / "answers").read_text(encoding="utf-8"))
    return answered


def _serve(folder: Path, moment: str) -> None:
    prepare(*at_moment(datetime.fromisoformat(moment))[2:])
    shown = list[object]()

    def recorded(request: Request, state: StateThere) -> Page:
        page = page_of(request, state)
        return RecordedPage(page.request, page.language, page.zone, page.layout, shown)

    REPLACED.dependency_overrides[page_of] = recorded
    values = json.loads((folder / "values").read_text(encoding="utf-8"))
    with served(folder / "work") as workspace:
        golden = ServedGolden(workspace, values, shown)
        answered = {"pages": golden.pages(), "tools": golden.tools(), "routes": golden.routes()}
        answered["description"] = golden.description()
    (folder / "answers").write_text(json.dumps(answered), encoding="utf-8")


def answers(golden: GoldenWorkspace) -> dict[str, Any]:
    """What commands print for programs, and what pages, tools and routes answer; each of the same workspace.

    And the description of the API, which the files of the tests do without: `docs/reference/http.md` is made of it.
    """
    with golden.kept():
        commands_answer = command_answers(golden, "--json")
    with golden.kept():
        return {"commands": commands_answer, **served_answers(golden)}


def laid_out(value: Any, column: int = 0) -> str:  # noqa: ANN401 - JSON
    """JSON in lines that can be compared: what fits stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or column + len(line) <= _WIDTH:
        return line
    space = " " * (column + 1)
    if isinstance(value, list):
        parts = [laid_out(item, column + 1) for item in value]
    else:
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {laid_out(item, column + 1)}" for key, item in value.items()]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return f"{opening}\n{space}" + f",\n{space}".join(parts) + f"\n{' ' * column}{closing}"


def write(folder: Path, golden: GoldenWorkspace, parts: Mapping[str, object]) -> None:
    """Write values into a folder, each masked in a file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in parts.items():
        (folder / f"{name}.json").write_text(f"{laid_out(golden.masked(value))}\n", encoding="utf-8")


def write_tested(folder: Path, place: Path) -> None:
    """Write the golden files of the tests into a folder, of a workspace in a place where there is none."""
    golden = GoldenWorkspace(place)
    golden.make(LAST)
    write(folder, golden, {name: value for name, value in answers(golden).items() if name != "description"})


def differences(before: Path, after: Path) -> list[str]:
    """How the golden files of a folder differ from those of another, line by line."""
    lines = list[str]()
    for name in sorted({path.name for folder in (before, after) for path in folder.glob("*.json")}):
        old, new = (
            (folder / name).read_text(encoding="utf-8").splitlines() if (folder / name).exists() else []
            for folder in (before, after)
        )
        lines += unified_diff(old, new, f"before/{name}", f"after/{name}", n=2, lineterm="")
    return lines


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2])
