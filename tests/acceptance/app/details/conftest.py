"""A store of either kind for the use cases."""

from tests.app.details.conftest import postgres, store, store_settings

__all__ = ["postgres", "store", "store_settings"]
