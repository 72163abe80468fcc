"""The refusal of settings that lead out of a workspace which is nobody's here."""

import os
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from pipeline.errors.workspaces import WorkspaceNotListed
from pipeline.install import UnitTarget, render_unit
from pipeline.ledger import open_ledger
from pipeline.settings.load import load_settings
from pipeline.settings.workspaces import PLACE, own_list, register
from pipeline.surfaces.cli.terminal.machine import data_folder
from tests.support.tables import table

_OUTSIDE = '[[sources]]\nkind = "claude_code"\npath = "../talks"\n'


def clone(folder: Path, settings: str) -> Path:
    """A folder that somebody else made, with these settings."""
    (folder / ".memory").mkdir(parents=True)
    (folder / "memory.toml").write_text(settings)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a person with a home in which nothing is."""
    return {"HOME": str(tmp_path / "home")}


def is_refused(root: Path, environment: dict[str, str]) -> bool:
    """Whether the settings of a folder are refused."""
    try:
        load_settings(root, environment)
    except WorkspaceNotListed:
        return True
    return False


@table(
    "settings, named",
    [
        ('[model]\nbase_url = "https://models.example/v1"\nname = "m"', "model.base_url"),
        ('[model]\nbase_url = "http://127.0.0.1@models.example"\nname = "m"', "model.base_url"),
        ('[model]\nbase_url = "http://models.example\\\\@127.0.0.1"\nname = "m"', "model.base_url"),
        ('[model]\nbase_url = "http://127.0.0.1.nip.example"\nname = "m"', "model.base_url"),
        ('[model]\nprogram = "claude"', "model.program"),
        ('[model.sources]\nclaude_code = "claude"', "model.sources"),
        ('[model]\nmixed = "codex"', "model.mixed"),
        ('[embedder]\nkind = "openai"\nmodel = "m"\nbase_url = "http://10.0.0.7/v1"', "embedder.base_url"),
        ('[embedder]\nkind = "fastembed"\nmodel = "m"', "embedder.kind"),
        ('[reranker]\nmodel = "m"', "reranker.model"),
        ('[index]\nurl = "http://vectors.example:6333"', "index.url"),
        ('[store]\nurl = "postgresql://me@db.example/memory"\nworkspace = "w"', "store.url"),
        ('[store]\nurl = "postgresql://localhost/memory?host=db.example"\nworkspace = "w"', "store.url"),
        ('[store]\nurl = "postgresql://me:word@127.0.0.1:5432/memory"\nworkspace = "w"', "store.url"),
        ('[index]\nurl = "http://[::1]:6333"', "index.url"),
        ('[pings]\nurl = "https://pings.example/{job}"', "pings.url"),
        ('[pings]\nurl = "http://127.0.0.1:9000/{job}"', "pings.url"),
        ('[service]\nhttp = "0.0.0.0:80"', "service.http"),
        ('[service]\nmetrics_file = "../metrics"', "service.metrics_file"),
        ('[embedder]\nkind = "fastembed"\nfolder = "../model"', "embedder.folder"),
        ('[reranker]\nfolder = "/srv/model"', "reranker.folder"),
        (_OUTSIDE, "sources.claude_code"),
        ('[[sources]]\nkind = "notes"\npath = "~/notes"', "sources.notes"),
        ('[[sources]]\nkind = "codex"\npath = "linked"', "sources.codex"),
        ('[[index.extra_paths]]\nname = "mail"\npath = "/var/mail"', "index.extra_paths.mail"),
    ],
)
def test_what_leads_out_is_refused(settings: str, named: str, tmp_path: Path, environment: dict[str, str]) -> None:
    """Also by a link, and by addresses that only look like this machine."""
    root = clone(tmp_path / "clone", settings)
    if named == "sources.codex":
        (root / "linked").symlink_to(tmp_path)
    with pytest.raises(WorkspaceNotListed) as refused:
        load_settings(root, environment)
    assert [named] == [name for name in refused.value.named if not name.startswith("the link")]
    assert f"memory workspaces add {root}" in str(refused.value)
    own_list(environment).add(root)
    load_settings(root, environment)


@table(
    "settings",
    [
        '[model]\nbase_url = "http://localhost:1234/v1"\nname = "m"',
        '[model]\nbase_url = "http://127.0.0.1:1234/v1"\nname = "m"\napi_key = "of-the-file"',
        '[[sources]]\nkind = "openclaw"\npath = "sessions"',
        '[service]\nhttp = "127.0.0.1:9464"\nmetrics_file = "metrics.prom"',
        '[model.sources]\ncodex = "offline"',
        "",
    ],
)
def test_what_stays_inside_needs_no_list(settings: str, tmp_path: Path, environment: dict[str, str]) -> None:
    """Servers of this machine, and folders of the workspace."""
    assert not is_refused(clone(tmp_path, settings), environment)


@table(
    "link",
    [
        *("memory", "memory/journal", "MEMORY.md", ".memory/index", "nova/deep/er/agents/a/journal"),
        *("talks/all", "talks/.x/all", "talks/a/b/c/d/e/all", ".hidden/all"),
    ],
)
def test_a_link_that_leads_out_is_refused(link: str, tmp_path: Path, environment: dict[str, str]) -> None:
    """Jobs write where it leads, and sources are read there; a link inside of the workspace leads nowhere else."""
    settings = '[[sources]]\nkind = "claude_code"\npath = "talks"\n[agents]\nroot = "nova/deep/er/agents"'
    root = clone(tmp_path / "w", settings)
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / "inside").symlink_to(root / "memory.toml")
    assert not is_refused(root, environment)
    (root / link).symlink_to(tmp_path)
    with pytest.raises(WorkspaceNotListed, match=f"the link {link}"):
        load_settings(root, environment)


def test_the_environment_is_the_word_of_its_person(tmp_path: Path, environment: dict[str, str]) -> None:
    """What it sets is not the file's; its key goes to no server that a file names, also not on this machine."""
    plain, local = (
        clone(tmp_path / name, settings)
        for name, settings in (("a", ""), ("b", '[model]\nbase_url = "http://127.0.0.1:1"\nname = "m"'))
    )
    model = {"MEMORY_MODEL__BASE_URL": "https://models.example", "MEMORY_MODEL__NAME": "m"}
    assert not is_refused(plain, environment | model)
    assert is_refused(local, environment | {"MEMORY_MODEL__API_KEY": "of-the-person"})


def test_a_workspace_that_the_environment_names(tmp_path: Path, environment: dict[str, str]) -> None:
    """As units of ours, and containers, name theirs; a relative name could be that of any folder."""
    root = clone(tmp_path / "w", _OUTSIDE)
    assert is_refused(root, environment)
    assert is_refused(root, environment | {"MEMORY_WORKSPACE": "."})
    assert is_refused(root, environment | {"MEMORY_WORKSPACE": str(tmp_path)})
    assert not is_refused(root, environment | {"MEMORY_WORKSPACE": str(root)})
    assert not is_refused(root, {})  # without a home there is no list


def test_a_place_that_the_home_knows(tmp_path: Path, environment: dict[str, str]) -> None:
    """A workspace that was moved is known by its id; another id, as a clone has it, proves nothing."""
    root = clone(tmp_path / "w", _OUTSIDE)
    register(root, environment)
    moved = root.rename(tmp_path / "moved")
    assert not is_refused(moved, environment)
    (moved / PLACE).write_bytes(os.fsencode(root) + b"\n" + b"0" * 32)
    assert is_refused(moved, environment)


def test_units_in_the_home(tmp_path: Path, environment: dict[str, str]) -> None:
    """They were installed for this workspace, before there was a list."""
    root, units = clone(tmp_path / "w", _OUTSIDE), tmp_path / "home" / ".config" / "systemd" / "user"
    units.mkdir(parents=True)
    template = data_folder("systemd").joinpath("memory.service").read_text()
    (units / "memory.service").write_text(render_unit(template, UnitTarget("/bin/memory", str(tmp_path / "other"))))
    assert is_refused(root, environment)
    (units / "memory.service").write_text(render_unit(template, UnitTarget("/bin/memory", str(root))))
    assert not is_refused(root, environment)


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A workspace whose ledger knows a transcript beside it, as it is now."""
    root, talk = clone(tmp_path / "w", _OUTSIDE), tmp_path / "talks" / "one.jsonl"
    talk.parent.mkdir()
    talk.write_bytes(b"{}\n")
    note(root, talk)
    return root


def note(root: Path, talk: Path) -> None:
    """Note a transcript in the ledger of a workspace, as a run does."""
    status = talk.stat()
    with closing(open_ledger(root / ".memory" / "state.db").store) as store:
        store.execute(
            "INSERT OR REPLACE INTO files (source, path, size, mtime_ns, session, agent) VALUES (?, ?, ?, ?, '', '')",
            ("claude_code", talk.name, status.st_size, status.st_mtime_ns),
        )


def test_a_ledger_that_knows_transcripts(known: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """A clone cannot tell when a file of the person was changed; a file that has changed since proves nothing."""
    assert not is_refused(known, environment)
    (tmp_path / "talks" / "one.jsonl").write_bytes(b"{}\n\n")
    assert is_refused(known, environment)


def test_a_ledger_that_came_with_its_transcripts(known: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """An archive sets the times of its files, which its author knows."""
    talk = tmp_path / "talks" / "one.jsonl"
    os.utime(talk, ns=(1_700_000_000_123_456_789, 1_700_000_000_123_456_789))
    note(known, talk)
    assert is_refused(known, environment)


def test_a_ledger_that_knows_files_of_the_clone(tmp_path: Path, environment: dict[str, str]) -> None:
    """A link inside of a clone is at the same path as its file, as soon as the settings name the folder above it."""
    root = clone(tmp_path / "shop", _OUTSIDE.replace("../talks", ".."))
    talk = root / "one.jsonl"
    (root / "shop").mkdir()
    talk.write_bytes(b"{}\n")
    (root / "shop" / "one.jsonl").symlink_to("../one.jsonl")
    status = talk.stat()
    with closing(open_ledger(root / ".memory" / "state.db").store) as store:
        store.execute(
            "INSERT INTO files (source, path, size, mtime_ns, session, agent) VALUES (?, ?, ?, ?, '', '')",
            ("claude_code", "shop/one.jsonl", status.st_size, status.st_mtime_ns),
        )
    assert is_refused(root, environment)


def test_a_ledger_that_is_none(known: Path, environment: dict[str, str]) -> None:
    """Of a ledger without the table, and of rows of other kinds than a run writes, nothing is believed."""
    with closing(connect(known / ".memory" / "state.db")) as store:
        store.execute("UPDATE files SET path = x'00ff', size = 'a', mtime_ns = 0.5")
        store.commit()
        assert is_refused(known, environment)
        store.execute("DROP TABLE files")
        store.commit()
        assert is_refused(known, environment)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i"
        store.execute(f"CREATE VIEW files (source, path, size, mtime_ns) AS {endless}, i, i, i FROM n")
        store.commit()
    assert is_refused(known, environment)


@table("linked", [".memory", ".memory/place", ".memory/state.db"])
def test_links_to_what_is_the_persons(linked: str, known: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """A clone may bring a link to the folder of derived files of the person, or to a file in it."""
    register(known, environment)
    root = clone(tmp_path / "clone", _OUTSIDE.replace("../talks", str(known.parent / "talks")))
    (root / ".memory").rmdir()
    (root / linked).parent.mkdir(exist_ok=True)
    (root / linked).symlink_to(known / linked)
    assert not is_refused(known, environment)
    assert is_refused(root, environment)


def test_links_in_a_source_outside_are_those_of_the_person(tmp_path: Path, environment: dict[str, str]) -> None:
    """As clients make them; nothing there is looked at."""
    root = clone(tmp_path / "w", _OUTSIDE)
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "latest").symlink_to(tmp_path)
    own_list(environment).add(root)
    assert not is_refused(root, environment)


def test_a_listed_workspace_behind_a_link(tmp_path: Path, environment: dict[str, str]) -> None:
    """It was moved to another disk, and a link is left in its place."""
    root = clone(tmp_path / "w", _OUTSIDE)
    own_list(environment).add(root)
    root.rename(tmp_path / "moved")
    root.symlink_to(tmp_path / "moved")
    assert not is_refused(root, environment)
    assert not is_refused(tmp_path / "moved", environment)


def test_the_folder_of_a_stranger_is_one_word_of_the_command(tmp_path: Path, environment: dict[str, str]) -> None:
    """People and agents copy it."""
    root = clone(tmp_path / "a; touch b", _OUTSIDE)
    with pytest.raises(WorkspaceNotListed, match=f"memory workspaces add '{root}'"):
        load_settings(root, environment)


def test_a_record_of_connections(tmp_path: Path, environment: dict[str, str]) -> None:
    """It counts where the home has noted it: a stranger can guess a record, and has another folder."""
    mine, root = (clone(tmp_path / name, _OUTSIDE) for name in ("mine", "clone"))
    for folder in (mine, root):
        (folder / ".memory" / "integrations").mkdir()
        (folder / ".memory" / "integrations" / "record.json").write_text("{}")
    own_list(environment).note(mine / ".memory" / "integrations" / "record.json", b"{}")
    assert not is_refused(mine, environment)
    assert is_refused(root, environment)
    (root / PLACE).write_text("{}")
    assert is_refused(root, environment)


def test_a_list_that_is_damaged_lists_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    """It is the word of nobody."""
    root, listed = clone(tmp_path / "w", _OUTSIDE), own_list(environment)
    listed.add(root)
    listed.file.write_text("[[")
    assert is_refused(root, environment)
