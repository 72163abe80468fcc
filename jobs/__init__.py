"""The jobs: one file, one job. Each top-level module here that has a `JOB` is one; discovery finds it."""
