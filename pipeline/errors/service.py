"""The expected errors of a service, its page and its tokens, and of connecting programs with it."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes


class ServiceError(PipelineError):
    """The service cannot begin, or not go on."""


class CannotListen(ServiceError):
    """The address where `/metrics` and `/health` are to be shown cannot be had."""

    sentence = "Cannot listen on {where}: {reason}."
    advice = "Name another address in service.http, or none to show nothing."
    where: str
    reason: str


class PartsLost(ServiceError):
    """The service closed its parts to open them by other settings, and could not open them by any."""

    sentence = (
        "The new settings cannot be used: {refused} Nor could the service go on with the old ones: {lost} "
        "It has ended; once that is mended, start it again."
    )
    refused: str
    lost: str


class ServiceRunning(ServiceError):
    """The workspace has a service already."""

    exit_code = exit_codes.HELD
    sentence = "{root} has its service already: {holder}."
    advice = "One workspace has one service; stop that one to start another."
    root: str
    holder: str


class WorkspaceGone(ServiceError):
    """The folder that the service works in was taken away under it."""

    sentence = "{path} has disappeared, or is another one than when the service began, so the service has ended."
    advice = "If its disk was unmounted, bring it back; then start the service again."
    path: str


class ReaderGone(PipelineError):
    """The client does not wait for the answer any more."""

    sentence = "Nobody waits for the answer any more, so the work was ended."
    advice = "Ask again to have it done."


class SystemdMissing(PipelineError):
    """There is no systemd to install anything under."""

    exit_code = exit_codes.UNUSABLE
    sentence = "There is no systemctl here, so nothing was installed (--print shows the units all the same)."
    advice = "Whatever keeps a program running can keep `memory serve` running; or give cron this line:\n{line}"
    line: str


class UnknownWork(UnknownName):
    """There is no log of work with this id."""

    sort = "work"
    advice = "Logs are kept for `retention`; `memory show runs` lists all runs."


class PageError(PipelineError):
    """A person's form on the page was not carried out."""


class WorkGoesOn(PageError):
    """A person begins something on the page while something goes on."""

    sentence = "Something is at work already ({work_id})."
    advice = "Wait until it ends, or stop it, then begin again."
    work_id: str


class PageOutdated(PageError):
    """Something that a form decides about has changed since it was shown."""

    sentence = "This has changed since the page was shown."
    advice = "Nothing was done; look at it as it is now."


class NothingChosen(PageError):
    """A form decides about several things, and none is ticked."""

    exit_code = exit_codes.UNUSABLE
    sentence = "Nothing was ticked, so nothing was done."
    advice = "Go back, and tick what you mean."


class NothingWritten(PageError):
    """The decision of a person changes nothing."""

    why: Sequence[str]
    """Sentences of the job that was to write it."""

    def __str__(self) -> str:
        return " ".join(["Nothing was written.", *self.why, "Look at it as it is now."])


class NotOpen(PipelineError):
    """The service does not show the page."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The page cannot be opened: {why}."
    advice = "{next_step}"
    why: str
    next_step: str


class NoPersonThere(PipelineError):
    """Only a person decides, and nothing shows that a person is there."""

    exit_code = exit_codes.NO_PERSON
    sentence = "Only a person decides this, and {why}."
    advice = "Run the command in a terminal of your own."
    why: str


class UnknownToken(UnknownName):
    """No token has this name."""

    sort = "token"
    advice = "`memory config token list` lists the tokens."


class TokenNameTaken(PipelineError):
    """A token has this name already."""

    exit_code = exit_codes.UNUSABLE
    sentence = "There is a token {name!r} already."
    advice = "Name this one otherwise, or revoke that one first."
    name: str


class TokensDamaged(PipelineError):
    """The file of the tokens cannot be read, so no call is allowed."""

    sentence = "The tokens in {path} cannot be read: {reason}."
    advice = "Remove the file, and add the tokens anew."
    path: str
    reason: str


class HomeMissing(PipelineError):
    """There is no home folder, and so no configuration of an agent."""

    exit_code = exit_codes.UNUSABLE
    home: str

    def __str__(self) -> str:
        state = f"names no folder ({self.home})" if self.home else "is not set"
        return f"HOME {state}, so nobody can tell where the agent's configuration is. Set it and try again."


class PluginInstalled(PipelineError):
    """A client has our plugin for a workspace already, so a connection would show everything twice."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{title} has {plugin} for this workspace already, so nothing was written."
    advice = "Keep it, or run `{removal}` first: then the connection can be put in."
    title: str
    plugin: str
    removal: str


class ConfigurationRefused(PipelineError):
    """A file of an agent cannot be changed without a risk for the other lines in it."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{path} {why}."
    advice = "Nothing was changed. What it is to hold:\n\n{lines}"
    path: str
    why: str
    lines: str


class ChoiceUnknown(PipelineError):
    """A form names something that was not among its choices."""

    sentence = "{choice} is not among what can be chosen here."
    advice = "Look at the settings again: what is offered may have changed. Other values are written at the terminal."
    choice: str
