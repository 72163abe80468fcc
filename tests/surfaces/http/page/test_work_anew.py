"""The form that begins work anew, from the words of its command."""

from pipeline.surfaces.http.page.routes.work import WorkAnew, work_anew
from tests.support.tables import table

DAYS = (("first", "2026-03-09"), ("last", "2026-03-14"))


@table(
    ("words", "expected"),
    [
        ("run", WorkAnew("/work/run", ())),
        ("run micro_sync", WorkAnew("/work/run", (("job", "micro_sync"),))),
        ("backfill --all --from 2026-03-09 --to 2026-03-14 --yes", WorkAnew("/work/estimate", DAYS)),
        (
            "backfill retain reflect --from 2026-03-09 --to 2026-03-14 --yes",
            WorkAnew("/work/estimate", (("job", "retain"), ("job", "reflect"), *DAYS)),
        ),
        ("backfill --resume 20260310-aa --yes", WorkAnew("/work/resume", (("backfill", "20260310-aa"),))),
        ("backfill --resume 20260310-bb --yes", None),
        ("backfill --all --yes", None),
        ("doctor", None),
        ("", None),
    ],
)
def test_words(words: str, expected: WorkAnew | None) -> None:
    """Each command that the page begins has its form; what can go on no more has none."""
    assert expected == work_anew(("memory", *words.split()), {"20260310-aa"})
