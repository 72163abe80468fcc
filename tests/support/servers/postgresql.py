"""A PostgreSQL server of the tests' own, where its programs are installed."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")
_SETTINGS = (
    "-c listen_addresses='' -c fsync=off -c full_page_writes=off -c autovacuum=off -c max_connections=40"
    " -c unix_socket_directories="
)


@dataclass(frozen=True)
class PostgresServer:
    """A server on a socket in `folder`; it runs as `user` where the tests run as root, which PostgreSQL refuses."""

    programs: Path
    folder: Path
    user: str

    @property
    def url(self) -> str:
        """Where it is, for `store.url`."""
        return f"postgresql://{self.user}@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"{_SETTINGS}{self.folder}"
        self._control("-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` is what a crash leaves."""
        self._control("-m", mode, "stop")

    def create(self) -> None:
        """Make its files."""
        self._run("initdb", "-D", str(self.folder / "data"), "-U", self.user, "-A", "trust", "--no-sync", "-E", "UTF8")

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-w", "-D", str(self.folder / "data"), *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        user = self.user if os.geteuid() == 0 else None
        with (self.folder / "output").open("ab") as output:
            command = [str(self.programs / program), *arguments]
            subprocess.run(command, check=True, stdout=output, stderr=output, cwd=self.folder, user=user)


def programs() -> Path | None:
    """The folder of PostgreSQL's programs; `None` where they are not installed."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = (path for pattern in _FOLDERS for path in Path("/").glob(pattern.lstrip("/")))
    return max((path for path in installed if (path / "initdb").exists()), default=None)


def why_none() -> str:
    """Why no server can be started; empty where one can."""
    if programs() is None:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0 and _other_user() is None:
        return "PostgreSQL does not run as root, and there is no user postgres or nobody"
    return ""


@contextmanager
def running(folder: Path) -> Iterator[PostgresServer]:
    """A server that runs meanwhile."""
    bin_folder, user = programs(), _other_user() if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    if bin_folder is None or user is None:
        raise FileNotFoundError(why_none())
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    server = PostgresServer(bin_folder, folder, user)
    server.create()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _other_user() -> str | None:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)
