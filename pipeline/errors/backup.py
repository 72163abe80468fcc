"""Back-ups that cannot be made, and restores that cannot be done."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes


class BackupError(PipelineError):
    """A back-up, or a restore, cannot be made as it is wanted."""


class BackupRefused(BackupError):
    """A folder cannot take a back-up, or a back-up cannot be restored there."""

    exit_code = exit_codes.UNUSABLE


class BackupInside(BackupRefused):
    """The folder of the back-up lies in the workspace, or the other way round."""

    sentence = "{folder} and the workspace {root} lie in each other, so what harms one harms the other."
    advice = "Name a folder elsewhere, on another disk if there is one."
    folder: str
    root: str


class NoBackup(BackupRefused):
    """The folder holds no back-up."""

    sentence = "There is no back-up in {folder}{why}."
    advice = "`memory backup DIR` makes one in an empty folder."
    folder: str
    why: str = ""


class FolderTaken(BackupRefused):
    """The folder for a back-up has other things in it."""

    sentence = "{folder} {what}, and a back-up has a folder to itself."
    advice = "Name a folder that is empty, or not there yet."
    folder: str
    what: str


class OtherBackup(BackupRefused):
    """The folder holds the back-up of another workspace."""

    sentence = "{folder} holds the back-up of another workspace, which was last in {other} on {host}."
    advice = "Nothing was changed. Name another folder; to bring that workspace here, `memory restore {folder}`."
    folder: str
    other: str
    host: str


class BackupHeld(BackupError):
    """Another process makes a back-up in this folder, or restores this workspace."""

    exit_code = exit_codes.HELD
    sentence = "Another back-up or restore is under way ({place})."
    advice = "Nothing was changed. Try again when it has ended."
    place: str


class BackupDamaged(BackupError):
    """A part of a back-up is missing, or is not as it was written."""

    sentence = "{path} {why}, so the back-up in {folder} was not used."
    advice = "Another generation may be whole: `memory backup {folder} --list` names them."
    path: str
    why: str
    folder: str


class BackupForged(BackupDamaged):
    """The signature of a back-up does not fit: something other than the owner's key has written it."""

    advice = "Something else than `memory backup` has changed the folder: do not trust it."


class BackupNewer(BackupRefused):
    """A newer program has made the back-up."""

    sentence = "The back-up in {folder} was made by a newer version, {version}."
    advice = "Install that version or a later one."
    folder: str
    version: str


class BackupRolledBack(BackupRefused):
    """The folder holds an older state than this home has seen in it."""

    sentence = "{folder} ends with generation {number}, and this home has seen its generation {seen}."
    advice = (
        "Somebody has put an older state in its place, or the newest is lost. "
        "If you know why, and want the older state, restore it with --accept-older; back up into another folder."
    )
    folder: str
    number: int
    seen: int


class BackupGone(BackupRefused):
    """The back-up that a workspace has in a folder is not there any more."""

    sentence = "{folder} had a back-up of this workspace, which is not there any more."
    advice = "Nothing was written. Bring it back (is its disk there?), or back up into another folder."
    folder: str


class UnknownGeneration(UnknownName):
    """The back-up has no generation of this number."""

    sort = "generation"


class OtherKey(BackupRefused):
    """The back-up was signed with another key than the one in this home."""

    sentence = "The back-up in {folder} was signed with another key than the one in {key}."
    advice = "Nothing was changed. Name another folder for a back-up of your own."
    folder: str
    key: str


class WordsMissing(BackupError):
    """The key is not in this home, and nobody has given the words that stand for it."""

    exit_code = exit_codes.NO_PERSON
    sentence = "The key that signed {folder} is not in this home, so nobody can say whether it is as you left it."
    advice = (
        "Give the twelve words that `memory backup` showed: at a terminal, in a file with --words-file, or in "
        "MEMORY_BACKUP_WORDS. Without them: --trust-whoever-wrote-it."
    )
    folder: str


class WordsWrong(BackupRefused):
    """The words do not stand for the key of this back-up."""

    sentence = "These words are not those of the key that signed {folder}: {why}."
    advice = "Nothing was restored. They are twelve English words, in their order."
    folder: str
    why: str


class KeyDamaged(BackupError):
    """The file of the owner's key cannot be read."""

    sentence = "The key for back-ups in {path} cannot be used: {why}."
    advice = "Move it away; a restore asks for the words then, and a new back-up in another folder makes a new key."
    path: str
    why: str


class NoKeyPlace(BackupError):
    """Nothing says where the person's configuration is, and so where the key of back-ups is."""

    exit_code = exit_codes.UNUSABLE
    sentence = "Neither HOME nor XDG_CONFIG_HOME names a folder, so there is no place for the key of back-ups."
    advice = "Set one of them, and try again."


class RestoreInTheWay(BackupRefused):
    """Something stands where a workspace is to be restored, and it is no workspace that could be merged."""

    sentence = "{folder} is there already, and is {what}."
    advice = "Nothing was changed. Restore into a folder that is empty, or not there yet: --into FOLDER."
    folder: str
    what: str


class MergeRefused(BackupRefused):
    """A back-up cannot be merged into the workspace that is there."""

    sentence = "{root} cannot take generation {number} in: {why}."
    advice = "Nothing was changed. Restore it beside the workspace, --into FOLDER, and take from there what you want."
    root: str
    number: int
    why: str


class MergeConflicts(BackupRefused):
    """The workspace and the back-up have changed the same text in different ways."""

    exit_code = exit_codes.FAILED
    conflicts: Sequence[str]
    """Each with the place, the words here and the words of the back-up."""

    def __str__(self) -> str:
        shown = "".join(f"\n{conflict}" for conflict in self.conflicts)
        return (
            f"The same lines were changed here and in the back-up, {len(self.conflicts)} times:{shown}\n"
            "Nothing was changed. Say which holds with --prefer here or --prefer backup, or make them equal first."
        )
