"""The answers about a workspace on its Unix socket, in this process, as the service gives them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.app.index import OpenIndex
from pipeline.events import Emit, silent
from pipeline.service.socket.address import listening
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.web.server import LocalListener, WebServer
from pipeline.surfaces.http.local import make_local


@contextmanager
def local_server(root: Path, opened: OpenIndex, in_use: SettingsInUse, emit: Emit = silent) -> Iterator[None]:
    """Answer by an open index until the end of the block."""
    with ServiceAnswers(root, opened, in_use) as answers, listening(root) as listener:
        local = LocalListener(listener, make_local(answers, emit))
        with WebServer("", None, local=local):
            try:
                yield
            finally:
                answers.close()
