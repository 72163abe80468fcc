"""What children inherit of the service."""

from pipeline.service.processes.child_environment import inherited


def test_a_child_does_not_speak_in_the_services_name() -> None:
    """It inherits all but the ways to the service manager."""
    service = {"PATH": "/bin", "NOTIFY_SOCKET": "@manager", "WATCHDOG_PID": "1", "WATCHDOG_USEC": "30000000"}
    assert {"PATH": "/bin"} == inherited(service)
