"""An agent's program that is asked: nothing of its owner's gets in, nothing is left, and each bad day is a sentence."""

import json
import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.adapters.model.checks import ModelCheck
from pipeline.adapters.model.programs.model import find_program
from pipeline.errors import ModelUnavailable, ModelWaits
from pipeline.ports.engine import Reply
from pipeline.workspace.asking import ASKING, ASKING_FOLDER
from pipeline.workspace.atomic import is_alive
from schemas.checkup import Health
from schemas.outcome import Usage
from schemas.settings import ModelSettings
from tests.acceptance.adapters.model.programs.test_contract import PRINTS, model_of, replying
from tests.support.ports.model_contract import Echo, question
from tests.support.processes.fake_program import Behaviour, Call, fake_program, lines
from tests.support.tables import table

ANSWER = Echo(said="x").model_dump_json()


def asked(folder: Path, program: str, /, **settings: object) -> Call:
    """The call by which a program is asked a question."""
    with fake_program(folder / "bin", program, replying(program, lambda _call: ANSWER)) as fake:
        assert json.loads(ANSWER) == json.loads(model_of(folder, program, **settings).answer(question("x")).text)
    return fake.calls[-1]


@table("name", PRINTS)
def test_a_program_gets_the_question_alone(tmp_path: Path, name: str) -> None:
    """Its stdin is the input; its folder is empty; of the environment it has the little that is listed."""
    call = asked(tmp_path, name)
    assert (question("x").input, [], ASKING_FOLDER) == (call.input, call.entries, Path(call.folder).name)
    assert "1" == call.environment[ASKING]
    assert {"SECRET", "CLAUDECODE", "OPENAI_API_KEY"}.isdisjoint(call.environment)


@table("name", PRINTS)
def test_a_variable_that_the_owner_names_is_passed_on(tmp_path: Path, name: str) -> None:
    """A paying key only when it is named."""
    call = asked(tmp_path, name, environment=["OPENAI_API_KEY", "NOT_THERE"])
    assert ("k", False) == (call.environment["OPENAI_API_KEY"], "NOT_THERE" in call.environment)


def test_claude_has_no_tool_and_leaves_no_session(tmp_path: Path) -> None:
    """Instructions and schema are arguments; no settings, server, command or tool is."""
    call = asked(tmp_path, "claude", name="sonnet")
    assert (question("x").instructions, "sonnet") == (call.option("--system-prompt"), call.option("--model"))
    assert question("x").schema == json.loads(call.option("--json-schema"))
    assert ["", ""] == [call.option("--tools"), call.option("--setting-sources")]
    assert {"--safe-mode", "--strict-mcp-config", "--no-session-persistence"} <= set(call.argv)


def test_what_sums_up_and_judges_is_asked_of_a_cheap_model(tmp_path: Path) -> None:
    """Of Claude Code its cheapest; of any program the one of the settings."""
    background = replace(question("x"), background=True)
    with fake_program(tmp_path / "bin", "claude", replying("claude", lambda _call: ANSWER)) as program:
        for settings in ({}, {"background": "sonnet"}, {"name": "opus"}):
            model = model_of(tmp_path, "claude", **settings)
            model.answer(background)
            assert f"claude:{program.calls[-1].option('--model')}" == model.background
    assert ["haiku", "sonnet", "haiku"] == [call.option("--model") for call in program.calls]


def test_codex_has_a_home_of_ours_with_the_login_alone(tmp_path: Path) -> None:
    """Its models are listed without tools, once for its version."""
    (tmp_path / "home/.codex").mkdir(parents=True)
    (tmp_path / "home/.codex/auth.json").write_text("{}")
    call = asked(tmp_path, "codex")
    home = Path(call.environment["CODEX_HOME"])
    assert ["auth.json"] == [path.name for path in home.iterdir()]
    assert tmp_path / "home/.codex/auth.json" == (home / "auth.json").readlink()
    catalog = next(word.partition("models.json")[0] for word in call.argv if "model_catalog_json" in word)
    listed = json.loads((Path(catalog.partition("=")[2].partition("=")[2]) / "models.json").read_text())
    assert [("m", None, "disabled")] == [(one["slug"], one["tool_mode"], one["shell_type"]) for one in listed["models"]]
    assert {"--ephemeral", "--ignore-user-config", "--sandbox=read-only"} <= set(call.argv)


def test_the_catalog_is_listed_once_for_a_version(tmp_path: Path) -> None:
    """A second model asks with it, a changed file lists it anew."""
    with fake_program(tmp_path / "bin", "codex", replying("codex", lambda _call: ANSWER)) as program:
        for _ in range(2):
            model_of(tmp_path, "codex").answer(question("x"))
        os.utime(tmp_path / "bin/codex", ns=(1, 1))
        model_of(tmp_path, "codex").answer(question("x"))
    assert ["debug", "exec", "exec", "debug", "exec"] == [call.argv[0] for call in program.calls]


def claude_fails(**fields: object) -> Behaviour:
    """A failure as `claude` prints it."""
    return Behaviour(lines({"type": "result", "subtype": "success", "is_error": True, **fields}), code=1)


def codex_fails(message: str) -> Behaviour:
    """A failure as `codex exec --json` prints it."""
    return Behaviour(lines({"type": "turn.failed", "error": {"message": message}}), code=1)


BAD_DAYS: Mapping[str, tuple[str, Behaviour, str, str]] = {
    "claude signed out": (
        "claude",
        claude_fails(api_error_status=None, result="Not logged in · Please run /login"),
        "not signed in",
        "waits",
    ),
    "claude refused": (
        "claude",
        claude_fails(api_error_status=401, result="Invalid API key"),
        "not signed in",
        "waits",
    ),
    "claude's limit": (
        "claude",
        claude_fails(api_error_status=429, result="You've hit your 5-hour limit · resets 6pm (Europe/Warsaw)"),
        "a limit until 6pm (Europe/Warsaw)",
        "waits",
    ),
    "claude's limit without a time": (
        "claude",
        claude_fails(api_error_status=429, api_error="usage_limit_reached", result="Limit"),
        "has reached a limit",
        "waits",
    ),
    "claude too busy": ("claude", claude_fails(api_error_status=529, result="Overloaded"), "too busy", "busy"),
    "claude's context": (
        "claude",
        claude_fails(api_error_status=400, terminal_reason="prompt_too_long", result="too long"),
        "too long",
        "too_long",
    ),
    "claude fails with no error": (
        "claude",
        Behaviour(lines({"type": "result", "subtype": "error_max_turns", "is_error": False})),
        "error_max_turns",
        "",
    ),
    "claude says nothing": (
        "claude",
        Behaviour(lines({"type": "result", "subtype": "success", "is_error": False, "result": " "})),
        "empty",
        "",
    ),
    "codex signed out": ("codex", codex_fails("unexpected status 401 Unauthorized: no"), "not signed in", "waits"),
    "codex's limit": (
        "codex",
        codex_fails("You've hit your usage limit. Upgrade or try again at 6:00 PM."),
        "a limit until 6:00 PM",
        "waits",
    ),
    "codex too busy": ("codex", codex_fails("exceeded retry limit, last status: 429"), "too busy", "busy"),
    "codex's context": (
        "codex",
        codex_fails("Codex ran out of room in the model's context window."),
        "long",
        "too_long",
    ),
    "codex fails": ("codex", codex_fails("the words of the text"), "without a reason", ""),
    "an older version": ("claude", Behaviour(code=1, err="error: unknown option '--safe-mode'"), "update it", ""),
    "a crash": ("claude", Behaviour(signal=signal.SIGSEGV), f"signal {int(signal.SIGSEGV)}", ""),
    "half an answer": ("claude", Behaviour('{"type": "result", "is_err'), "gave no answer", ""),
}


@table(("name", "behaviour", "words", "mark"), BAD_DAYS.values())
def test_a_bad_day_is_a_sentence(tmp_path: Path, name: str, behaviour: Behaviour, words: str, mark: str) -> None:
    """In our words, with what to do; a limit and a login are waited for."""

    def behave(call: Call) -> Behaviour:
        return replying(name, str)(call) if call.argv[:1] == ["debug"] else behaviour

    with fake_program(tmp_path / "bin", name, behave), pytest.raises(ModelUnavailable, match=name) as caught:
        model_of(tmp_path, name).answer(question("x"))
    assert words in str(caught.value)
    assert [mark] * bool(mark) == _marks(caught.value)
    assert "words of the text" not in str(caught.value)


def _marks(failure: ModelUnavailable) -> list[str]:
    """How a failure is dealt with."""
    marked = {"busy": failure.busy, "late": failure.late, "too_long": failure.too_long}
    return [name for name, is_so in {**marked, "waits": isinstance(failure, ModelWaits)}.items() if is_so]


@table("name", PRINTS)
def test_what_is_printed_around_an_answer_does_not_matter(tmp_path: Path, name: str) -> None:
    """A banner, a notice of an update, colours, and words on stderr."""

    def behave(call: Call) -> Behaviour:
        ordinary = replying(name, lambda _call: ANSWER)(call)
        if call.argv[:1] == ["debug"]:
            return ordinary
        noise = "Update available! 1 -> 2\n{not json}\n"
        return Behaviour(f"{noise}\x1b[32m{ordinary.out.rstrip()}\x1b[0m\n{noise}", "warning: x")

    with fake_program(tmp_path / "bin", name, behave):
        reply = model_of(tmp_path, name).answer(question("x"))
    assert (json.loads(ANSWER), 9, 3, 2) == (
        json.loads(reply.text),
        reply.input_tokens,
        reply.output_tokens,
        reply.cached_tokens,
    )


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    """With all of its processes, and the answer is late."""
    with (
        fake_program(tmp_path / "bin", "claude", lambda _call: Behaviour(signal=signal.SIGSTOP)) as program,
        pytest.raises(ModelUnavailable, match=r"no answer within 2 s \(model.timeout\)") as caught,
    ):
        model_of(tmp_path, "claude", timeout=timedelta(seconds=2)).answer(question("x"))
    assert caught.value.late
    for call in program.calls:
        with pytest.raises(ProcessLookupError):
            os.kill(call.process, 0)


def test_a_program_that_hangs_after_its_answer_has_answered(tmp_path: Path) -> None:
    """It is ended, and what it said is not paid for twice."""
    with fake_program(tmp_path / "bin", "claude", hanging_behind(PRINTS["claude"](ANSWER))):
        reply = answered_within(tmp_path, 2, 10, 60)
    assert (json.loads(ANSWER), 9) == (json.loads(reply.text), reply.input_tokens)


def answered_within(folder: Path, *limits: int) -> Reply:
    """The reply of Claude Code within the first of these seconds in which it could print one on this machine."""
    for seconds in limits[:-1]:
        with suppress(ModelUnavailable):
            return model_of(folder, "claude", timeout=timedelta(seconds=seconds)).answer(question("x"))
    return model_of(folder, "claude", timeout=timedelta(seconds=limits[-1])).answer(question("x"))


def hanging_behind(out: str) -> Callable[[Call], Behaviour]:
    """A program that prints something, and does not end."""
    return lambda _call: Behaviour(out, signal=signal.SIGSTOP)


USED = {"input_tokens": 7, "cache_read_input_tokens": 2, "output_tokens": 3}
UNUSABLE: Mapping[str, tuple[Behaviour, Usage | None]] = {
    "an answer that did not fit its schema": (
        Behaviour(lines({"type": "result", "subtype": "error_max_structured_output_retries", "usage": USED})),
        Usage(asked=1, input_tokens=9, output_tokens=3, cached_tokens=2),
    ),
    "an empty answer": (
        Behaviour(lines({"type": "result", "subtype": "success", "result": "", "usage": USED})),
        Usage(asked=1, input_tokens=9, output_tokens=3, cached_tokens=2),
    ),
    "no question reached the server": (claude_fails(result="Not logged in"), None),
    "nobody told": (Behaviour(signal=signal.SIGKILL), None),
}


@table(("behaviour", "spent"), UNUSABLE.values())
def test_an_answer_that_cannot_be_used_was_paid_for(tmp_path: Path, behaviour: Behaviour, spent: Usage | None) -> None:
    """Its failure says what it cost, where that is known."""
    with fake_program(tmp_path / "bin", "claude", lambda _call: behaviour), pytest.raises(ModelUnavailable) as failed:
        model_of(tmp_path, "claude").answer(question("x"))
    assert spent == failed.value.spent


def test_a_program_that_is_missing_is_waited_for(tmp_path: Path) -> None:
    """It may come back with the next update."""
    with pytest.raises(ModelWaits, match="not there; install it"):
        model_of(tmp_path, "claude").answer(question("x"))


def test_a_codex_that_lists_no_models_is_not_asked(tmp_path: Path) -> None:
    """Its tools could not be taken away."""
    with (
        fake_program(tmp_path / "bin", "codex", lambda _call: Behaviour(code=2)) as program,
        pytest.raises(ModelUnavailable, match="keeps its tools; update it"),
    ):
        model_of(tmp_path, "codex").answer(question("x"))
    assert [["debug", "models", "--bundled"]] == [call.argv for call in program.calls]


@table("place", [".local/bin", ".nvm/versions/node/v22.1.0/bin"])
def test_a_program_outside_of_the_path_is_run(tmp_path: Path, place: str) -> None:
    """A service has no PATH of a shell."""
    file = tmp_path / place / "claude"
    file.parent.mkdir(parents=True)
    assert find_program("claude", {"PATH": "/nowhere", "HOME": str(tmp_path)}) is None
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    assert file == find_program("claude", {"PATH": "/nowhere", "HOME": str(tmp_path)})


def test_two_workspaces_ask_with_one_login_in_turn(tmp_path: Path) -> None:
    """A second process at once would renew the login too, and sign the owner out."""
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "home/.claude/.credentials.json").write_text("{}")
    begun, alive = list[int](), list[int]()

    def behave(call: Call) -> Behaviour:
        alive.extend(process for process in begun if is_alive(process))
        begun.append(call.process)
        return replying("claude", lambda _call: ANSWER)(call)

    with fake_program(tmp_path / "bin", "claude", behave), ThreadPoolExecutor(4) as pool:
        models = [model_of(tmp_path, "claude") for _ in range(4)]
        assert 4 == len(list(pool.map(lambda model: model.answer(question("x")), models)))
    assert (4, []) == (len(begun), alive)


LOGINS: Mapping[str, tuple[str, Behaviour, Health, str]] = {
    "claude by subscription": (
        "claude",
        Behaviour('{"loggedIn": true, "authMethod": "oauth_token", "apiProvider": "firstParty"}'),
        Health.OK,
        "signed in by a login",
    ),
    "claude by a key": (
        "claude",
        Behaviour('{"loggedIn": true, "authMethod": "api_key", "apiProvider": "firstParty"}'),
        Health.OK,
        "pays by the token",
    ),
    "claude by a cloud": (
        "claude",
        Behaviour('{"loggedIn": true, "authMethod": "none", "apiProvider": "bedrock"}'),
        Health.OK,
        "pays by the token",
    ),
    "claude signed out": ("claude", Behaviour('{"loggedIn": false}', code=1), Health.FAIL, "nobody is signed in"),
    "codex by subscription": ("codex", Behaviour(err="Logged in using ChatGPT"), Health.OK, "signed in by a login"),
    "codex by a key": ("codex", Behaviour(err="API key configured - sk-***"), Health.OK, "pays by the token"),
    "codex signed out": ("codex", Behaviour(err="Not logged in", code=1), Health.FAIL, "nobody is signed in"),
}


@table(("name", "behaviour", "health", "words"), LOGINS.values())
def test_a_look_tells_the_login(tmp_path: Path, name: str, behaviour: Behaviour, health: Health, words: str) -> None:
    """Nothing is asked, and nothing is paid."""
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.defpath}", "HOME": str(tmp_path)}
    with fake_program(tmp_path / "bin", name, lambda _call: behaviour) as program:
        standing = ModelCheck(ModelSettings.model_validate({"program": name}), tmp_path, environment).look()
    assert (health, True, 1) == (standing[0], words in standing[1], len(program.calls)), standing


def test_a_look_at_a_program_that_is_missing(tmp_path: Path) -> None:
    """It says where it looked."""
    environment = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    health, finding, _ = ModelCheck(ModelSettings(program="codex"), tmp_path, environment).look()
    assert (Health.FAIL, True) == (health, "no codex in PATH or its usual places" in finding)
