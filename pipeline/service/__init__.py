"""The service: `memory serve` looks when windows are due, keeps the index fresh and answers on a local socket."""
