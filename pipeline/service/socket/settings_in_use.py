"""Whether the settings that the service works by are still those that a command would find."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from threading import Lock

from pipeline.errors import PipelineError
from pipeline.service.socket.client import settings_of
from pipeline.settings.load import load_settings
from pipeline.settings.locate import SETTINGS_FILE, setting_of
from schemas.settings import Settings

INDEX_SETTINGS = (
    *("timezone", "sources", "index", "embedder", "reranker", "agents.root", "store"),
    *("search.timeout", "search.keep_said"),
)
"""The settings that the index, and answers by it, depend on: whole tables, and single settings of others."""

_SETTINGS = frozenset(Settings.model_fields)
_KEY = "API_KEY"

_Seen = tuple[int, ...] | None


class SettingsInUse:
    """The settings of one workspace as they were read once. May be used from several threads."""

    def __init__(self, root: Path, environment: Mapping[str, str], settings: Settings) -> None:
        """`settings` are those in use, made of the `memory.toml` in `root` and of `environment`."""
        self._root, self._environment, self._settings = root, environment, settings
        self._given = settings_of(environment)
        self._lock = Lock()
        self._seen: _Seen = None
        self._now = settings

    def now(self) -> Settings:
        """The settings as `memory.toml` says now, which is read only after a change."""
        with self._lock:
            seen = self._look()
            if seen != self._seen or seen is None:
                self._seen = None
                self._now = load_settings(self._root, self._environment)
                self._seen = seen
            return self._now

    def hold(self, names: Sequence[str] = INDEX_SETTINGS) -> bool:
        """Whether the settings of now can be used, and those with these names are unchanged."""
        try:
            now = self.now()
        except PipelineError:  # the client finds the same error, and reports it
            return False
        return all(value_of(now) == value_of(self._settings) for value_of in map(attrgetter, names))

    def agree(self, given: object, decide: Sequence[str] = INDEX_SETTINGS) -> bool:
        """Whether a client with these settings, as of `settings_of`, would get the same answers.

        Settings that only the service has do not count when they are keys of servers, or no answer depends on them:
        those that it depends on are in the tables of `decide`.
        """
        tables = {name.partition(".")[0] for name in decide}
        return (
            isinstance(given, dict)
            and all(
                self._given.get(name) == digest for name, digest in given.items() if setting_of(name)[0] in _SETTINGS
            )
            and all(name in given for name in self._given if setting_of(name)[0] in tables and not name.endswith(_KEY))
        )

    def _look(self) -> _Seen:
        with suppress(OSError):
            status = (self._root / SETTINGS_FILE).stat()
            return status.st_mtime_ns, status.st_size, status.st_ino
        return None
