"""List the names that nobody uses: those of the product that it does not use itself, then those of all the rest."""

import sys

from vulture import Vulture
from vulture.config import make_config

PRODUCT = ("schemas", "pipeline", "jobs")


def main() -> int:
    """Read each file once: what the product uses counts for the rest too, and not the other way round."""
    config = make_config()
    scan = Vulture(ignore_names=config["ignore_names"], ignore_decorators=config["ignore_decorators"])
    for paths in (PRODUCT, [path for path in config["paths"] if path not in PRODUCT]):
        scan.scavenge(paths, exclude=config["exclude"])
        scan.report(config["min_confidence"])
    return int(scan.exit_code)


if __name__ == "__main__":
    sys.exit(main())
