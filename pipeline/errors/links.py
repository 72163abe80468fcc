"""The expected errors of who takes links between entries apart, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError


class NotLinked(PipelineError):
    """Two entries have no link."""

    exit_code = 2

    def __init__(self, one: str, other: str) -> None:
        """`one` and `other` are ids."""
        super().__init__(f"{one} and {other} are not linked. `memory explain {one}` shows the links of an entry.")


class LinkOfPerson(PipelineError):
    """The link stands in an entry that a person changed, which is never rewritten."""

    def __init__(self, carrier: str, target: str, path: str) -> None:
        """`carrier` has the link to `target`; `path` is its file."""
        super().__init__(
            f"{carrier} in {path} was changed by a person, so it is not rewritten. Take {target} out of its lines "
            "`supersedes:`, `superseded_by:` and `reinforces:` by hand."
        )
