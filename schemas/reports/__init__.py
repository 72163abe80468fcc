"""Reports of the use cases for programs: `--json` prints these values, each with its fields in their order."""
