"""What the processes that the service starts inherit of its environment."""

from collections.abc import Mapping

# By these a process tells the service manager of itself: a child would do so in the service's name.
_THE_SERVICES_OWN = frozenset({"NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"})


def inherited(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child; `environment` is the service's."""
    return {name: value for name, value in environment.items() if name not in _THE_SERVICES_OWN}
