"""The links that a plan may rest on."""

from collections.abc import Sequence
from dataclasses import replace

from jobs.resolution.relinking import sound
from pipeline.job import Noted


def soundly_linked(noted: Sequence[Noted]) -> list[Noted]:
    """The versions without the links that today's judgement would not make: nothing is overridden because of them."""
    entries = sound([version.entry for version in noted])
    return [
        version if version.entry is entry else replace(version, entry=entry)
        for version, entry in zip(noted, entries, strict=True)
    ]
