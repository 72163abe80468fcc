"""The changes of an upgrade in a workspace, and what going back from it would lose."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class UpgradeReport:
    """The state of a workspace for the program that is installed, of version `program`.

    `ledger` is the version of the ledger, `None` without a ledger, and `known` that of the program, to which `steps`
    lead. `remade` are derived files that are made anew, `rewritten` files of units and agents that name something old.
    `copies` are the files from before upgrades, the newest first. `unlisted` tells that the workspace is not on the
    person's list, on which an upgrade puts it. `done` tells that all this was carried out, and
    `troubles` what the doctor found afterwards.
    """

    program: str
    ledger: int | None
    known: int
    steps: tuple[str, ...]
    remade: tuple[str, ...]
    rewritten: tuple[str, ...]
    copies: tuple[str, ...]
    unlisted: bool = False
    done: bool = False
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReturnReport:
    """The way back to the ledger from before an upgrade: its `version`, and the `moment` of the copy.

    `runs` is the number of runs since, whose pages stay; `acts` are what the owner did since, which is lost. `kept` is
    where the newer files are afterwards. Without `done` nothing was changed.
    """

    version: int
    moment: datetime
    runs: int
    acts: tuple[str, ...]
    kept: tuple[str, ...]
    done: bool = False
