"""The expected errors of who renders a page, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError


class PageRefused(PipelineError):
    """A job names a page of a family that has one page alone, or no page of a family that names its pages."""

    def __init__(self, job: str, family: str, page: str) -> None:
        """`page` is the name that the job gave, as it gave it."""
        why = f"wrote for the page {page!r}, but its family {family} names no pages"
        if not page.strip():
            why = f"wrote an item without the name of a page, which its family {family} needs"
        super().__init__(f"Job {job} {why}. Nothing was written; the `page` of its items has to be mended.")


class PageEmptied(PipelineError):
    """Nothing that we wrote is left in a page, which looks more like another version of it than like a wish."""

    def __init__(self, path: str, gone: int) -> None:
        """`gone` lines of ours are no longer in the page."""
        super().__init__(
            f"None of the {gone} lines that we wrote into {path} is there any more. If it is the file of another time "
            f"or place, bring ours back, or take the file away to have it rendered anew. If you took the lines out, "
            f"run once with --allow-shrink: they stay out then."
        )
