"""Reading the read models and the log for requests, under row-level security."""

from adapters.view_store.store import ModelHealth, ViewStore

__all__ = ["ModelHealth", "ViewStore"]
