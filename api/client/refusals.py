"""Refusals by their code. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .faults import Refused

__all__ = [
    "AboveMaximum",
    "AlreadyExists",
    "AlreadySeated",
    "AlreadyVoided",
    "BelowMinimum",
    "BettingClosed",
    "CardOutOfPlace",
    "ChatClosed",
    "Conflict",
    "CurrencyMismatch",
    "DuplicateCard",
    "Forbidden",
    "IdempotencyMismatch",
    "InsufficientFunds",
    "Internal",
    "Invalid",
    "LimitReached",
    "MethodNotAllowed",
    "NotFound",
    "RateLimited",
    "RequestTimeout",
    "SeatTaken",
    "TableLimit",
    "TooLarge",
    "Unauthenticated",
    "Unavailable",
    "WrongPhase",
]


class Invalid(Refused):
    """The request is not valid."""


class Unauthenticated(Refused):
    """A valid key is needed."""


class Forbidden(Refused):
    """Not allowed with this key."""


class NotFound(Refused):
    """No such object."""


class MethodNotAllowed(Refused):
    """The path does not know this method."""


class RequestTimeout(Refused):
    """The request did not arrive in time."""


class Conflict(Refused):
    """The state does not allow it."""


class InsufficientFunds(Refused):
    """Available money does not cover it."""


class BettingClosed(Refused):
    """Betting is closed."""


class WrongPhase(Refused):
    """Not in this phase of the round."""


class SeatTaken(Refused):
    """Another player sits there."""


class AlreadySeated(Refused):
    """The player holds another seat of this round."""


class AlreadyVoided(Refused):
    """Voided before."""


class AlreadyExists(Refused):
    """The id is in use with other parameters."""


class CardOutOfPlace(Refused):
    """Another card is next in the deal."""


class LimitReached(Refused):
    """A set limit is reached."""


class TableLimit(Refused):
    """No room at the table, or the player sits at too many."""


class ChatClosed(Refused):
    """The chat does not take this message now."""


class TooLarge(Refused):
    """The request is too large."""


class DuplicateCard(Refused):
    """The same card twice."""


class CurrencyMismatch(Refused):
    """Another currency is in force."""


class IdempotencyMismatch(Refused):
    """The key or transaction id has served another request."""


class BelowMinimum(Refused):
    """Below the minimum."""


class AboveMaximum(Refused):
    """Above the maximum."""


class RateLimited(Refused):
    """Too many requests."""


class Internal(Refused):
    """A fault of ours."""


class Unavailable(Refused):
    """Not now; the same request may be sent again."""


BY_CODE: Final[Mapping[str, type[Refused]]] = {
    "INVALID": Invalid,
    "UNAUTHENTICATED": Unauthenticated,
    "FORBIDDEN": Forbidden,
    "NOT_FOUND": NotFound,
    "METHOD_NOT_ALLOWED": MethodNotAllowed,
    "REQUEST_TIMEOUT": RequestTimeout,
    "CONFLICT": Conflict,
    "INSUFFICIENT_FUNDS": InsufficientFunds,
    "BETTING_CLOSED": BettingClosed,
    "WRONG_PHASE": WrongPhase,
    "SEAT_TAKEN": SeatTaken,
    "ALREADY_SEATED": AlreadySeated,
    "ALREADY_VOIDED": AlreadyVoided,
    "ALREADY_EXISTS": AlreadyExists,
    "CARD_OUT_OF_PLACE": CardOutOfPlace,
    "LIMIT_REACHED": LimitReached,
    "TABLE_LIMIT": TableLimit,
    "CHAT_CLOSED": ChatClosed,
    "TOO_LARGE": TooLarge,
    "DUPLICATE_CARD": DuplicateCard,
    "CURRENCY_MISMATCH": CurrencyMismatch,
    "IDEMPOTENCY_MISMATCH": IdempotencyMismatch,
    "BELOW_MINIMUM": BelowMinimum,
    "ABOVE_MAXIMUM": AboveMaximum,
    "RATE_LIMITED": RateLimited,
    "INTERNAL": Internal,
    "UNAVAILABLE": Unavailable,
}
"""A code to its class; one that is not here is a Refused."""
