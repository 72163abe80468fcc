"""The check of hits: each must cite its source as it is, and show the standing of its entry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.index.search.citations import DOUBTFUL_CONFIDENCE, NO_DATE
from pipeline.index.search.live_files import LiveFiles
from pipeline.index.search.query import encodable
from pipeline.workspace.layout import LOW, NOTED
from schemas.entry import Status, Trust
from schemas.hit import Hit


@dataclass(frozen=True)
class Citations:
    """Looks hits up in the files as they are now."""

    files: LiveFiles

    def faults(self, hits: Sequence[Hit]) -> list[str]:
        """The faults of the hits of one answer, as sentences that begin with the place; mostly none."""
        wrong = [f"{cited(hit)} {why}" for hit in hits for why in (*self._source(hit), *_standing(hit))]
        return [*wrong, *_order(hits)]

    def _source(self, hit: Hit) -> Iterator[str]:
        lines = self.files.lines(hit.path)
        if lines is None:
            yield "names a file that cannot be read"
        elif not 1 <= hit.start_line <= hit.end_line <= len(lines):
            yield f"names lines that are not there: the file has {len(lines)}"
        elif hit.text != encodable("\n".join(lines[hit.start_line - 1 : hit.end_line])):
            yield "has another text than those lines"
        for place in hit.places:
            known = self.files.lines(place.path)
            if known is None or not 1 <= place.start_line <= place.end_line <= len(known):
                yield f"also names {place.path}#L{place.start_line}-L{place.end_line}, which is not there"


def cited(hit: Hit) -> str:
    """The place of a hit, as `memory get` takes it."""
    return f"{hit.path}#L{hit.start_line}-L{hit.end_line}"


def _standing(hit: Hit) -> Iterator[str]:
    if hit.date is None and NO_DATE not in hit.uncertain:
        yield "has no date, and does not say so"
    if hit.entry_id and hit.status not in set(Status):
        yield f"has the status {hit.status!r}, which there is not"
    if not hit.trust or (hit.entry_id and hit.confidence is not None and hit.trust not in set(Trust)):
        yield f"does not tell whose word it is: its trust is {hit.trust!r}"
    if (reason := _reason(hit)) and not hit.uncertain:
        yield f"is {reason}, and does not say that it is uncertain"


def _reason(hit: Hit) -> str:
    """Why a hit should be doubted; empty when there is no reason."""
    if hit.trust in {Trust.QUOTED.value, Trust.UNVERIFIED.value, LOW, NOTED}:
        return f"of {hit.trust} trust" if hit.trust == LOW else hit.trust
    if hit.status in {Status.SUPERSEDED.value, Status.ARCHIVED.value, Status.IN_REVIEW.value}:
        return hit.status
    doubtful = hit.confidence is not None and hit.confidence < DOUBTFUL_CONFIDENCE
    return f"held with a confidence of {hit.confidence}" if doubtful else ""


def _order(hits: Sequence[Hit]) -> Iterator[str]:
    """Nothing that was superseded stands before what took its place."""
    for number, hit in enumerate(hits):
        for later in hits[number + 1 :]:
            if later.entry_id and later.entry_id in hit.superseded_by:
                yield f"{cited(hit)} stands before {later.entry_id}, which took its place"
