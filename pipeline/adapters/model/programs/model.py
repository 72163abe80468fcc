"""`pipeline.ports.engine.LanguageModel` through a program that its owner is signed in to."""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO

from pipeline.adapters.model.programs.claude import ClaudeCode
from pipeline.adapters.model.programs.codex import Codex
from pipeline.adapters.model.programs.program import (
    Login,
    ModelProgram,
    ProgramOutput,
    ProgramQuestion,
    ProgramRefused,
    ProgramReply,
)
from pipeline.errors import ModelUnavailable, ModelWaits
from pipeline.ports.engine import Question, Reply
from pipeline.process.tied import tied_command
from pipeline.workspace.asking import ASKING, ASKING_FOLDER
from schemas.settings import ModelSettings

PROGRAMS: tuple[ModelProgram, ...] = (ClaudeCode(), Codex())

_COMMON = frozenset(
    (
        *("HOME", "PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR"),
        *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    )
)
_HOMES = (".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin", ".volta/bin", ".nvm/versions/node/*/bin")
"""Folders below HOME that a shell has in its PATH, and a service has not."""
_MACHINES = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin")
_LOOK_SECONDS = 20.0
"""For a program to say who is signed in; that of a question is in the settings."""
_LONGEST_OUTPUT = 16_777_216  # bytes that are read of each stream


def find_program(name: str, environment: Mapping[str, str]) -> Path | None:
    """The file of a program: in the PATH, or where installers of agents put it; `None` when it is not there."""
    home = environment.get("HOME", "")
    folders = [str(path) for pattern in _HOMES if home for path in sorted(Path(home).glob(pattern), reverse=True)]
    path = os.pathsep.join([environment.get("PATH", os.defpath), *folders, *_MACHINES])
    file = shutil.which(name, path=path)
    return Path(file) if file else None


@dataclass(frozen=True)
class ProgramLook:
    """The file of a program, `None` when it is not there, and its login."""

    file: Path | None
    login: Login


class ProgramModel:
    """One question at a time, each a process of its own in an empty folder, with a small part of the environment.

    Two processes with one login at once would both renew it, and the owner would be signed out. May be used from
    several threads.
    """

    def __init__(self, settings: ModelSettings, folder: Path, environment: Mapping[str, str]) -> None:
        """`settings` name a program. `folder` is ours, and need not exist; `environment` is that of this process."""
        self._settings, self._environment = settings, environment
        self._program = next(program for program in PROGRAMS if program.name == settings.program)
        self._folder = folder / self._program.name
        self._turn = Lock()

    @property
    def name(self) -> str:
        """The program and its model."""
        return f"{self._program.name}:{self._model(background=False) or 'default'}"

    @property
    def background(self) -> str:
        """The program, and its model that sums up and judges; without a setting, its cheapest."""
        return f"{self._program.name}:{self._model(background=True) or 'default'}"

    def _model(self, *, background: bool) -> str:
        """The name of a model at the program; empty for its own choice."""
        chosen = self._settings.background or self._program.small if background else ""
        return chosen or self._settings.name

    def takes_schema(self, name: str) -> bool:
        """A program always takes a schema."""
        del name
        return True

    def look(self) -> ProgramLook:
        """The place of the program, and whether somebody is signed in; no question is asked.

        Raises:
            OSError: it cannot be run.
            subprocess.TimeoutExpired: it does not end.
        """
        executable = find_program(self._program.name, self._environment)
        if executable is None:
            return ProgramLook(None, Login(signed_in=False))
        command = [str(executable), *self._program.status]
        ended = _run(command, "", Path("/"), self._environment_for(executable), _LOOK_SECONDS)
        if ended.late:
            raise subprocess.TimeoutExpired(command, _LOOK_SECONDS)
        return ProgramLook(executable, self._program.read_status(ended))

    def answer(self, question: Question) -> Reply:
        """One answer, as text that should be JSON."""
        asked = self.background if question.background else self.name
        try:
            with self._turn, _login_lock(self._program.login(self._environment)):
                reply = self._ask(question)
        except (OSError, ProgramRefused) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
            raise ModelUnavailable(asked, f"{self._program.name} cannot be run ({reason})") from error
        answer = Reply(reply.text, reply.input_tokens, reply.output_tokens, reply.cached_tokens)
        if not reply.problem:
            return answer
        failure = ModelWaits if reply.waits else ModelUnavailable
        spent = answer.usage if answer.usage.tokens else None
        raise failure(asked, reply.problem, reply.busy, reply.late, reply.too_long, spent)

    def _ask(self, question: Question) -> ProgramReply:
        executable = find_program(self._program.name, self._environment)
        if executable is None:
            return ProgramReply(problem="its file is not there; install it, or put its folder into PATH", waits=True)
        empty = self._folder / ASKING_FOLDER
        empty.mkdir(mode=0o700, parents=True, exist_ok=True)
        environment = self._environment_for(executable)
        # For each question anew: the program may have been updated meanwhile.
        environment |= self._program.prepare(self._folder, environment, executable)
        asked = ProgramQuestion(question, self._model(background=question.background), self._folder)
        command = [str(executable), *self._program.arguments(asked)]
        seconds = self._settings.patience.total_seconds()
        ended = _run(command, question.input, empty, environment, seconds)
        reply = self._program.read(ended)  # one that was ended may have said it all, and hung then
        late = ProgramReply(problem=f"no answer within {seconds:g} s (model.timeout)", late=True)
        return reply or (late if ended.late else ProgramReply(problem=_no_reply(ended)))

    def _environment_for(self, executable: Path) -> dict[str, str]:
        """The part of our environment that a program has."""
        names = _COMMON | self._program.variables | set(self._settings.environment)
        kept = {name: value for name, value in self._environment.items() if name in names or name[:3] == "LC_"}
        # Programs that run by node need its folder, which is mostly their own.
        return kept | {"PATH": os.pathsep.join([str(executable.parent), kept.get("PATH", os.defpath)]), ASKING: "1"}


@contextmanager
def _login_lock(login: Path) -> Iterator[None]:
    """Hold a login, so that other processes of ours, also of other workspaces, wait for their turn."""
    try:
        file = login.open("rb")
    except OSError:  # a key, a system's key ring, or nothing yet
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _no_reply(ended: ProgramOutput) -> str:
    """The reason for an output without a reply, without its words, which may repeat the text."""
    if ended.code < 0:
        return f"it was ended by signal {-ended.code}"
    if "unknown option" in ended.err or "unexpected argument" in ended.err:
        return f"it does not know an option, and ended with {ended.code}; update it"
    return f"it ended with {ended.code} and gave no answer"


def _run(command: list[str], text: str, folder: Path, environment: Mapping[str, str], seconds: float) -> ProgramOutput:
    """Run a program to its end, or until its time is over.

    Raises:
        OSError: it cannot be run.
    """
    # Files, not pipes: a child of its own that outlives it could keep a pipe open for ever.
    with _temporary(text.encode(errors="surrogatepass")) as data, _temporary() as out, _temporary() as err:
        process = subprocess.Popen(  # noqa: S603 - the program that the owner named
            tied_command(command),
            cwd=folder,
            env=dict(environment),
            stdin=data,
            stdout=out,
            stderr=err,
            process_group=0,
        )
        late = False
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        return ProgramOutput(code, _content(out), _content(err), late)


@contextmanager
def _temporary(data: bytes = b"") -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_LONGEST_OUTPUT).decode(errors="replace")
