"""The exit codes of commands. Light to import, for processes that only look on."""

WELL = 0
FAILED = 1
UNUSABLE = 2
"""The command or the settings cannot be used as they are written."""
PARTIAL = 3
WAITING = 4
OVER_BUDGET = 5
BUG = 70
"""As `EX_SOFTWARE` of sysexits.h."""
HELD = 75
"""Another process is at work; as `EX_TEMPFAIL` of sysexits.h."""
NO_PERSON = 77
"""A request that only a person may make came without a person; as `EX_NOPERM` of sysexits.h."""
OVERDUE = 124
"""As `timeout` of coreutils."""
SIGNALLED = 128
"""The number of the signal that ended a command comes on top, as a shell has it."""
INTERRUPTED = 130
"""By Ctrl-C, which is SIGINT."""
