"""The model that the settings name."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.adapters.model.openai import OpenAIModel
from pipeline.adapters.model.programs.model import ProgramModel
from schemas.settings import ModelSettings

FOLDER = "model"
"""The folder of the programs, in the one of all that is derived."""


def open_model(
    settings: ModelSettings, state_folder: Path, environment: Mapping[str, str]
) -> OpenAIModel | ProgramModel:
    """A server, or a program in a folder of ours; the settings must be `is_configured`."""
    if settings.program:
        return ProgramModel(settings, state_folder / FOLDER, environment)
    return OpenAIModel(settings)
