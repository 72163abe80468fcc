"""The files of the service, in a folder of its own below `.memory/`. This module imports almost nothing."""

from pathlib import Path

from pipeline.workspace.service_address import ADDRESS

FOLDER = ".memory/service"
"""The service's folder, relative to the workspace, as all names here."""
STATE = f"{FOLDER}/state.json"
LOGS = f"{FOLDER}/logs"


class ServiceFolder:
    """The service's files in one workspace. Nothing is made here."""

    def __init__(self, root: Path) -> None:
        """`root` is the workspace."""
        self.path = root / FOLDER
        self.state = root / STATE
        """`schemas.service_state.ServiceState` as JSON; it stays when the service ends."""
        self.lock = self.path / "service.lock"
        """Held by the one service of the workspace as long as it lives."""
        self.address = root / ADDRESS
        """A text file that names the socket, which lies where its path is short enough for the system."""
        self.logs = root / LOGS
        """The folder of what the runs that the service started wrote, one file each."""
