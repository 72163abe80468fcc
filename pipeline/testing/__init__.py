"""The fakes and contract suites that we ship, for our tests and for those who add an adapter."""
