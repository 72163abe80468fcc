"""Expected errors of a fleet: its database, its workspaces, and who may publish."""

from collections.abc import Sequence

from pipeline.errors import FileInvalid, PipelineError, UnknownName
from schemas import exit_codes


class FleetError(PipelineError):
    """A fleet did not carry out a request."""


class NoFleet(FleetError):
    """Nothing names a fleet."""

    exit_code = exit_codes.UNUSABLE
    sentence = "There is no {file}, so nothing names the database of a fleet."
    advice = 'Write url = "postgresql://USER@HOST/DATABASE" into it, or set MEMORY_FLEET__URL.'
    file: str


class FleetSettingsInvalid(FileInvalid):
    """The settings of a fleet cannot be used; all problems are named at once."""

    advice = "Correct it, then try `memory fleet list`."


class FleetDriverMissing(FleetError):
    """The libraries that a fleet needs are not installed."""

    exit_code = exit_codes.UNUSABLE
    sentence = "A fleet needs libraries that are not installed."
    advice = "Install them with `pip install 'agent-memory-pipeline[fleet]'`."


class FleetUnavailable(FleetError):
    """The database of the fleet cannot be reached, or refuses; nothing was published."""

    sentence = "The database of the fleet, {where}, cannot be used: {reason}."
    advice = "Nothing was published; try again once it is back."
    where: str
    reason: str


class FleetFull(FleetError):
    """The database of the fleet has no room."""

    sentence = "There is no room left in the database of the fleet, {where}."
    advice = "Nothing was published; make room there."
    where: str


class FleetOtherVersion(FleetError):
    """The tables of the fleet are of a version that this program does not work with."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The fleet in {where} has version {version} of its tables, and this program works with {known}."
    advice = "`memory fleet init` brings older tables up to date; for newer tables, update the program."
    where: str
    version: int
    known: int


class UnknownFleetWorkspace(UnknownName):
    """The fleet has no workspace of this name; the names of others are those of owners, and may be many."""

    sort = "workspace of the fleet"
    advice = "`memory fleet list` lists them."


class FleetNameTaken(FleetError):
    """The fleet has a workspace of this name."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The fleet has a workspace {name} already."
    advice = "Choose another name, or take that one out with `memory fleet remove {name}`."
    name: str


class FleetNameInvalid(FleetError):
    """A workspace of a fleet cannot have this name, which would stand in the addresses of the fronts."""

    exit_code = exit_codes.UNUSABLE
    sentence = "A workspace of a fleet cannot be named {name!r}."
    advice = "A name has up to 100 letters from a to z, digits, dots, hyphens and underscores, a letter or digit first."
    name: str


class UnknownFleetToken(UnknownName):
    """No token of the fleet has this name."""

    sort = "token"
    advice = "`memory fleet token list` lists the tokens."


class UnknownAct(UnknownName):
    """No act of the workspace has this number, or its answer went when something was forgotten."""

    sort = "act"


class TooManyActs(FleetError):
    """A workspace has as many acts that wait as it may have."""

    exit_code = exit_codes.HELD
    sentence = "{most} acts of this workspace wait already."
    advice = "Nothing was asked for; try again when workers have carried some of them out."
    most: int


class ActTooLong(FleetError):
    """An act has more characters than anything that could be carried out."""

    exit_code = exit_codes.UNUSABLE
    sentence = "An act has at most {longest:,} characters."
    advice = "Nothing was asked for; ask with fewer words."
    longest: int


class ActUnknown(FleetError):
    """An act that waits is none that this program knows."""

    sentence = "This program does not know act {seq}, which a program of another version has asked for."
    advice = "It waits for a worker of that version."
    seq: int


class ActForgotten(FleetError):
    """An act names something that was forgotten after it was asked for; it waited meanwhile, and is not carried out."""

    exit_code = exit_codes.UNUSABLE
    sentence = "Something that act {seq} names was forgotten meanwhile, so it was not carried out."
    advice = "Ask for it again without that."
    seq: int


class ActBroken(FleetError):
    """An act was begun again and again, and its workers died or met a bug; nothing of it was published."""

    sentence = "Act {seq} was tried several times without an end, and was not carried out."
    advice = "Ask for it once more; if it is refused again, tell the operator, whose workers log the reason."
    seq: int


class FleetCacheTaken(FleetError):
    """A folder is the cache of another worker or front, which is at work in it."""

    exit_code = exit_codes.HELD
    sentence = "Another worker or front is at work in the cache folder {folder}."
    advice = "Give this one a folder of its own: MEMORY_FLEET__CACHE=DIR."
    folder: str


class WorkspaceTakenOut(FleetError):
    """A workspace was taken out of the fleet while somebody asked for it."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The workspace {name} is not in the fleet any more."
    advice = "Ask the operator."
    name: str


class CheckoutLost(FleetError):
    """Somebody else has taken the workspace, or it was removed: this checkout can publish nothing any more."""

    exit_code = exit_codes.HELD
    sentence = "The workspace {name} was taken by somebody else meanwhile, or removed."
    advice = "Nothing was published. The next checkout begins with what is published now."
    name: str


class GenerationDamaged(FleetError):
    """A piece of a generation is missing, or is not as it was written."""

    sentence = "Generation {number} of the workspace {name} lacks a piece, or has a damaged one."
    advice = "`memory fleet doctor` lists all of them; an earlier dump of the database may have them whole."
    name: str
    number: int


class FolderLeadsOut(FleetError):
    """Links or settings of a folder lead out of it: to what may be another owner's, or the operator's."""

    exit_code = exit_codes.UNUSABLE
    sentence = "A fleet takes the files of {folder} alone, and these lead out of it: {links}."
    advice = "Copy what links lead to, and take these settings out of its memory.toml; `memory ship` sends transcripts."
    folder: str
    links: Sequence[str]


class NotPulled(FleetError):
    """A folder was not pulled from a workspace of this fleet, so nobody can tell what has changed in it."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{folder} was not pulled from a workspace of this fleet."
    advice = "`memory fleet pull NAME DIR` gets one into a folder; bring your changes into it."
    folder: str


class PushOutdated(FleetError):
    """The generation that was pulled, or the one that was pushed, is not kept any more."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The fleet does not keep generation {base} any more, which you pulled."
    advice = (
        "It goes after 30 days, or when something is forgotten. Nothing was changed. Pull again into another folder, "
        "and make your changes there."
    )
    base: int


class PushUnusable(FleetError):
    """A page of a push has bytes that nobody could read or mend in the fleet."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{path} cannot be pushed: it {what}."
    advice = "Nothing was changed. Save it as UTF-8, and push again."
    path: str
    what: str


class PushConflicts(FleetError):
    """A folder and the fleet have changed the same text in different ways."""

    conflicts: Sequence[str]
    """Each with the place, the words of the fleet and those that were pushed."""

    def __str__(self) -> str:
        shown = "".join(f"\n{conflict}" for conflict in self.conflicts)
        return (
            f"The same lines were changed in the fleet and in your folder, {len(self.conflicts)} times:{shown}\n"
            "Nothing was changed. Pull again into another folder, and bring your changes there."
        )


class TreeUnreadable(FleetError):
    """A file of a workspace cannot be read, so that its generation would lack it."""

    sentence = "Nothing was published, because these cannot be read: {paths}."
    advice = "Make them readable, or move them out of the workspace."
    paths: Sequence[str]
