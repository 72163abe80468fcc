"""What a command did for sure, when its status is 0."""

from pipeline.adapters.sources.evidence import deeds_of
from tests.support.tables import table

HERE = 'git commit -m "$(cat <<\'EOF\'\nFix: don\'t "break" the cart\n\nThe rest; git push\nEOF\n)"'


@table(
    ("command", "proven"),
    [
        ("git commit -qm 'one thing' && git push -q -u origin HEAD", ["commit one thing", "push origin HEAD"]),
        ("git add -A\ngit commit -am 'żółć'\n", ["commit żółć"]),
        (HERE, ['commit Fix: don\'t "break" the cart']),
        (f"git add -A && {HERE} && git push", ['commit Fix: don\'t "break" the cart', "push "]),
        ("cd shop && git -C api commit --amend --no-edit", ["commit "]),
        ('git commit -m "$MESSAGE"', ["commit "]),
        ("git push \\\n  origin main 2>&1", ["push origin main"]),
        ("GIT_SSH=x git push", ["push "]),
        ("gh release create v1.2 --notes x", ["release v1.2"]),
        ("make dist && npm publish", ["release npm publish"]),
        ("git commit --message='one thing' # and git push", ["commit one thing"]),
        ("g'i't p\\u\"sh\" origin", ["push origin"]),
    ],
)
def test_what_succeeded_was_made(command: str, proven: list[str]) -> None:
    """A message that the shell would have filled in is not known."""
    assert proven == [f"{kind.value} {text}" for kind, text in deeds_of(command)]


@table(
    "command",
    [
        "git commit -m x | tail -3",
        "git commit -m x; ls",
        "git commit -m x || true",
        "ls || git commit -m x && ls",
        "git push &",
        "git push --dry-run",
        "git push -n",
        "npm publish --dry-run",
        "echo 'git commit -m x'",
        "echo git push",
        "bash -c 'git push'",
        "cat > notes <<EOF\ngit commit -m x\nEOF",
        "python - <<'E'\ngit push\nE\n",
        "if true; then git push; fi",
        "(git push)",
        "git commit -m 'x",
        "# git push",
        "git log && git status",
        "",
    ],
)
def test_what_the_status_does_not_prove_is_no_deed(command: str) -> None:
    """The status is that of the last command alone, and words are no commands."""
    assert [] == deeds_of(command)
