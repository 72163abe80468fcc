"""The codes with which a person signs in at the page."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.workspace.sign_in_codes import FILE, LASTING, SignInCodes

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_a_code_is_good_once(tmp_path: Path) -> None:
    """And only as it was given; the file has no code, and nobody else may read it."""
    codes = SignInCodes(tmp_path)
    code, other = codes.make(NOW), codes.make(NOW)
    assert not codes.use(f"{code}x", NOW)
    assert not codes.use("", NOW)
    assert codes.use(code, NOW)
    assert not codes.use(code, NOW)
    assert codes.use(other, NOW)
    file = tmp_path / FILE
    assert 0o600 == file.stat().st_mode & 0o777
    assert code not in file.read_text()


@pytest.mark.parametrize(("after", "good"), [(LASTING - timedelta(seconds=1), True), (LASTING, False)])
def test_it_lasts_a_minute(tmp_path: Path, after: timedelta, *, good: bool) -> None:
    """Not a second more."""
    codes = SignInCodes(tmp_path)
    assert good is codes.use(codes.make(NOW), NOW + after)


def test_two_who_use_it_at_once(tmp_path: Path) -> None:
    """One of them gets in."""
    code = SignInCodes(tmp_path).make(NOW)
    with ThreadPoolExecutor(8) as pool:
        got_in = list(pool.map(lambda _: SignInCodes(tmp_path).use(code, NOW), range(8)))
    assert 1 == sum(got_in)


def test_a_damaged_file(tmp_path: Path) -> None:
    """Opens nothing, and is in nobody's way."""
    codes = SignInCodes(tmp_path)
    code = codes.make(NOW)
    (tmp_path / FILE).write_text("[{")
    assert not codes.use(code, NOW)
    assert codes.use(codes.make(NOW), NOW)
