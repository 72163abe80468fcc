"""`memory config` and `memory show jobs`."""

from collections.abc import Callable
from pathlib import Path

from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.terminal.machine import sample_settings
from tests.support.processes.command_line import Said


def shown(said: Said) -> dict[str, tuple[object, str]]:
    """The value and the origin of every setting."""
    return {record["setting"]: (record["value"], record["from"]) for record in said.records}


def test_shows_every_setting_with_its_origin(workspace: Path, call: Callable[..., Said]) -> None:
    """The file, the environment and the defaults are told apart."""
    variables = {"MEMORY_MODEL__ATTEMPTS": "5", "MEMORY_model__parallel": "7"}
    said = call("config", "show", "--json", "--workspace", workspace, **variables)
    settings = shown(said)
    assert settings["timezone"] == ("UTC", "memory.toml")
    assert settings["sources[0].path"] == ("sessions", "memory.toml")
    assert settings["sources[0].name"] == ("", "default")
    assert settings["model.attempts"] == (5, "MEMORY_MODEL__ATTEMPTS")
    assert settings["model.parallel"] == (7, "MEMORY_model__parallel")
    assert settings["log_level"] == ("info", "default")


def test_prints_the_sample(call: Callable[..., Said]) -> None:
    """Every setting at its default, also where no workspace is; it can be used as it is."""
    said = call("config", "sample")
    assert (0, "", sample_settings()) == (said.code, said.err, said.out)


def test_never_shows_the_key(workspace: Path, call: Callable[..., Said]) -> None:
    """The model's key is not printed, not even in part."""
    for words in (("show",), ("show", "--json")):
        said = call("config", *words, "--workspace", workspace, MEMORY_MODEL__API_KEY="sk-very-secret")
        assert "very" not in said.out
        assert "(hidden)" in said.out


def test_shows_no_password_inside_an_address(workspace: Path, call: Callable[..., Said]) -> None:
    """An address may carry a user and a password; only the host is shown."""
    address = {"MEMORY_MODEL__BASE_URL": "https://bob:s3c@ret@models.example/v1?to=@", "MEMORY_MODEL__NAME": "m"}
    said = call("config", "show", "--workspace", workspace, **address)
    assert ("s3c" in said.out, "ret@" in said.out) == (False, False)
    assert '"https://(hidden)@models.example/v1?to=@"' in said.out


def test_shows_no_password_that_cuts_its_address_short(workspace: Path, call: Callable[..., Said]) -> None:
    """Such an address does not reach its host: then people show their settings to others."""
    address = {"MEMORY_MODEL__BASE_URL": "http://tom:4711#secret?word@host/", "MEMORY_MODEL__NAME": "m"}
    said = call("config", "show", "--workspace", workspace, **address)
    assert ("4711" in said.out, "word" in said.out.split("base_url")[1].split("\n")[0]) == (False, False)


def test_a_credential_of_the_service_manager_is_a_setting(
    workspace: Path, tmp_path: Path, call: Callable[..., Said]
) -> None:
    """A systemd credential that is named like a setting is read as that setting; others are not."""
    folder = tmp_path / "credentials"
    folder.mkdir()
    (folder / "MEMORY_MODEL__ATTEMPTS").write_text("7\n")
    (folder / "other").write_text("x")
    said = call("config", "show", "--json", "--workspace", workspace, CREDENTIALS_DIRECTORY=str(folder))
    assert shown(said)["model.attempts"] == (7, "MEMORY_MODEL__ATTEMPTS")


def test_checks(workspace: Path, call: Callable[..., Said]) -> None:
    """Settings that can be used are said to be, and what is read of each source."""
    said = call("config", "check", "--workspace", workspace)
    line = "source openclaw: 1 session; 5 records: 5 understood, 0 ignored, 0 unknown\n"
    assert (said.code, said.out) == (0, f"{workspace / 'memory.toml'} can be used: 1 source.\n{line}")


def test_tells_all_problems_at_once(workspace: Path, call: Callable[..., Said]) -> None:
    """Kinds, jobs and crontab lines that do not exist are named together, each by its path."""
    file = workspace / "memory.toml"
    file.write_text('[[sources]]\nkind = "icq"\npath = "x"\n[jobs.nightly]\n[jobs.micro_sync]\nschedule = "often"\n')
    said = call("config", "check", "--workspace", workspace)
    assert said.code == 2
    for path in ("sources[0].kind: 'icq' is not known", "jobs.nightly:", "jobs.micro_sync.schedule:"):
        assert path in said.err


def test_jobs_outside_a_workspace(tmp_path: Path, call: Callable[..., Said]) -> None:
    """The jobs are listed as they are declared; `writes` is the one family."""
    (record,) = [fields for fields in call("show", "jobs", "--json").records if fields["name"] == "micro_sync"]
    assert record["writes"] == "memory/{day}.md"
    others = ("entries", "documents", "by_people", "items", "facts")
    assert record["reads"] == {"transcripts": True, "without_facts": 0, **{name: [] for name in others}}
    assert (record["schedule"], record["locks"], record["timeout"]) == ("0 */3 * * *", ["micro_sync"], 900.0)
    assert record["purpose"]
    assert call("show", "jobs", "--workspace", tmp_path).code == 2


def test_jobs_say_all_that_they_read(call: Callable[..., Said]) -> None:
    """Every field of the declaration, for programs and for people."""
    records = {record["name"]: record["reads"] for record in call("show", "jobs", "--json").records}
    lines = {line.split()[0]: line for line in call("show", "jobs", "--wide").out.splitlines()}
    for job in discover():
        assert {
            name: list(value) if isinstance(value, tuple) else value for name, value in vars(job.reads).items()
        } == (records[job.name])
        patterns = (*job.reads.entries, *job.reads.documents, *job.reads.by_people)
        assert [] == [pattern for pattern in patterns if pattern not in lines[job.name]]
    assert "what people wrote in MEMORY.md" in lines["weekly_plan"]
    assert "the transcripts; the entries in memory/{day}.md" in lines["daily_wrapup"]


def test_jobs_inside_a_workspace(workspace: Path, call: Callable[..., Said]) -> None:
    """A schedule and a time limit that the settings change are shown as changed."""
    with (workspace / "memory.toml").open("a") as file:
        file.write('[jobs.micro_sync]\nschedule = "30 * * * *"\ntimeout = 60\n')
    records = call("show", "jobs", "--json", "--workspace", workspace).records
    record = next(one for one in records if one["name"] == "micro_sync")
    assert (record["schedule"], record["timeout"]) == ("30 * * * *", 60.0)
    assert "30 * * * *" in call("show", "jobs", "--workspace", workspace).out


def test_programs_can_check_too(workspace: Path, call: Callable[..., Said]) -> None:
    """`config check --json` prints what is wrong, with the same exit code."""
    file = workspace / "memory.toml"
    said = call("config", "check", "--json", "--workspace", workspace)
    assert (said.code, said.records) == (0, [{"file": str(file), "usable": True, "problems": [], "warnings": []}])
    file.write_text('timezone = "Mars"\n[jobs.nightly]\n')
    said = call("config", "check", "--json", "--workspace", workspace)
    (record,) = said.records
    assert (said.code, said.err, record["usable"]) == (2, "", False)
    assert [problem.split(":")[0] for problem in record["problems"]] == ["timezone", "jobs.nightly"]


def test_what_came_from_the_environment_is_reported_with_its_variable(
    workspace: Path, call: Callable[..., Said]
) -> None:
    """The file is right, so it is not to blame."""
    variables = {"MEMORY_JOBS__MICRO_SYNC__SCHEDULE": "often", "MEMORY_JOBS__NIGHTLY__RETRIES": "1"}
    said = call("config", "check", "--workspace", workspace, **variables)
    assert 2 == said.code
    assert "jobs.micro_sync.schedule (MEMORY_JOBS__MICRO_SYNC__SCHEDULE): " in said.err
    assert "jobs.nightly (MEMORY_JOBS__NIGHTLY__RETRIES): there is no such job" in said.err


def test_a_check_that_cannot_be_called_is_reported(workspace: Path, call: Callable[..., Said]) -> None:
    """The service would not start with it; its address is a secret, and is not repeated."""
    said = call("config", "check", "--workspace", workspace, MEMORY_PINGS__URL="healthchecks")
    assert (2, False) == (said.code, "healthchecks" in said.shown)
    assert "pings.url: has to begin with http:// or https:// and name a host" in said.err


def test_a_folder_that_is_not_there_is_a_warning(workspace: Path, call: Callable[..., Said]) -> None:
    """It may come later, so the settings can be used; what is no folder is told as well."""
    (workspace / "file").touch()
    paths = ("gone", "file")
    tables = "".join(f'[[sources]]\nkind = "openclaw"\nname = "{path}"\npath = "{path}"\n' for path in paths)
    (workspace / "memory.toml").write_text(tables)
    said = call("config", "check", "--workspace", workspace)
    assert 0 == said.code
    assert f"warning  sources[0].path: {workspace}/gone does not exist, so nothing is read from it\n" in said.out
    advice = "name the folder that it is in"
    assert (
        f"warning  sources[1].path: {workspace}/file is no folder, so nothing is read from it; {advice}\n" in said.out
    )
    (record,) = call("config", "check", "--json", "--workspace", workspace).records
    assert (True, 2) == (record["usable"], len(record["warnings"]))
