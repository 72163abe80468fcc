"""Where the service keeps what it needs, in a folder of its own below `.memory/`. Imports next to nothing."""

from pathlib import Path

STATE_FOLDER = ".memory"


class ServiceFolder:
    """The service's files in one workspace. Nothing is made here."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self.path = root / STATE_FOLDER / "service"

    @property
    def state(self) -> Path:
        """`schemas.service_state.ServiceState` as JSON; it stays when the service ends."""
        return self.path / "state.json"

    @property
    def lock(self) -> Path:
        """Held by the one service of the workspace as long as it lives."""
        return self.path / "service.lock"

    @property
    def address(self) -> Path:
        """A text file that names the socket, which lies where its path is short enough for the system."""
        return self.path / "socket"

    @property
    def logs(self) -> Path:
        """The folder of what the runs that the service started wrote, one file each."""
        return self.path / "logs"
