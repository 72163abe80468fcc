"""The model of a workspace: what it says, which others can answer on this machine, and the choice of one."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline.adapters.embedding.choice import open_embedder
from pipeline.adapters.model.checks import ModelCheck, look_at_program
from pipeline.adapters.model.local_servers import local_servers
from pipeline.adapters.model.programs.model import PROGRAMS
from pipeline.clock import stopwatch
from pipeline.errors import ChangedMeanwhile, EmbedderUnavailable, SettingsInvalid
from pipeline.settings.load import load_settings, parse_settings, toml_values
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.model_table import set_model
from pipeline.workspace.files import STATE_FOLDER, Workspace
from schemas.checkup import Check, Health
from schemas.reports.models import ModelOffer
from schemas.settings import ModelSettings

_PROVIDERS = {"claude": "Anthropic", "codex": "OpenAI"}


def model_checkup(root: Path, environment: Mapping[str, str], *, ask: bool) -> Iterator[Check]:
    """The checks of the model; with `ask` it is asked one tiny question, and the embedder for one vector."""
    settings = load_settings(root, environment)
    if not settings.model.configured:
        yield Check("model", Health.OK, "offline")
    else:
        check = ModelCheck(settings.model, root / STATE_FOLDER, environment)
        yield from (Check("model", *standing) for standing in (check.ask() if ask else [check.look()]))
    if ask and (embedder := open_embedder(settings.embedder)):
        since = stopwatch()
        try:
            numbers = len(embedder.question("The harbour closes at nine."))
        except EmbedderUnavailable as error:
            yield Check("embedder", Health.FAIL, str(error), "Until then search goes by words alone.")
        else:
            made = f"{embedder.name} makes a vector of {numbers} numbers in {stopwatch() - since:.1f} s"
            yield Check("embedder", Health.OK, made)


def model_offers(root: Path, environment: Mapping[str, str]) -> Iterator[ModelOffer]:
    """The programs and the local servers that can answer, and those programs that cannot yet; none is asked.

    Raises:
        SettingsInvalid: the settings cannot be used.
    """
    used = load_settings(root, environment).model
    for program in PROGRAMS:
        settings = ModelSettings.model_validate({"program": program.name, "environment": used.environment})
        login, (_, standing, _) = look_at_program(settings, root / STATE_FOLDER, environment)
        yield ModelOffer(
            kind="program",
            name=program.name,
            models=(),
            ready=login.signed_in,
            standing=standing,
            text_goes_to=f"{_PROVIDERS[program.name]}, or where else it is signed in",
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


def try_model(root: Path, environment: Mapping[str, str], values: Mapping[str, str]) -> Iterator[Check]:
    """The answers of a model to one tiny question; without values, of the one in the settings.

    Raises:
        SettingsInvalid: the settings, or the values, cannot be used.
    """
    settings = load_settings(root, environment).model
    if values:
        chosen = {"environment": list(settings.environment), **values}
        settings = parse_settings({"model": chosen}, "the choice of a model").model
    if not settings.configured:
        yield Check("model", Health.WARN, "offline: the settings name no model", "`memory model` lists those here.")
        return
    for standing in ModelCheck(settings, root / STATE_FOLDER, environment).ask():
        yield Check("model", *standing)


def use_model(root: Path, values: Mapping[str, str]) -> None:
    """Write a model into `memory.toml`; what was there for another one stays behind a `#`, all else as it is.

    Raises:
        SettingsInvalid: the settings are no TOML, name a model in another form, or would not be usable.
        ChangedMeanwhile: somebody keeps writing to the file.
        WriteFailed: the system refuses.
    """
    workspace, where = Workspace(root), str(root / SETTINGS_FILE)
    wanted = parse_settings({"model": dict(values)}, "the choice of a model").model
    before = workspace.read(SETTINGS_FILE) or b""
    parse_settings(toml_values(before, where), where)
    after = set_model(before.decode(), values).encode()
    by_hand = ["model: it is not written as lines below [model]; write the choice by hand"]
    try:
        chosen = parse_settings(toml_values(after, where), where).model
    except SettingsInvalid as error:
        raise SettingsInvalid(where, by_hand) from error
    if any(getattr(chosen, name) != getattr(wanted, name) for name in ("program", "base_url", "name")):
        raise SettingsInvalid(where, by_hand)
    if not workspace.put(SETTINGS_FILE, before, after):
        raise ChangedMeanwhile(SETTINGS_FILE)
