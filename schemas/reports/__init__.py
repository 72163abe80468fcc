"""What the use cases tell programs: `--json` prints these values, each with its fields in their order."""
