"""`memory init`."""

import os
import re
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal.machine import zone_of
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import Said
from tests.support.processes.fake_program import Behaviour, Call, fake_program
from tests.support.tables import table


def test_makes_a_workspace(tmp_path: Path, call: Callable[..., Said]) -> None:
    """A new folder gets settings whose first line is the zone, and whose start is now."""
    root, before = tmp_path / "new" / "w", datetime.now(UTC).replace(microsecond=0)
    said = call("init", root, TZ="Asia/Shanghai")
    assert (said.code, said.err) == (0, "")
    assert (root / "memory.toml").read_text().splitlines()[0] == 'timezone = "Asia/Shanghai"'
    settings = load_settings(root, {})
    assert settings.start is not None
    assert before <= settings.start <= datetime.now(UTC)
    assert settings.sources == ()
    assert (root / "memory").is_dir()


def test_makes_the_folder_of_what_is_derived(tmp_path: Path, call: Callable[..., Said]) -> None:
    """A scheduler may log into it from the first run on; it is ours alone, and keeps itself out of git."""
    call("init", tmp_path / "w")
    folder = tmp_path / "w" / ".memory"
    assert (folder.stat().st_mode & 0o777, (folder / ".gitignore").read_text()) == (0o700, "*\n")


def test_a_second_time_changes_nothing(tmp_path: Path, call: Callable[..., Said]) -> None:
    """An existing workspace is left byte for byte, and that is said."""
    call("init", tmp_path / "w")
    before = (tmp_path / "w" / "memory.toml").read_bytes()
    said = call("init", tmp_path / "w", TZ="Asia/Shanghai")
    assert said.code == 0
    assert "nothing was changed" in said.out
    assert (tmp_path / "w" / "memory.toml").read_bytes() == before


@table("option", ["--yes", "--source all", "--model claude", "--service"])
def test_no_agent_answers(option: str, tmp_path: Path, call: Callable[..., Said]) -> None:
    """An answer that starts reading is the owner's; without one, an agent may make a workspace."""
    said = call("init", tmp_path / "w", *option.split(), CLAUDECODE="1")
    assert (77, False) == (said.code, (tmp_path / "w").exists())
    assert 0 == call("init", tmp_path / "w", CLAUDECODE="1").code


def test_source_tables_can_be_appended(tmp_path: Path, call: Callable[..., Said]) -> None:
    """`[[sources]]` tables appended to a new file are in force."""
    call("init", tmp_path / "w")
    file = tmp_path / "w" / "memory.toml"
    file.write_text(file.read_text() + '\n[[sources]]\nkind = "openclaw"\npath = "/x"\n')
    assert [source.kind for source in load_settings(tmp_path / "w", {}).sources] == ["openclaw"]


def test_proposes_the_transcripts_of_this_machine(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """What agents left here is shown once, and stands in the file as comments that can be taken away."""
    (home / ".openclaw").mkdir()
    said = call("init", tmp_path / "w")
    block = said.out[said.out.index("[[sources]]") :].partition("\n\n")[0]
    assert tomllib.loads(block) == {"sources": [{"kind": "openclaw", "path": str(home / ".openclaw")}]}
    assert (said.out.count("[[sources]]"), "take the # away" in said.out) == (1, True)
    assert load_settings(tmp_path / "w", {}).sources == ()
    file = tmp_path / "w" / "memory.toml"
    settings, _, proposals = file.read_text().partition("# Found on this machine")
    file.write_text(settings + "".join(f"{line.removeprefix('#')}\n" for line in proposals.splitlines()[1:]))
    assert [source.path for source in load_settings(tmp_path / "w", {}).sources] == [str(home / ".openclaw")]


def test_tells_how_much_there_is_and_what_comes_next(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """Of each store how many sessions from when to when, by a listing; then the commands, in their order."""
    sessions = home / ".openclaw" / "agents" / "main" / "sessions"
    for day in (3, 9):
        file = OpenClawLines(f"s-{day}").write(sessions / f"s-{day}.jsonl")
        moment = datetime(2026, 2, day, tzinfo=UTC).timestamp()
        os.utime(file, (moment, moment))
    (home / ".claude" / "projects").mkdir(parents=True)
    said = call("init", tmp_path / "w")
    assert '# about 2 sessions, changed 2026-02-03 to 2026-02-09\n[[sources]]\nkind = "openclaw"\n' in said.out
    assert '# no session yet\n[[sources]]\nkind = "claude_code"\n' in said.out
    steps = [
        "memory config check",
        "memory show transcripts",
        "memory backfill --all",
        "memory serve install --systemd",
    ]
    steps += ["memory open"]
    assert steps == re.findall(r"^  (memory [a-z -]*[a-z])  ", said.out, re.MULTILINE)


def test_without_any_store_it_says_where_it_looked(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """Every folder of every kind, those that variables name too; and a table that can be written."""
    said = call("init", tmp_path / "w", OPENCLAW_STATE_DIR=str(tmp_path / "elsewhere"))
    assert 0 == said.code
    places = [tmp_path / "elsewhere", home / ".openclaw", home / ".claude" / "projects"]
    assert [] == [place for place in places if f"  {place}\n" not in said.out]
    table = said.out[said.out.index("[[sources]]") :].partition("\n\n")[0]
    assert ["openclaw"] == [source["kind"] for source in tomllib.loads(table)["sources"]]
    assert "memory backfill --all" in said.out


def test_without_a_folder_it_is_the_one_that_is_named(tmp_path: Path, call: Callable[..., Said]) -> None:
    """--workspace and MEMORY_WORKSPACE name the folder too, as for every other command."""
    call("init", "--workspace", tmp_path / "one")
    call("init", MEMORY_WORKSPACE=str(tmp_path / "two"))
    assert sorted(file.parent.name for file in tmp_path.glob("*/memory.toml")) == ["one", "two"]


def test_yes_takes_what_is_proposed(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """All that was found is read; no page, no service. A program gets an object with what was found."""
    (home / ".openclaw").mkdir()
    said = call("init", tmp_path / "w", "--yes", "--no-read", "--json")
    [made] = said.records
    assert (True, "UTC", [("openclaw", True)]) == (
        made["made"],
        made["timezone"],
        [(source["kind"], source["read"]) for source in made["sources"]],
    )
    settings = load_settings(tmp_path / "w", {})
    assert (["openclaw"], "") == ([source.kind for source in settings.sources], settings.service.http)
    [again] = call("init", tmp_path / "w", "--yes", "--json").records
    assert (False, str(tmp_path / "w")) == (again["made"], again["workspace"])


def test_options_answer_for_scripts(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """What no option answers stays as it is without a person; a declined source is not named again."""
    for folder in (".openclaw", ".claude/projects"):
        (home / folder).mkdir(parents=True)
    said = call("init", tmp_path / "w", "--source", "claude-code", "--timezone", "Asia/Shanghai", "--page")
    settings = load_settings(tmp_path / "w", {})
    assert (0, ["claude_code"]) == (said.code, [source.kind for source in settings.sources])
    assert ("Asia/Shanghai", (str(home / ".openclaw"),)) == (settings.timezone, settings.sources_ignored)
    assert settings.service.http.startswith("127.0.0.1:")
    line = said.out[said.out.index("  5 * * * *") :].partition("\n")[0]
    assert (True, True) == (line.endswith(f"run --workspace {tmp_path / 'w'}"), "\n- `memory open`" in said.out), line
    assert [] == list((tmp_path / "w" / "memory").iterdir())
    call("init", tmp_path / "second", "--source", "none", "--page")
    assert settings.service.http != load_settings(tmp_path / "second", {}).service.http


@table("words", ["--source none", "--yes"])
def test_options_are_obeyed_where_nothing_is_read(words: str, tmp_path: Path, call: Callable[..., Said]) -> None:
    """The page, the model, the service and the embedder do not need a source."""
    with (
        fake_program(tmp_path / "bin", "claude", lambda _: Behaviour()),
        fake_program(tmp_path / "bin", "systemctl", lambda _: Behaviour()),
    ):
        path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
        options = ("--page", "--model", "claude", "--embedder", "none", "--service", "--read")
        said = call("init", tmp_path / "w", *words.split(), *options, PATH=path)
    settings = load_settings(tmp_path / "w", {})
    assert (0, "claude", "none") == (said.code, settings.model.program, settings.embedder.kind), said.shown
    assert (True, True) == (f", at {settings.service.http}, while" in said.out, "Wrote " in said.out), said.out


@table("place", [".claude/projects/x", ".codex/sessions", ".openclaw"])
def test_among_transcripts(place: str, home: Path, call: Callable[..., Said]) -> None:
    """A folder that a source reads is no place for what is made of it."""
    said = call("init", home / place)
    assert (2, True, False) == (said.code, "leaves its transcripts" in said.err, (home / place).exists()), said.err


def test_a_service_that_does_not_start_is_a_failure(home: Path, tmp_path: Path, call: Callable[..., Said]) -> None:
    """Of systemd, or without it; the workspace is made, and with --json only objects are on stdout."""
    (home / ".openclaw").mkdir()
    words = ("--source", "all", "--service", "--no-read")
    said = call("init", tmp_path / "none", *words, PATH=str(home))
    assert (1, True, True) == (said.code, "no systemctl" in said.err, (tmp_path / "none" / "memory.toml").is_file()), (
        said.err
    )

    def fail(_: Call) -> Behaviour:
        return Behaviour("of systemctl", code=1)

    with fake_program(home / "bin", "systemctl", fail):
        path = os.pathsep.join([str(home / "bin"), os.environ["PATH"]])
        said = call("init", tmp_path / "w", *words, "--json", PATH=path)
    assert (1, 1) == (said.code, len(said.out.splitlines())), said.shown
    assert (True, True) == ("Wrote " in said.err, "could not be started" in said.err), said.err


@table(
    ("words", "named"),
    [
        (("--source", "cobol"), "--source: there is no cobol on this machine; found: openclaw"),
        (("--source", "all", "--source", "openclaw"), "--source: all and none stand alone"),
        (("--timezone", "Mars/North"), "no IANA time zone"),
        (("--source", "all", "--model", "http://127.0.0.1:9/v1"), "--model: http://127.0.0.1:9/v1 cannot answer here"),
        (
            ("--page", "--model", "claude", "--service"),
            "--page, --model, --service, --embedder and --read need --source",
        ),
    ],
)
def test_a_wrong_answer_makes_nothing(
    words: tuple[str, ...], named: str, home: Path, tmp_path: Path, call: Callable[..., Said]
) -> None:
    """It is named, and what there is."""
    (home / ".openclaw").mkdir(exist_ok=True)
    said = call("init", tmp_path / "w", *words)
    assert (2, True, False) == (said.code, named in said.err, (tmp_path / "w").exists()), said.err


def test_inside_another_workspace(tmp_path: Path, call: Callable[..., Said]) -> None:
    """It is refused, unless a person means it."""
    call("init", tmp_path / "w")
    said = call("init", tmp_path / "w" / "memory")
    assert (2, True) == (said.code, f"inside the workspace {tmp_path / 'w'}" in said.err), said.err
    assert not (tmp_path / "w" / "memory" / "memory.toml").exists()
    assert 0 == call("init", tmp_path / "w" / "memory", "--nested").code


def test_inside_a_repository(tmp_path: Path, call: Callable[..., Said]) -> None:
    """It says what git will show, and how to keep that to oneself."""
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    said = call("init", tmp_path / "shop" / "w")
    assert (0, True) == (said.code, f"git repository {tmp_path / 'shop'}" in said.out)
    assert "\n  /w/\n" in said.out
    said = call("init", tmp_path / "shop")
    assert "\n  /memory.toml\n" in said.out


def test_inside_a_folder_that_is_synced(tmp_path: Path, call: Callable[..., Said]) -> None:
    """It says which part must not be synced."""
    said = call("init", tmp_path / "Dropbox" / "w")
    assert (0, True) == (said.code, "Dropbox syncs this folder" in said.out)


def test_a_home_that_cannot_be_written(tmp_path: Path, call: Callable[..., Said]) -> None:
    """A sentence, and nothing half-made."""
    (tmp_path / "w").symlink_to("/proc/nowhere")
    said = call("init", tmp_path / "w" / "x")
    assert (True, 1) == (said.err.startswith("memory: Cannot write "), said.err.count("\n")), said.err


def test_a_file_in_the_way_is_reported(tmp_path: Path, call: Callable[..., Said]) -> None:
    """A folder that cannot be made is a sentence, not a traceback."""
    (tmp_path / "file").write_text("x")
    said = call("init", tmp_path / "file" / "w")
    assert said.code == 1
    assert said.err.startswith("memory: Cannot write ")


def test_the_zone_of_a_machine(tmp_path: Path) -> None:
    """TZ, else where /etc/localtime points, else /etc/timezone, else UTC."""
    assert zone_of({}, tmp_path) == "UTC"
    (tmp_path / "timezone").write_text("Asia/Shanghai\n")
    assert zone_of({}, tmp_path) == "Asia/Shanghai"
    zones = tmp_path / "zoneinfo" / "Europe"
    zones.mkdir(parents=True)
    (zones / "Warsaw").write_text("")
    (tmp_path / "localtime").symlink_to(zones / "Warsaw")
    assert zone_of({}, tmp_path) == "Europe/Warsaw"
    assert zone_of({"TZ": ":Africa/Cairo"}, tmp_path) == "Africa/Cairo"
    assert zone_of({"TZ": "CET-1CEST"}, tmp_path) == "Europe/Warsaw"


@table(
    ("folder", "code", "why"),
    [("x" * 300, 1, "File name too long"), ("~nobody-is-called-so/w", 2, "nobody who is known")],
)
def test_a_folder_that_cannot_be_one(
    folder: str, code: int, why: str, tmp_path: Path, call: Callable[..., Said]
) -> None:
    """It is refused in a sentence."""
    said = call("init", folder if folder.startswith("~") else tmp_path / folder)
    assert (code, True) == (said.code, why in said.err), said.shown
