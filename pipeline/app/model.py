"""The model of a workspace: what it says, which others can answer on this machine, and the choice of one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.adapters.embedding.choice import open_embedder
from pipeline.adapters.model.checks import ModelCheck, look_at_program
from pipeline.adapters.model.local_servers import local_servers
from pipeline.adapters.model.programs.model import PROGRAMS
from pipeline.app.readers import open_readers
from pipeline.clock import stopwatch
from pipeline.errors import ChangedMeanwhile, EmbedderUnavailable, SettingsInvalid
from pipeline.settings.load import load_settings, parse_settings, toml_values
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.tables import set_model, set_values, toml_text
from pipeline.workspace.files import STATE_FOLDER, Workspace
from schemas.checkup import CheckResult, Health
from schemas.reports.models import ModelOffer
from schemas.settings import ModelSettings, Settings

PROVIDERS = {"claude": "Anthropic", "codex": "OpenAI"}
"""The company that receives the text which a program sees, by the name of the program."""


def check_model(root: Path, environment: Mapping[str, str], *, ask: bool) -> Iterator[CheckResult]:
    """Check the model, which is asked one tiny question with `ask`, and the other programs that read."""
    settings = load_settings(root, environment)
    if not settings.model.is_configured:
        yield CheckResult("model", Health.OK, "offline")
        return
    check = ModelCheck(settings.model, root / STATE_FOLDER, environment)
    yield from (CheckResult("model", *standing) for standing in (check.ask() if ask else [check.look()]))
    yield from _check_readers(root, settings, environment)


def check_embedder_answer(root: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Ask the embedder for one vector."""
    if embedder := open_embedder(load_settings(root, environment).embedder):
        since = stopwatch()
        try:
            numbers = len(embedder.question("The harbour closes at nine."))
        except EmbedderUnavailable as error:
            yield CheckResult("embedder", Health.FAIL, str(error), "Until then search goes by words alone.")
        else:
            made = f"{embedder.name} makes a vector of {numbers} numbers in {stopwatch() - since:.1f} s"
            yield CheckResult("embedder", Health.OK, made)


def _check_readers(root: Path, settings: Settings, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check the other programs that read, and name the sources for which no model was allowed or refused."""
    readers = open_readers(settings, root / STATE_FOLDER, environment)
    for name in sorted(readers.models.keys() - {readers.main}):
        other = settings.model.model_copy(update={"program": name, "base_url": "", "name": ""})
        yield CheckResult("model", *look_at_program(other, root / STATE_FOLDER, environment)[1])
    unseen = sorted(readers.undecided_sources(source.root_name for source in settings.sources))
    if unseen:
        sentence = f"no model may see the words of {', '.join(unseen)}, so they are read without one"
        yield CheckResult(
            "model",
            Health.WARN,
            sentence,
            "`memory config model allow` lets a program see them, or says that none shall.",
        )


def model_offers(root: Path, environment: Mapping[str, str], settings: Settings | None = None) -> Iterator[ModelOffer]:
    """The programs and the local servers that can answer, and those programs that cannot yet; none is asked.

    `settings` stand for those of the workspace, where it is still to be made.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    used = (settings or load_settings(root, environment)).model
    for program in PROGRAMS:
        asked = ModelSettings.model_validate({"program": program.name, "environment": used.environment})
        login, (_, standing, _) = look_at_program(asked, root / STATE_FOLDER, environment)
        yield ModelOffer(
            kind="program",
            name=program.name,
            models=(),
            ready=login.signed_in,
            standing=standing,
            text_goes_to=f"{PROVIDERS[program.name]}, or where else it is signed in",
            in_use=used.program == program.name,
            pays_by_token=login.by_key,
        )
    for server in local_servers():
        yield ModelOffer(
            kind="server",
            name=server.base_url,
            models=server.models,
            ready=True,
            standing=f"{server.name} at {server.base_url} has {server.models[0]}",
            text_goes_to="nowhere: it stays on this machine",
            in_use=used.base_url.rstrip("/") == server.base_url,
        )


def try_model(root: Path, environment: Mapping[str, str], values: Mapping[str, str]) -> Iterator[CheckResult]:
    """The answers of a model to one tiny question; without values, of the one in the settings.

    Raises:
        SettingsInvalid: the settings, or the values, cannot be used.
    """
    settings = load_settings(root, environment).model
    if values:
        chosen = {"environment": list(settings.environment), **values}
        settings = parse_settings({"model": chosen}, "the choice of a model").model
    if not settings.is_configured:
        yield CheckResult(
            "model", Health.WARN, "offline: the settings name no model", "`memory config model` lists those here."
        )
        return
    for standing in ModelCheck(settings, root / STATE_FOLDER, environment).ask():
        yield CheckResult("model", *standing)


def use_model(root: Path, values: Mapping[str, str]) -> None:
    """Write a model into `memory.toml`; what was there for another one stays behind a `#`, all else as it is.

    Raises:
        SettingsInvalid: the settings are no TOML, name a model in another form, or would not be usable.
        WorkspaceError: somebody keeps writing to the file; the system refuses.
    """
    wanted = parse_settings({"model": dict(values)}, "the choice of a model").model
    names = ("program", "base_url", "name")
    _write(root, lambda text: set_model(text, values), {name: getattr(wanted, name) for name in names})


def allow_sources(root: Path, program: str, sources: Sequence[str], *, mixed: bool) -> None:
    """Let a program see the text of sources, or with `offline` no model; `mixed` is text of sources with several.

    Raises:
        SettingsInvalid: a source is not known, there is no model, or the settings name them in another form.
        WorkspaceError: somebody keeps writing to the file; the system refuses.
    """
    settings = parse_settings(toml_values(Workspace(root).read(SETTINGS_FILE) or b"", SETTINGS_FILE), SETTINGS_FILE)
    known = {source.root_name for source in settings.sources}
    if unknown := [name for name in sources if name not in known]:
        named, choice = ", ".join(sorted(known)) or "none", "the choice of sources"
        raise SettingsInvalid(choice, [f"sources: there is no source {name!r}; known: {named}" for name in unknown])
    values = {f"sources.{toml_text(name)}": program for name in sources} | ({"mixed": program} if mixed else {})
    wanted = {"sources": settings.model.sources | dict.fromkeys(sources, program)}
    _write(root, lambda text: set_values(text, values), wanted | ({"mixed": program} if mixed else {}))


def _write(root: Path, changed: Callable[[str], str], wanted: Mapping[str, object]) -> None:
    """Write another text of the settings, which has to give these values of the model."""
    workspace, where = Workspace(root), str(root / SETTINGS_FILE)
    before = workspace.read(SETTINGS_FILE) or b""
    parse_settings(toml_values(before, where), where)
    after = changed(before.decode()).encode()
    by_hand = ["model: it is not written as lines below [model]; write the choice by hand"]
    try:
        chosen = parse_settings(toml_values(after, where), where).model
    except SettingsInvalid as error:
        raise SettingsInvalid(where, by_hand) from error
    if any(getattr(chosen, name) != value for name, value in wanted.items()):
        raise SettingsInvalid(where, by_hand)
    if not workspace.put_file(SETTINGS_FILE, before, after):
        raise ChangedMeanwhile(SETTINGS_FILE)


def shown_to(root: Path, environment: Mapping[str, str]) -> dict[str, list[str]]:
    """The sources by the name of the model that sees their text, `offline` for none; empty without a model.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    settings = load_settings(root, environment)
    if not settings.model.is_configured:
        return {}
    readers, shown = open_readers(settings, root / STATE_FOLDER, environment), dict[str, list[str]]()
    for source in settings.sources:
        shown.setdefault(readers.name_of({source.root_name}), []).append(source.root_name)
    return shown
