"""Readers: the model that sees the text of a source, by the settings and the programs on this machine."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.adapters.model.choice import open_model
from pipeline.adapters.model.programs.model import find_program
from pipeline.job import OFFLINE
from pipeline.model.question import Readers
from pipeline.ports.engine import LanguageModel
from schemas.settings import ModelSettings, Settings

SERVER = "server"
"""The name of a server among the models of a workspace; a program has its own."""
_MADE_BY = {"claude_code": "claude", "codex": "codex"}
"""The program that wrote the sessions of a kind of source."""


def open_readers(settings: Settings, state_folder: Path, environment: Mapping[str, str]) -> Readers:
    """The models of a workspace whose settings name one, and which text each may see.

    A program that the settings do not name reads what its own agent wrote where it is installed.
    """
    model, main = settings.model, settings.model.program or SERVER
    own = main if main == SERVER or not model.per_source else OFFLINE
    by_source = (_own_sessions(settings, environment) if own == OFFLINE else {}) | model.sources
    mixed = model.mixed or OFFLINE
    names = {main, mixed, *by_source.values()} - {OFFLINE}
    models: dict[str, LanguageModel] = {
        name: open_model(model if name == main else _program(model, name), state_folder, environment) for name in names
    }
    return Readers(models, main, own, by_source, mixed)


def _own_sessions(settings: Settings, environment: Mapping[str, str]) -> dict[str, str]:
    """The sources of which a program here has made the sessions, with that program."""
    kinds = {source.root_name: source.kind for source in settings.sources}
    # Entries may cite a source that the settings name no more; without a name of its own it had that of its kind.
    made = {
        name: _MADE_BY[kind] for name, kind in ({kind: kind for kind in _MADE_BY} | kinds).items() if kind in _MADE_BY
    }
    here = {
        program for program in made.values() if program == settings.model.program or find_program(program, environment)
    }
    return {name: program for name, program in made.items() if program in here}


def _program(model: ModelSettings, name: str) -> ModelSettings:
    """The settings for another program than the main one: the names of models are those of the main one."""
    return model.model_copy(update={"program": name, "base_url": "", "name": "", "background": ""})
