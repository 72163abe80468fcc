"""A store of either kind for the use cases."""

from tests.app.details.conftest import store, store_settings

__all__ = ["store", "store_settings"]
