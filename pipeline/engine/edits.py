"""Entries that somebody changed in their files: the owner's change is a correction, any other one a suggestion."""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from unicodedata import normalize

from pipeline.engine.context import Engine
from pipeline.engine.inputs import entries_of
from pipeline.engine.suggestions import keep
from pipeline.engine.verification import as_written, written_blocks
from pipeline.entries.standing import Fold
from pipeline.errors import PipelineError
from pipeline.events import Event
from pipeline.job import Job
from pipeline.language.folding import folded_words
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.ledger.transcripts import FileRecord
from pipeline.markdown.entries import one_line
from pipeline.transcripts.tool_calls import ToolCall, calls_in
from pipeline.workspace.declined import read_declined
from schemas.correction import CorrectedWords, CorrectionRequest, correction_identity
from schemas.entry import NOT_STATED, Entry, Status, Trust
from schemas.suggestion import ProposedCorrection

_READING = frozenset(
    {
        *("read", "read_file", "view", "glob", "grep", "search", "ls", "list", "list_dir", "websearch", "webfetch"),
        *("web_search", "web_fetch", "memory_search", "memory_get", "todowrite", "todoread", "update_plan"),
    }
)
"""Tools that write no file of the owner's."""
_WRITING = frozenset(
    {
        *("write", "write_file", "edit", "edit_file", "multiedit", "notebookedit", "str_replace", "apply_patch"),
        *("str_replace_editor", "str_replace_based_edit_tool", "create_file", "replace"),
    }
)
"""Tools that write the files that their arguments name, and no others."""
_SHELLS = frozenset(
    {
        *("bash", "shell", "exec", "exec_command", "shell_command", "run_shell_command", "run_command", "terminal"),
        *("execute_command", "local_shell", "container.exec"),
    }
)
_PATHS = ("file_path", "path", "notebook_path", "filename", "file", "target_file", "filePath")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)
_COMMANDS = frozenset(
    {
        *("cat", "head", "tail", "ls", "pwd", "echo", "grep", "wc", "stat", "du", "df", "which", "whoami", "true"),
        *("cd", "diff", "cmp", "sha256sum", "md5sum", "realpath", "basename", "dirname"),
    }
)
"""Commands that only read, whatever their arguments are."""
# A redirection, a substitution, a second line, a command in the background, or a setting: `PAGER=./x.sh git log`.
_MAY_WRITE = re.compile(r"[>`\n\r]|\$\(|<\(|(?<!&)&(?!&)|\b[A-Za-z_]\w*=")
_JOINED = frozenset({"|", "||", "&&", ";"})
_AGENTS_OWN = ("SOUL.md", "IDENTITY.md")
"""Files that OpenClaw keeps in the workspace of an agent."""


@dataclass(frozen=True)
class EditEvidence:
    """Evidence of the time since the files were last looked at; `since` is `None` where that is not known."""

    engine: Engine
    since: datetime | None

    def by_owner(self, path: str) -> bool:
        """Whether nothing speaks for another hand than the owner's in the change of a file of the workspace."""
        root = self.engine.workspace.root.resolve()
        # In its own workspace an agent writes as it likes.
        is_agents = ".openclaw" in root.parts or any((root / name).exists() for name in _AGENTS_OWN)
        if self.since is None or is_agents:
            return False
        file, since = self.engine.workspace.locate(path), self.since
        return not any(self._may_have_written(record, file, since) for record in self._records_since(since))

    def _records_since(self, since: datetime) -> Iterator[FileRecord | None]:
        """The transcript files with anything since then; `None` for what cannot be read."""
        if self.engine.ledger.unreadable.sources():
            yield None
        for record in self.engine.catalog.all_files():
            last = record.last.timestamp() if record.last else 0
            if max(last, record.file.mtime_ns / 1e9) >= since.timestamp():
                yield record

    def _may_have_written(self, record: FileRecord | None, file: Path, since: datetime) -> bool:
        if record is None:
            return True
        sources, root = self.engine.settings.transcript_sources, self.engine.workspace.root.resolve()
        given = next((source.path for source in sources if source.root_name == record.source), "")
        calls = calls_in(root / Path(given).expanduser() / record.file.path) if given else None
        if calls is None:
            return True
        recent = [call for call in calls if call.at is None or call.at >= since]
        try:
            # Whoever works in the workspace may have changed any file.
            inside = any(call.folder and Path(os.path.realpath(call.folder)).is_relative_to(root) for call in recent)
            return inside or any(_may_write(call, file) for call in recent)
        except (ValueError, RuntimeError):  # a path that no system takes, or one in the home of an unknown user
            return True


def _may_write(call: ToolCall, file: Path) -> bool:
    """Whether a call may have changed a file."""
    name = call.name.casefold()
    if name in _SHELLS:
        return not reads_only(_shell_command(call.arguments))
    if name in _WRITING:
        paths = _paths_written(call.arguments)
        return not paths or any(_is_same_file(path, call.folder, file) for path in paths)
    return name not in _READING


def _shell_command(arguments: Any) -> str:  # noqa: ANN401 - any JSON
    """The command of a shell; what cannot be told is a line that may write."""
    given = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, dict) else arguments
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        match given:
            case [program, "-c" | "-lc", str() as line, *_] if Path(program).name in {"bash", "sh", "zsh"}:
                return line
            case _:
                return shlex.join(given)
    return given if isinstance(given, str) else ">"


def reads_only(command: str) -> bool:
    """Whether a line of a shell surely writes nothing: reading commands alone, no redirection and no substitution."""
    if _MAY_WRITE.search(command):
        return False
    plain = command.replace("#", "_")  # a shell goes on behind the sign in `notes#1.md`
    try:
        words = list(shlex.shlex(plain, posix=True, punctuation_chars="|&;"))
    except ValueError:
        return False
    firsts = [word for before, word in zip(["|", *words], words, strict=False) if before in _JOINED]
    return bool(words) and all(word in _COMMANDS for word in firsts)


def _paths_written(arguments: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """The paths that a writing tool names."""
    if isinstance(arguments, str):
        return [changed or moved for changed, moved in _PATCHED.findall(arguments)]
    if not isinstance(arguments, dict):
        return []
    named = [arguments[key] for key in _PATHS if isinstance(arguments.get(key), str)]
    patches = [value for value in arguments.values() if isinstance(value, str) and "*** " in value]
    return named + [path for patch in patches for path in _paths_written(patch)]


def _is_same_file(path: str, folder: str, file: Path) -> bool:
    """Whether a path leads to a file, links resolved; of one from an unknown folder the name is enough."""
    there = Path(folder or "/") / Path(path).expanduser()
    if not folder and not Path(path).is_absolute():
        return Path(path).name == file.name
    try:
        return there.samefile(file)
    except OSError:  # it is gone since: then its name decides
        return os.path.realpath(there) == os.path.realpath(file) or there.name == file.name


CHANGED = "changed_in_file"
"""The reason of a suggestion: its words stand in a file, and nobody knows who wrote them."""
_AROUND = ("why", "finding", "impact")
_ENDS = ".。"
_TYPED = str.maketrans(dict.fromkeys("“”„«»「」", '"') | dict.fromkeys("\u2018\u2019\u201a", "'"))
"""The marks of quotes as an editor sets them, and as people type them."""
_SENTENCE = 0.6
"""From this likeness on, a changed heading is the sentence in other words, and no label that somebody gave it."""


@dataclass(frozen=True)
class Edit:
    """A changed entry: `entry` as we wrote it, and the words that stand in the file `path` now.

    It is `clear` when nobody can mean anything else by it; a changed quote may as well be a slip of the hand.
    `request_id` is that of the request that makes it a correction: the same for the same text.
    """

    job: Job
    entry: Entry
    words: CorrectedWords
    path: str
    clear: bool
    request_id: str


def edits(engine: Engine) -> list[Edit]:
    """The changed entries that nobody has dealt with: the words in force differ, and no correction was asked for.

    A block of ours that stands unchanged in any file makes the others of its name copies, which change nothing. Of an
    entry that was corrected by such a change, another change is about its last correction.
    """
    return [replace(edit, entry=entry) for edit, entry in _unseen_changes(engine) if entry]


def _unseen_changes(engine: Engine) -> list[tuple[Edit, Entry | None]]:
    """The changed entries without a receipt, each with the entry in force that the change is about, if there is one."""
    changed = [
        edit
        for job in engine.writers
        if job.on_request and not job.writes.listed
        for edit in _edits_of_job(engine, job)
        if engine.ledger.requests.find(edit.request_id) is None
    ]
    if not changed:
        return []
    state = entries_of(engine)
    return [(edit, _entry_to_correct(state, edit)) for edit in changed]


def _entry_to_correct(state: Fold, edit: Edit) -> Entry | None:
    """The entry in force that a change is about; `None` where none is, or the words were in force before."""
    name = edit.entry.id
    last = state.states[state.in_force(name)] if name in state.states else None
    if last is None or last.status is not Status.ACTIVE:
        return None
    if last.entry.id == name:
        return edit.entry
    chain = [state.states[earlier].entry for earlier in state.chain(name)]
    is_new = all(
        any(getattr(edit.words, key) != getattr(entry, key) for key in ("conclusion", *_AROUND)) for entry in chain
    )
    return last.entry if is_new and state.states[state.corrected[name]].entry.trust is Trust.EDITED else None


def notice_edits(engine: Engine) -> None:
    """Ask for the corrections that the owner made in files, and suggest what another hand may have written there.

    The requests are carried out by the run that follows. The transcripts have been looked at.
    """
    now, evidence = engine.clock.now(), EditEvidence(engine, engine.ledger.sights.last())
    with suppress(PipelineError):  # a file that cannot be read now is looked at by the next command
        declined = read_declined(engine.workspace)
        for changed, entry in _unseen_changes(engine):
            edit = replace(changed, entry=entry or changed.entry)
            about = ProposedCorrection(entry=edit.entry, words_of=edit.words, by=edit.path, at=engine.local_now())
            identity = correction_identity(edit.request_id)
            suggestion = KeptSuggestion(edit.job.name, about, identity, CHANGED, "")
            # What was seen before has no receipt if an earlier version saw it, or a crash came between.
            is_seen = engine.ledger.suggestions.has(suggestion) or declined.has_identity(identity)
            by_owner = edit.clear and entry is not None and not is_seen and evidence.by_owner(edit.path)
            if by_owner:
                body = CorrectionRequest(
                    corrects=edit.entry.id,
                    words=edit.words,
                    at=engine.local_now().replace(microsecond=0),
                    trust=Trust.EDITED,
                    identity=identity,
                )
                request = Request(
                    edit.request_id,
                    edit.job.name,
                    "",
                    body.model_dump_json(),
                    asked=engine.clock.now(),
                    about=edit.entry.date,
                )
            else:
                keep(engine, [suggestion] if entry else [])
                # A receipt that no job carries out: when the suggestion is gone, or the entry holds again, its words
                # are nobody's still.
                request = Request(edit.request_id, "", "", "", asked=engine.clock.now())
            with engine.ledger.store.transaction():
                engine.ledger.requests.keep(request)
            if entry:
                engine.emit(Event.CHANGED_IN_FILE, id=entry.id, path=edit.path, by_owner=by_owner)
        engine.ledger.sights.note(now)


def _edits_of_job(engine: Engine, job: Job) -> Iterator[Edit]:
    blocks = [(file.path, *part) for file in engine.family(job).files() for part in file.blocks]
    written = written_blocks(engine.ledger.changes, {block.name for _, block, _ in blocks})
    whole = as_written(((block, now) for _, block, now in blocks), written)
    for path, block, now in blocks:
        if now is None or block.name in whole:
            continue
        original = written_blocks(engine.ledger.changes, [block.name]).original(block.name)
        change = changed_words(original, now) if original else None
        if original and change:
            words, clear = change
            if all(engine.catalog.mask_text(text) == text for text in words.model_dump().values()):
                digest = hashlib.sha256(f"{block.name} {block.digest}".encode()).hexdigest()
                yield Edit(job, original, words, path, clear, f"edit-{digest[:32]}")


def changed_words(before: Entry, now: Entry) -> tuple[CorrectedWords, bool] | None:
    """The words of a changed entry, without those that were not changed beside them, and whether the change is clear.

    `None` when no word is another. Of conclusion, title and quote the first that was changed says how it is; a title
    that only names what the entry says takes the place of the title alone.
    """
    fresh = _new_texts(before, now)
    main = next((key for key in ("conclusion", "title", "quote") if key in fresh), "")
    if main == "title" and folded_words(now.title) in folded_words(before.conclusion):
        main = ""
    conclusion = fresh[main] if main else before.conclusion
    if not fresh or not any(map(str.isalnum, conclusion)):
        return None
    around = {key: one_line(getattr(now, key)) or NOT_STATED for key in _AROUND if key in fresh or not main}
    title = one_line(now.title) if "title" in fresh or not main else ""
    quote = conclusion if main or "title" not in fresh else title
    clear = main == "conclusion" or not main or (main == "title" and _is_reworded(title, before.title))
    return CorrectedWords(title=title, conclusion=conclusion, quote=quote, **around), clear


def _new_texts(before: Entry, now: Entry) -> dict[str, str]:
    """The texts of an entry that say something else than before, by their keys.

    Marks as an editor sets them say nothing, nor do those of a quote, nor a heading that is gone.
    """
    texts = {key: one_line(getattr(now, key)) for key in ("conclusion", "title", *_AROUND)}
    fresh = {key: text for key, text in texts.items() if _typed_words(text) != _typed_words(getattr(before, key))}
    if now.title == now.id or not any(map(str.isalpha, now.title)):  # or the day above it, which is the file's heading
        fresh.pop("title", None)
    if folded_words(now.quote) != folded_words(before.quote):
        fresh["quote"] = one_line(now.quote)
    return fresh


def _typed_words(text: str) -> str:
    """A text as people type it, without the mark at its end."""
    return one_line(normalize("NFC", text)).translate(_TYPED).rstrip(_ENDS)


def _is_reworded(title: str, before: str) -> bool:
    """Whether a title is another one with some words changed: something stands in the place of all that is gone."""
    from pipeline.entries.mentions import tokens

    match = SequenceMatcher(None, tokens(before), tokens(title), autojunk=False)
    return match.ratio() >= _SENTENCE and all(tag != "delete" for tag, *_ in match.get_opcodes())
