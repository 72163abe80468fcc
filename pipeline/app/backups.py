"""Back-ups of a workspace, as the commands ask for them."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.backup.key import KeyFile, OwnerKey, key_file, key_of_words
from pipeline.backup.make import BackupWishes, Maker, back_up, list_generations
from pipeline.backup.restore import open_backup, signer_of
from pipeline.errors.backup import WordsMissing, WordsWrong
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from schemas.reports.backup import BackupReport, GenerationReport


@dataclass(frozen=True)
class MadeBackup:
    """A back-up that was made, with the key, which is `new` to this home."""

    report: BackupReport
    key: OwnerKey
    new: bool


def make_backup(root: Path, folder: Path, context: ProcessContext, version: str, wishes: BackupWishes) -> MadeBackup:
    """Make a back-up of a workspace with the owner's key, which is made where there is none.

    Raises:
        BackupError: as of `back_up`; the key cannot be used.
        WriteFailed: the system refuses; the key cannot be kept.
    """
    settings = load_settings(root, context.environment)
    workspace = Workspace(root, Layout(discover(), settings.agents.root))
    keys = key_file(context.environment)
    key, new = keys.make()
    maker = Maker(key, version, socket.gethostname(), context.clock.now(), keys.read_seen_generation)
    report = back_up(workspace, settings.index, folder, maker, wishes)
    keys.note_seen(report.chain, report.generation)
    return MadeBackup(replace(report, store_elsewhere=bool(settings.store.url.get_secret_value())), key, new)


def generations_in(folder: Path, environment: Mapping[str, str]) -> list[GenerationReport]:
    """The generations of a back-up; signatures are checked where the key is in this home."""
    key = key_file(environment).read()
    opened = open_backup(folder, key if key and key.name == signer_of(folder) else None)
    return list(list_generations(opened.pieces, list(opened.chain), signed=opened.signed))


def key_for(folder: Path, keys: KeyFile, words: str) -> OwnerKey:
    """The key that signed a back-up: that of this home, or that of the words, which is kept where there is none.

    Raises:
        BackupError: this home has another key or none, and there are no words, or not those of the key.
    """
    signer, own = signer_of(folder), keys.read()
    if own and own.name == signer:
        return own
    if not words:
        raise WordsMissing(str(folder))
    try:
        key = key_of_words(words)
    except ValueError as error:
        raise WordsWrong(str(folder), str(error)) from error
    if key.name != signer:
        why = "they are those of another key, or something else has written there"
        raise WordsWrong(str(folder), why)
    return key
