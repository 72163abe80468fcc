"""What the redactor loads, and when."""

import subprocess
import sys


def test_the_library_is_loaded_only_when_it_is_needed() -> None:
    """A command that reads no transcript does not pay for it."""
    script = (
        "import sys\nfrom pipeline.adapters.redaction.redactor import SecretRedactor\n"
        "SecretRedactor().redact('hello')\n"
        "sys.exit('detect_secrets' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0
