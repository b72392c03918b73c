"""Calls operators' webhooks: at least once, in order for each endpoint, signed."""

from adapters.deliverer.flight import Flight, Names
from adapters.deliverer.following import Sending
from adapters.deliverer.loop import HOOKS, Deliverer
from adapters.deliverer.signing import new_secret, signed
from adapters.deliverer.store import Row

__all__ = ["HOOKS", "Deliverer", "Flight", "Names", "Row", "Sending", "new_secret", "signed"]
