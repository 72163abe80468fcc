"""The fakes of the ports, and the contract suites that fakes and adapters pass."""
