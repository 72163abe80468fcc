"""The settings of a fleet: `fleet.toml` in the person's configuration, or the file of `MEMORY_FLEET`.

Variables such as `MEMORY_FLEET__URL` hold over it.
"""

from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError

from pipeline.errors import ReadFailed
from pipeline.errors.fleet import FleetSettingsInvalid, NoFleet
from pipeline.service.monitoring.pings import PingTarget
from pipeline.settings.load import toml_values
from pipeline.settings.locate import configuration_folder
from pipeline.workspace.regular_files import read_regular
from schemas.addresses import within_reach
from schemas.fleet_settings import FleetSettings

FILE = "fleet.toml"
FILE_VARIABLE = "MEMORY_FLEET"
_PREFIX = "MEMORY_FLEET__"


def load_fleet_settings(environment: Mapping[str, str]) -> FleetSettings:
    """The settings of the fleet, with the whole path of the cache.

    Raises:
        FleetError: nothing names a fleet.
        FleetSettingsInvalid: a value is not one that it may have.
        ReadFailed: the system refuses.
    """
    named = environment.get(FILE_VARIABLE)
    try:
        if named:
            file = Path(within_reach(named)).expanduser().absolute()
        else:
            file = (configuration_folder(environment) or Path.cwd()) / FILE
    except ValueError as error:
        raise FleetSettingsInvalid(str(named), [f"{FILE_VARIABLE}: {error}"]) from error
    values = {
        name.removeprefix(_PREFIX).lower(): value for name, value in environment.items() if name.startswith(_PREFIX)
    }
    try:
        values = toml_values(read_regular(file), str(file)) | values
    except FileNotFoundError as error:
        if not values:
            raise NoFleet(str(file)) from error
    except OSError as error:
        raise ReadFailed(str(file), error.strerror or str(error)) from error
    try:
        settings = FleetSettings.model_validate(values)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False)]
        raise FleetSettingsInvalid(str(file), problems) from error
    try:
        conninfo_to_dict(settings.url.get_secret_value())
    except psycopg.ProgrammingError:  # whose text may have the password
        advice = "url: write postgresql://USER@HOST/DATABASE; a sign such as % in it is written as %25"
        raise FleetSettingsInvalid(str(file), [advice]) from None
    ping = settings.ping.get_secret_value()
    if ping and (problem := PingTarget(ping).problem):
        raise FleetSettingsInvalid(str(file), [f"ping: {problem}"])
    return settings.model_copy(update={"cache": str(file.parent / Path(settings.cache).expanduser())})
