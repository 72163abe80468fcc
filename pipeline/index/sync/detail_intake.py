"""Intake of details: their listing, and the lines that the index reads of them."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from pipeline.clock import local_day
from pipeline.index.chunking.details import SEARCHED, SYNOPSIS, detail_document, key_of, lines_of_detail, paths_of
from pipeline.index.context import Indexing
from pipeline.index.document import IndexedFile
from pipeline.ports.details import DetailSource
from pipeline.workspace.listing import Listed, Listing, list_files
from schemas.detail import Detail
from schemas.tier import Tier

_NUMBER_BYTES: Final = 7  # fewer than an integer of the index has


def listing_now(indexing: Indexing, before: Mapping[str, Listed] = MappingProxyType({})) -> Listing:
    """The files to index: the texts of the workspace, some as they were `before`, or the details of the store."""
    if indexing.details is None:
        return list_files(indexing.workspace, indexing.settings, before=before)
    listed = list[Listed]()
    for detail in indexing.details.list_details():
        # A detail has the form of a file that never changes; a hash of its id and text takes the place of the inode.
        identity = blake2b(f"{detail.id} {detail.sha256}".encode(), digest_size=_NUMBER_BYTES).digest()
        number = int.from_bytes(identity)
        listed += [Listed(path, path, Tier.DETAIL, detail.size, 0, 0, number) for path in paths_of(detail)]
    return Listing(tuple(sorted(listed)), ())


def first_of(indexing: Indexing, listed: Sequence[Listed], size: int | None) -> tuple[Listed, ...]:
    """The first details, as many as come to so many bytes, and one at least; of an index of files, all."""
    if indexing.details is None or size is None:
        return tuple(listed)
    read = accumulate(0 if file.path.endswith(SYNOPSIS) else min(file.size, SEARCHED) for file in listed)
    return tuple(file for file, so_far in zip(listed, read, strict=True) if so_far <= max(size, SEARCHED))


def read_detail(indexing: Indexing, details: DetailSource, path: str) -> tuple[str, IndexedFile] | None:
    """The digest and the document of a detail, or of its synopsis; `None` when it has gone."""
    detail = details.find(key_of(path))
    if detail is None:
        return None
    lines = detail_lines(details, detail, path)
    return detail.sha256, detail_document(path, detail, lines, local_day(detail.created_at, indexing.zone))


def detail_lines(details: DetailSource, detail: Detail, path: str) -> list[str]:
    """The lines of a detail, or of its synopsis, by its path, as far as they are in the index."""
    if path.endswith(SYNOPSIS):
        return detail.summary.rstrip("\n").split("\n")
    return lines_of_detail(details.beginning(detail, SEARCHED))
