"""Whether the settings that the service works by are still those that a command would find."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

from pipeline.errors import PipelineError
from pipeline.service.socket.client import settings_of
from pipeline.settings.load import load_settings
from pipeline.settings.locate import SETTINGS_FILE, setting_of
from schemas.settings import Settings

_DECIDE = ("timezone", "sources", "index", "embedder", "reranker")
"""The settings that an answer, or the index, depends on."""

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
        self._hold = False

    def hold(self) -> bool:
        """Whether the settings of index and answers in `memory.toml` are unchanged; read only after a change."""
        with self._lock:
            seen = self._look()
            if seen != self._seen or seen is None:
                self._seen, self._hold = seen, self._same()
            return self._hold

    def agree(self, given: object) -> bool:
        """Whether a client with these settings, as of `settings_of`, would get the same answers.

        Settings that only the service has do not count when they are keys of servers, or have no effect on an answer.
        """
        return (
            isinstance(given, dict)
            and all(
                self._given.get(name) == digest for name, digest in given.items() if setting_of(name)[0] in _SETTINGS
            )
            and all(name in given for name in self._given if setting_of(name)[0] in _DECIDE and not name.endswith(_KEY))
        )

    def _look(self) -> _Seen:
        with suppress(OSError):
            status = (self._root / SETTINGS_FILE).stat()
            return status.st_mtime_ns, status.st_size, status.st_ino
        return None

    def _same(self) -> bool:
        try:
            now = load_settings(self._root, self._environment)
        except PipelineError:  # the client finds the same error, and reports it
            return False
        return all(getattr(now, name) == getattr(self._settings, name) for name in _DECIDE)
