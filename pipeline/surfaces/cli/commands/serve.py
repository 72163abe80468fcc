"""`memory serve`."""

import os
import sys
import threading
from typing import TYPE_CHECKING

import click

from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message, run_guarded, version

if TYPE_CHECKING:
    from pipeline.service.parts import WebParts
    from pipeline.service.web.server import Application


@click.command("serve")
@options.workspace
def command(workspace: str | None) -> int:
    """Run jobs at their times, and answer at once.

    This is the service: it also keeps the index fresh. It stays in the foreground until it is stopped, and is the only
    service of its workspace. Each run is a process of its own, the same as `memory run JOB`, which goes when the
    service does; what it prints is kept in .memory/service/logs for retention. The service itself logs on stderr, one
    JSON object a line; on a terminal only warnings.

    SIGTERM and Ctrl-C stop it when the run under way has reached its safe point; a second one ends that run at once.
    SIGHUP reads the settings anew; on a terminal, which has gone then, it stops too. A service manager such as systemd
    is told how it is (Type=notify, WatchdogSec); `memory serve install` installs it there.

    Exit codes: 0 stopped as asked, 130 or 143 when asked twice, 75 the workspace has a service already or belongs to
    another host, 1 the workspace disappeared or the system refuses, 2 wrong use or settings.
    """
    root = root_of(workspace)
    from pipeline.service.parts import Applications
    from pipeline.service.serve import ServeOptions, serve
    from pipeline.surfaces.http.local import make_local

    context = ProcessContext(environment())
    applications = Applications(make_local, _network)
    options = ServeOptions(dict(os.environ), print_message, sys.stderr.isatty(), version(), applications)
    code = run_guarded(lambda: serve(root, context, options))  # reports errors here: a thread may outlive this call
    if threading.active_count() > 1:
        _end_at_once(code)
    return code


def _network(parts: "WebParts") -> "Application":
    from pipeline.surfaces.http.application import open_application

    return open_application(parts, version())


def _end_at_once(code: int) -> None:
    """End the process although a thread is still at work, on an answer that was waited for long enough.

    When it comes back from a library of C++ while Python shuts down, the library aborts the process, and a service
    manager would take that for a failure.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
