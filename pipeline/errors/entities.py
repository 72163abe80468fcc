"""The expected errors of who names entities and facts, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError, UnknownName


class UnknownEntity(UnknownName):
    """No fact names it, and no page."""

    sort = "entity"
    listed = "`memory entities` lists the entities"


class SameEntity(PipelineError):
    """Two names are one entity's already."""

    exit_code = 2

    def __init__(self, name: str, other: str) -> None:
        """`name` and `other` as they were given."""
        super().__init__(f"{name} and {other} are one entity already. `memory entities {name}` shows its names.")


class FactOfOthers(PipelineError):
    """The id stands in a line that somebody wrote or changed by hand."""

    exit_code = 2

    def __init__(self, name: str, place: str) -> None:
        """`name` is the id as it was given, `place` the line as `path:line`."""
        super().__init__(
            f"{name} is no fact of ours: somebody wrote or changed the line {place} by hand, so it is evidence for "
            "nothing. Delete the line with your editor."
        )


class NotMerged(PipelineError):
    """A name is no alias of an entity."""

    exit_code = 2

    def __init__(self, name: str, other: str) -> None:
        """`other` was to be taken apart from `name`."""
        super().__init__(f"{other} is no alias of {name}. `memory entities {name}` shows its names.")


class FrontMatterUnclear(PipelineError):
    """The front matter of a page cannot be changed without a guess."""

    def __init__(self, path: str) -> None:
        """`path` is the page."""
        super().__init__(
            f"The front matter of {path} is no plain YAML, so it is not changed. Write `aliases: [...]` there by hand."
        )
