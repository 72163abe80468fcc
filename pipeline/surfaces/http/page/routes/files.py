"""Files: the texts of the workspace by kind and day, and each of them as a person reads it. Nothing here writes."""

import re
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from operator import itemgetter

from fastapi import HTTPException, Response
from pydantic import Field

from pipeline.engine.context import Engine
from pipeline.errors import PathRefused, ReadFailed
from pipeline.index.notes import UNSURE
from pipeline.index.search.live_files import LiveFiles
from pipeline.markdown.encoding import NotText, readable_text
from pipeline.surfaces.http.page.forms import InQuery, ListQuery, Words
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.reading import LONGEST, group_lines, leads_from, page_lines
from pipeline.surfaces.http.page.rendering import Page, PageThere, page_router
from pipeline.surfaces.http.state import Reading, StateThere
from pipeline.workspace.layout import LISTS
from pipeline.workspace.listing import list_files

router = page_router()
KINDS = ("memory", "days", "wrapups", "facts", "plans", "agents", "articles", "lists", "notes")
"""The kinds of files, in the order in which they are offered."""
_KIND_OF_JOB = {
    "weekly_compound": "memory",
    "micro_sync": "days",
    "daily_wrapup": "wrapups",
    "retain": "facts",
    "entity_pages": "facts",
    "reflect": "facts",
    "weekly_plan": "plans",
    "articles": "articles",
}
_DAY = re.compile(r"\d{4}-(?:\d\d-\d\d|W\d\d)")
_LINES = 300  # of a part of a file
_MOST = 2_000_000  # characters of a file that are shown
_AROUND = 60  # lines before and behind a part that may tell of a secret in it
_LONG = 200_000  # characters of a part, from which its long lines are cut
_CUT = 600


class FilesQuery(ListQuery):
    """The filter of listed files: of a kind, of a day or a week."""

    kind: Words = ""
    day: Words = ""


class PlaceQuery(ListQuery):
    """The part of a file: its number, or a line that is in it."""

    at: int = Field(default=0, ge=0, le=10_000_000)


@router.get("/files")
def files(page: PageThere, engine: Reading, wanted: InQuery[FilesQuery]) -> Response:
    """The texts of the workspace, those of the newest days first."""
    listed = list_files(engine.workspace, engine.settings.index, extra=False, searched=False).files
    kind_of = _kinds_of(engine)
    known = [(kind_of(file.path), day_of(file.path), file.path) for file in listed if page.shows(file.path)]
    of_day = [one for one in known if wanted.day in {"", one[1]}]
    chosen = [one for one in of_day if wanted.kind in {"", one[0]}]
    counts = Counter(kind for kind, _, _ in of_day)
    values = {
        "part": part_of(sorted(chosen, key=itemgetter(1, 2), reverse=True), wanted.page),
        "kinds": {kind: counts[kind] for kind in KINDS if counts[kind]},
        "total": len(of_day),
        "wanted": wanted,
    }
    return page.show("files.html", values)


@router.get("/files/{path:path}")
def file(page: PageThere, state: StateThere, engine: Reading, path: str, wanted: InQuery[PlaceQuery]) -> Response:
    """A text of the workspace: its headings, lists and links, with an anchor at each line."""
    text = _text_of(page, engine, path)
    lines = text[:_MOST].rstrip("\n").split("\n")
    number = (wanted.at - 1) // _LINES + 1 if wanted.at else wanted.page
    part = part_of(range(1, len(lines) + 1), number, _LINES)
    first, last = part.items[0], part.items[-1]
    begin = max(0, first - 1 - _AROUND)
    around = [line[: 2 * LONGEST] for line in lines[begin : last + _AROUND]]
    lines[begin : last + _AROUND] = state.redact("\n".join(around)).split("\n")
    if sum(map(len, lines[first - 1 : last])) > _LONG:
        lines = [line if len(line) <= _CUT else f"{line[:_CUT]}…" for line in lines[:last]]
    values = {
        "file": path,
        "kind": _kinds_of(engine)(path),
        "day": day_of(path),
        "part": part,
        "parts": group_lines(
            [line for line in page_lines("\n".join(lines[:last])) if line.number >= first],
            leads_from(path, engine.workspace.layout),
        ),
        "cut": len(text) > _MOST,
    }
    return page.show("file.html", values)


def _text_of(page: Page, engine: Engine, path: str) -> str:
    """The text at a path, as it stands now."""
    try:
        data = LiveFiles(engine.workspace, engine.settings.index, UNSURE).read(path) if page.shows(path) else None
        if data is not None:
            return readable_text(data).replace("\r\n", "\n")
    except (NotText, PathRefused):
        pass
    except ReadFailed as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from error
    raise HTTPException(HTTPStatus.NOT_FOUND, page.text("files.no_file"))


def _kinds_of(engine: Engine) -> Callable[[str], str]:
    """The kinds of files by their paths."""
    families = [(_KIND_OF_JOB.get(job.name, "notes"), engine.family(job)) for job in engine.jobs]
    agents = tuple(f"{root}/" for root in engine.workspace.layout.agent_roots)

    def kind_of(path: str) -> str:
        if path.startswith(agents):
            return "agents"
        return "lists" if path in LISTS else next((kind for kind, family in families if family.owns(path)), "notes")

    return kind_of


def day_of(path: str) -> str:
    """The day or the week that the name of a file tells; empty without one."""
    match = _DAY.search(path.rpartition("/")[2])
    return match[0] if match else ""
