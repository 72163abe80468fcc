"""The page on a fleet can be followed: from nothing to entries of what a laptop has shipped."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.processes.command_line import bare_environment, end_of
from tests.support.processes.waiting import awaited
from tests.support.servers.postgresql import PostgresServer

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "fleet.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALL = re.compile(r"^pip install .*\n", re.MULTILINE)
_ADDRESS = "http://127.0.0.1:8765"
_READY = re.compile(r'"http": "(http://[^"]+)"')
_TOKEN = re.compile(r"\bmem_[\w-]+")


def in_shell(script: str, environment: Mapping[str, str]) -> str:
    """What a shell prints in the home folder."""
    home = environment["HOME"]
    said = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert (script, 0) == (script, said.returncode), said.stderr
    return said.stdout


@contextmanager
def at_work(command: str, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on until it is stopped; then it ends well."""
    shell = ["/bin/sh", "-c", command.replace("memory fleet", "exec memory fleet")]
    with (Path(environment["HOME"]) / "log").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(
            shell, cwd=environment["HOME"], env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            assert (command, 0) == (command, end_of(process).code)


def front_address(home: Path) -> str | None:
    """The address of the front, once it answers."""
    ready = _READY.search((home / "log").read_text(encoding="utf-8"))
    return ready and ready[1]


def test_the_page_can_be_followed(postgres: PostgresServer, tmp_path: Path, demo: Path) -> None:
    """Three owners, two workers and a front; the windows of a laptop's sessions become entries of their owner alone."""
    shutil.copytree(demo, tmp_path / "memory")
    path = os.pathsep.join([str(Path(sys.executable).parent), str(postgres.programs), os.environ["PATH"]])
    server = {"PGHOST": str(postgres.folder), "PGUSER": postgres.user}
    free = {"MEMORY_FLEET__HTTP": "127.0.0.1:0", "MEMORY_EMBEDDER__KIND": "none"}
    environment = bare_environment(tmp_path, PATH=path, **server, **free)
    make, add, start, ship, back_fill, operate = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    url = f"postgresql://{postgres.user}@/memory_fleet?host={postgres.folder}"
    make = _INSTALL.sub("", make).replace("postgresql://fleet@localhost/memory_fleet", url)
    in_shell(make, environment)
    tokens = _TOKEN.findall(in_shell(add, environment))
    first, second, front = (line.removesuffix(" &") for line in start.splitlines())
    with at_work(first, environment), at_work(second, environment), at_work(front, environment):
        address = awaited(lambda: front_address(tmp_path))
        in_shell(ship.replace(_ADDRESS, address).replace("mem_...", tokens[1]), environment)
        asking, answering = back_fill.replace(_ADDRESS, address).replace("mem_...", tokens[0]).rsplit("\ncurl ", 1)
        assert " 202 " in in_shell(asking, environment)
        token = asking.splitlines()[0]

        def answer() -> dict[str, Any] | None:
            act = json.loads(in_shell(f"{token}\ncurl -sS {answering}", environment))
            return None if act["state"] == "waiting" else act

        assert "done" == awaited(answer)["state"]
        entries = f'curl -sSf -H "Authorization: Bearer $TOKEN" {address}/w/{{}}/api/v1/entries'
        assert "RULE-20260313" in in_shell(f"{token}\n{entries.format('anna')}", environment)
        assert "RULE-" not in in_shell(f"TOKEN={tokens[2]}\n{entries.format('ben')}", environment)
        assert _TOKEN.search(in_shell(operate, environment))
