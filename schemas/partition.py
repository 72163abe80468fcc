"""The key of one run of a job."""

from schemas.base import Value
from schemas.window import Window


class PartitionKey(Value):
    """One partition of a job's work.

    `subject` is the agent it is about, or empty. `key` is how people name it: the times of a window, a day, a week, a
    month, an episode, the number of a group, the id of a request, or `all`. `window` is the time it is about.
    """

    key: str
    window: Window
    subject: str = ""
