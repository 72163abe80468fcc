"""The expected errors of a service and of those who install it, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError, UnknownName


class CannotListen(PipelineError):
    """The address where `/metrics` and `/health` are to be shown cannot be had."""

    def __init__(self, where: str, reason: str) -> None:
        """`reason` is the system's own word."""
        super().__init__(
            f"Cannot listen on {where}: {reason}. Name another address in service.http, or none to show nothing."
        )


class PartsLost(PipelineError):
    """The service closed its parts to open them by other settings, and could not open them by any."""

    def __init__(self, refused: str, lost: str) -> None:
        """`refused` is what is wrong with the new settings, `lost` with the old ones, each as a sentence."""
        super().__init__(
            f"The new settings cannot be used: {refused} Nor could the service go on with the old ones: {lost} "
            f"It has ended; once that is mended, start it again."
        )


class ReaderGone(PipelineError):
    """Whoever asked does not wait for the answer any more."""

    def __init__(self) -> None:
        super().__init__("Nobody waits for the answer any more, so the work was ended. Ask again to have it done.")


class ServiceRunning(PipelineError):
    """The workspace has a service already."""

    exit_code = 75

    def __init__(self, root: str, holder: str) -> None:
        """`holder` names its process and host."""
        super().__init__(
            f"{root} has its service already: {holder}. One workspace has one service; stop that one to start another."
        )


class WorkspaceGone(PipelineError):
    """The folder that the service works in was taken away under it."""

    def __init__(self, path: str) -> None:
        """`path` is the folder."""
        super().__init__(
            f"{path} has disappeared, or is another one than when the service began, so the service has ended. "
            f"If its disk was unmounted, bring it back; then start the service again."
        )


class SystemdMissing(PipelineError):
    """There is no systemd to install anything under."""

    exit_code = 2

    def __init__(self, crontab: str) -> None:
        """`crontab` is a line that does the same under cron."""
        super().__init__(
            f"There is no systemctl here, so nothing was installed (--print shows the units all the same). Whatever "
            f"keeps a program running can keep `memory serve` running; or give cron this line:\n{crontab}"
        )


class WorkGoesOn(PipelineError):
    """A person begins something on the page while something goes on."""

    def __init__(self, work_id: str) -> None:
        """`work_id` is what goes on."""
        super().__init__(f"Something is at work already ({work_id}). Wait until it ends, or stop it, then begin again.")


class UnknownWork(UnknownName):
    """No log tells of a piece of work of this id."""

    sort = "work"
    listed = "Logs are kept for `retention`; `memory runs` lists all runs"
