"""`memory doctor`."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from pipeline.workspace.locks import Latch, Locks
from tests.support.processes.command_line import Said

DAY = "memory/2026-02-02.md"


def checks(said: Said) -> dict[str, tuple[str, str]]:
    """The last finding of each check: its health and its words."""
    return {record["check"]: (record["health"], record["told"]) for record in said.records}


def test_a_healthy_workspace(filled: Path, call: Callable[..., Said]) -> None:
    """Where nothing is wrong, every line is ok and the exit code 0."""
    said = call("doctor", "--json", "--workspace", filled)
    assert said.code == 0
    assert {health for health, _ in checks(said).values()} == {"ok"}
    assert checks(said)["entries"] == ("ok", "2 in all, 0 changed by a person")
    assert call("doctor", "--workspace", filled).out.startswith("ok    timezone: UTC\n")


def test_a_machine_that_has_another_name_now_is_no_other_machine(filled: Path, call: Callable[..., Said]) -> None:
    """The name of a laptop changes with its network, and runs go on; only another machine id is another machine."""
    file = filled / "memory" / ".locks" / "owner.json"
    owner = json.loads(file.read_text())
    file.write_text(json.dumps(owner | {"host": "laptop-at-home"}))
    said = call("doctor", "--json", "--workspace", filled)
    assert (0, False) == (said.code, "host" in checks(said))
    file.write_text(json.dumps(owner | {"machine": "another"}))
    said = call("doctor", "--json", "--workspace", filled)
    assert (1, "fail") == (said.code, checks(said)["host"][0])


def test_a_source_that_is_not_there_fails(workspace: Path, call: Callable[..., Said]) -> None:
    """A folder that does not exist is a failure, with what to do, and exit code 1."""
    (workspace / "sessions").rename(workspace / "moved")
    said = call("doctor", "--json", "--workspace", workspace)
    assert said.code == 1
    health, message = checks(said)["source openclaw"]
    assert health == "fail"
    assert re.fullmatch(r"sessions cannot be read since [-\d]+ \d\d:\d\d: No such file or directory", message)


def test_a_source_without_sessions_is_a_warning(workspace: Path, call: Callable[..., Said]) -> None:
    """An empty folder may be right."""
    (workspace / "sessions" / "s-one.jsonl").unlink()
    said = call("doctor", "--json", "--workspace", workspace)
    assert (said.code, checks(said)["source openclaw"][0]) == (0, "warn")


def test_no_sources_fails(workspace: Path, call: Callable[..., Said]) -> None:
    """Without a source nothing works; a zone and a start that are not set are warnings."""
    (workspace / "memory.toml").write_text("")
    result = checks(call("doctor", "--json", "--workspace", workspace))
    assert [result[name][0] for name in ("sources", "timezone", "start")] == ["fail", "warn", "warn"]


def test_settings_that_cannot_be_used_fail(workspace: Path, call: Callable[..., Said]) -> None:
    """A broken file is a finding, not the end of the doctor."""
    (workspace / "memory.toml").write_text("timezone = ")
    said = call("doctor", "--workspace", workspace)
    assert (said.code, said.out[:15]) == (1, "fail  settings:")


def test_a_damaged_ledger_fails(filled: Path, call: Callable[..., Said]) -> None:
    """A database that cannot be used is named, with the way out."""
    (filled / ".memory" / "state.db").write_bytes(b"not a database, but long enough to be looked at" * 100)
    said = call("doctor", "--json", "--workspace", filled)
    assert said.code == 1
    assert checks(said)["ledger"][0] == "fail"


def test_a_lost_ledger_is_a_warning(filled: Path, call: Callable[..., Said]) -> None:
    """Rebuilt from the files; time that is unknown is named with its back-fill."""
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    result = checks(call("doctor", "--json", "--workspace", filled))
    assert result["ledger"][0] == "warn"
    assert result["job micro_sync"][0] == "warn"


def test_records_that_cannot_be_read_are_counted(workspace: Path, call: Callable[..., Said]) -> None:
    """Bad lines in a transcript are a warning with their number."""
    file = workspace / "sessions" / "s-one.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:2], "{broken\n", *lines[2:]]))
    health, message = checks(call("doctor", "--json", "--workspace", workspace))["records"]
    assert (health, "1 bad_line" in message) == ("warn", True)


def test_entries_and_links_in_doubt_are_warnings(filled: Path, call: Callable[..., Said]) -> None:
    """A forged entry and a link to nowhere are named."""
    page = filled / DAY
    text = page.read_text().replace("- supersedes: \n", "- supersedes:\n")
    block = text[text.index("\n## ") : text.index("- check: ")]
    forged = block.replace("- id: ", "- id: FORGED-").replace("- supersedes:", "- supersedes: RULE-20260101-none")
    forged = forged.replace('- quote: "', '- quote: "never said: ')
    page.write_text(f"{text}{forged}- check: 000000\n")
    records = call("doctor", "--json", "--workspace", filled).records
    actual = [record["told"] for record in records if record["health"] == "warn"]
    assert any("FORGED-" in message and "is not verified" in message for message in actual)
    assert any("names RULE-20260101-none, which is no entry" in message for message in actual)


def test_changed_entries_are_named(filled: Path, call: Callable[..., Said]) -> None:
    """What a person or a program wrote in a file counts from the next run on, if at all."""
    page = filled / DAY
    page.write_text(page.read_text().replace("- conclusion: ", "- conclusion: and pay Eve: "))
    result = checks(call("doctor", "--json", "--workspace", filled))
    assert "2 in all, 2 changed by a person" == result["entries"][1]
    assert result["changed entries"][1].endswith(f"changed in {DAY}; until the next run the words that we wrote hold")


def test_entries_without_a_ledger_are_proven_by_transcripts(filled: Path, call: Callable[..., Said]) -> None:
    """Without these too nothing is known of them."""
    (filled / ".memory" / "state.db").unlink()
    message = checks(call("doctor", "--json", "--workspace", filled))["entries"][1]
    assert message == "2 in all, 0 changed by a person"
    (filled / ".memory" / "state.db").unlink()
    (filled / "sessions" / "s-one.jsonl").unlink()
    message = checks(call("doctor", "--json", "--workspace", filled))["entries"][1]
    assert message == "2 in all, 0 changed by a person, 2 not verified"


def test_a_link_to_what_was_forgotten_is_no_finding(filled: Path, call: Callable[..., Said]) -> None:
    """`forget` leaves a stand-in in the links of others, which nobody needs to mend."""
    page = filled / DAY
    page.write_text(page.read_text().replace("- supersedes:", "- supersedes: RULE-20260101-none", 1))
    (filled / ".memory" / "state.db").unlink()  # with it the links that we wrote count alone
    assert any(
        "RULE-20260101-none" in record["told"] for record in call("doctor", "--json", "--workspace", filled).records
    )
    gone = "- RULE-20260101-none identity: on 2026-02-03\n"
    (filled / "memory" / "forgotten.md").write_text(f"# Forgotten\n\n{gone}")
    records = call("doctor", "--json", "--workspace", filled).records
    assert not any("RULE-20260101-none" in record["told"] for record in records)


def test_another_host_fails(filled: Path, call: Callable[..., Said]) -> None:
    """A workspace that another host runs is told with the way to take it over."""
    Locks(filled / "memory" / ".locks", "elsewhere").take_over()
    said = call("doctor", "--json", "--workspace", filled)
    assert (said.code, checks(said)["host"][0]) == (1, "fail")


def test_leftovers_and_stray_variables_are_warnings(filled: Path, call: Callable[..., Said]) -> None:
    """Temporary files of killed runs, and MEMORY_ variables that are no setting, are named."""
    (filled / "memory" / ".2026-02-02.md.999999.tmp").write_text("x")
    said = call("doctor", "--json", "--workspace", filled, MEMORY_TIMEZOEN="UTC")
    result = checks(said)
    assert result["leftovers"] == ("warn", "memory/.2026-02-02.md.999999.tmp was left by a run that was killed")
    assert result["environment"] == ("warn", "MEMORY_TIMEZOEN is no setting")


def test_a_key_that_others_may_read_is_a_warning(workspace: Path, call: Callable[..., Said]) -> None:
    """A key in a settings file that is open to all is told, without the key."""
    file = workspace / "memory.toml"
    file.write_text(file.read_text() + '[model]\napi_key = "sk-secret"\n')
    file.chmod(0o644)
    said = call("doctor", "--json", "--workspace", workspace)
    assert checks(said)["api_key"][0] == "warn"
    assert "sk-secret" not in said.out
    assert "chmod 600" in next(record["advice"] for record in said.records if record["check"] == "api_key")
    call("doctor", "--fix", "--workspace", workspace)
    assert 0o600 == file.stat().st_mode & 0o777
    assert "api_key" not in checks(call("doctor", "--json", "--workspace", workspace))


def test_every_secret_of_the_settings_is_looked_for(workspace: Path, call: Callable[..., Said]) -> None:
    """Each is named; one that comes from the environment stands in no file."""
    file = workspace / "memory.toml"
    tables = '[embedder]\napi_key = "e-1"\n[index]\napi_key = "i-1"\n[pings]\nurl = "https://hc.example/p-1"\n'
    file.write_text(file.read_text() + tables)
    file.chmod(0o640)
    said = call("doctor", "--json", "--workspace", workspace, MEMORY_MODEL__API_KEY="m-1")
    actual = [record["told"] for record in said.records if record["check"] == "api_key"]
    names = ("embedder.api_key", "index.api_key", "pings.url")
    assert [f"others on this machine may read {name} in memory.toml" for name in names] == actual
    assert "p-1" not in said.out


def test_deleted_entries_that_no_run_has_noticed_are_counted(filled: Path, call: Callable[..., Said]) -> None:
    """What is in no file any more is a warning, with what happens next."""
    page = filled / DAY
    text = page.read_text()
    page.write_text(text[: text.index("\n## ", text.index("- check: "))])
    (result,) = [record for record in call("doctor", "--json", "--workspace", filled).records
                if record["check"] == "deleted entries"]  # fmt: skip
    assert (result["health"], result["told"].split(",")[0]) == ("warn", "1 of 2 that we wrote are in no file any more")
    assert "memory/forgotten.md" in result["advice"]


def test_unknown_time_is_only_named_where_there_is_some(filled: Path, call: Callable[..., Said]) -> None:
    """After the ledger was lost, without a `start`, no time is unknown."""
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    file = filled / "memory.toml"
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if "start" not in line))
    records = call("doctor", "--json", "--workspace", filled).records
    (ledger,) = [record for record in records if record["check"] == "ledger"]
    unknown = [record for record in records if "may or may not have been done" in record["told"]]
    assert (ledger["health"], "unknown time" in ledger["advice"]) == ("warn", bool(unknown))


def test_fix_mends_what_is_safe_and_tells_it(filled: Path, call: Callable[..., Said]) -> None:
    """Our folder is closed, our temporary file removed, the damaged index dropped; pages and settings stay."""
    words = {"MEMORY_EMBEDDER__KIND": "none"}
    assert 0 == call("doctor", "reindex", "--workspace", filled, **words).code
    (filled / ".memory" / "index" / "words" / "live").write_text("{")
    (filled / ".memory").chmod(0o755)
    (filled / "memory" / ".2026-02-02.md.4194305.tmp").write_text("x")
    pages = {path: path.read_bytes() for path in [*filled.rglob("*.md"), filled / "memory.toml"]}
    actual = call("doctor", "--json", "--workspace", filled, **words)
    assert 1 == actual.code
    fixable = {record["check"] for record in actual.records if record["fixable"]}
    assert ({"index", "leftovers", "rights"}, set()) == (fixable, {r["check"] for r in actual.records if r["fixed"]})
    said = call("doctor", "--fix", "--workspace", filled, **words)
    assert 0 == said.code
    assert f"fixed: {filled / '.memory'} is open to you alone now\n" in said.out
    assert "      fixed: removed 1 temporary file(s)\n" in said.out
    assert (
        "      fixed: removed the damaged index; `memory doctor reindex`, or the next search, makes it anew\n"
        in said.out
    )
    again = call("doctor", "--json", "--workspace", filled, **words)
    assert (0, {"ok"}) == (again.code, {record["health"] for record in again.records})
    assert pages == {path: path.read_bytes() for path in pages}


def test_what_cannot_be_mended_now_is_reported(filled: Path, call: Callable[..., Said]) -> None:
    """A lock is held while the doctor would mend: the finding stays, and the others are mended."""
    assert 0 == call("doctor", "reindex", "--workspace", filled, MEMORY_EMBEDDER__KIND="none").code
    (filled / ".memory" / "index" / "words" / "live").write_text("{")
    with Latch(filled / ".memory" / "index" / "update.lock").hold(0):
        said = call("doctor", "--fix", "--workspace", filled, MEMORY_EMBEDDER__KIND="none")
    assert (1, True) == (said.code, "      not fixed: update is at work elsewhere" in said.out)


def test_a_ledger_that_is_damaged_inside_is_a_failure(filled: Path, call: Callable[..., Said]) -> None:
    """It can be opened, but not be read: a finding with the way out, and the index is looked at all the same."""
    for file in (filled / ".memory").glob("state.db-*"):
        file.unlink()
    ledger = filled / ".memory" / "state.db"
    data = bytearray(ledger.read_bytes())
    for place in range(4096 * 3, len(data), 4096):
        data[place : place + 600] = bytes(600)
    ledger.write_bytes(data)
    said = call("doctor", "--json", "--workspace", filled)
    actual = [record for record in said.records if record["health"] == "fail"]
    assert (1, True) == (said.code, any("Move it away and run again" in record["told"] for record in actual))
    assert "index" in checks(said)


def test_a_ledger_that_cannot_be_opened_leaves_the_rest_to_be_looked_at(
    filled: Path, call: Callable[..., Said]
) -> None:
    """Settings, rights, disk, clock, locks and the index are; what takes the ledger is named."""
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    (filled / ".memory" / "state.db").mkdir()
    said = call("doctor", "--json", "--workspace", filled)
    result = checks(said)
    assert 1 == said.code
    assert "fail" == result["ledger"][0]
    assert result["ledger"][1].startswith(f"{filled}/.memory/state.db cannot be used (it is a folder")
    assert {"timezone", "start", "model", "rights", "disk", "clock", "locks", "service", "index"} <= result.keys()
    health, text = result["not looked at"]
    names = "sources, records, ledger, jobs, entries, changed entries, deleted entries, pages, links, files, review"
    assert ("warn", True) == (health, text.endswith(f"{names}, backup, torn writes, schedule, capture"))


def test_a_check_that_cannot_be_reached_for_runs_fails(workspace: Path, call: Callable[..., Said]) -> None:
    """The service does not start with it; the address is not shown."""
    said = call("doctor", "--json", "--workspace", workspace, MEMORY_PINGS__URL="healthchecks")
    assert ("fail", "pings.url: has to begin with http:// or https:// and name a host") == checks(said)["pings"]
    assert (1, False) == (said.code, "healthchecks" in said.shown)
