"""Refusals: the one tree of reasons why a command is not carried out.

    Refusal
    ├── Invalid            INVALID               the request itself is wrong; `field` names where
    │   ├── DuplicateCard  DUPLICATE_CARD
    │   ├── CurrencyMismatch CURRENCY_MISMATCH
    │   ├── IdempotencyMismatch IDEMPOTENCY_MISMATCH
    │   ├── BelowMinimum   BELOW_MINIMUM
    │   └── AboveMaximum   ABOVE_MAXIMUM
    ├── NotFound           NOT_FOUND
    ├── Forbidden          FORBIDDEN
    ├── Conflict           (never raised itself) the request is right, the state says no
    │   ├── InsufficientFunds INSUFFICIENT_FUNDS
    │   ├── BettingClosed  BETTING_CLOSED
    │   ├── WrongPhase     WRONG_PHASE
    │   ├── SeatTaken      SEAT_TAKEN
    │   ├── AlreadySeated  ALREADY_SEATED
    │   ├── AlreadyVoided  ALREADY_VOIDED
    │   ├── AlreadyExists  ALREADY_EXISTS
    │   ├── CardOutOfPlace CARD_OUT_OF_PLACE
    │   ├── LimitReached   LIMIT_REACHED
    │   ├── TableLimit     TABLE_LIMIT
    │   └── ChatClosed     CHAT_CLOSED
    └── Unavailable        UNAVAILABLE           the same request again

A refusal is about one request and leaves no trace. The API turns each class into a status by one table
(`api/errors.py`), and a test proves that table complete.
"""

from __future__ import annotations


class Refusal(Exception):
    """A command that is not carried out. `code` is stable, `detail` is for people, `field` names the culprit."""

    code = "REFUSED"
    retryable = False

    def __init__(self, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class Invalid(Refusal):
    """The request is wrong whatever the state."""

    code = "INVALID"


class DuplicateCard(Invalid):
    """The same card twice in one deal; the detail names it (S0-03: one deck)."""

    code = "DUPLICATE_CARD"


class CurrencyMismatch(Invalid):
    """Money of one currency offered where another is in force (C33)."""

    code = "CURRENCY_MISMATCH"


class IdempotencyMismatch(Invalid):
    """A key or transaction id that has served another request."""

    code = "IDEMPOTENCY_MISMATCH"


class BelowMinimum(Invalid):
    """A stake below the least that the table takes."""

    code = "BELOW_MINIMUM"


class AboveMaximum(Invalid):
    """A stake above the most that the table takes (S0-25)."""

    code = "ABOVE_MAXIMUM"


class NotFound(Refusal):
    """No such object for this operator."""

    code = "NOT_FOUND"


class Forbidden(Refusal):
    """The caller may not do this."""

    code = "FORBIDDEN"


class Conflict(Refusal):
    """The state does not allow it now."""

    code = "CONFLICT"


class InsufficientFunds(Conflict):
    """Available money does not cover it (R1)."""

    code = "INSUFFICIENT_FUNDS"


class BettingClosed(Conflict):
    """The wager came after betting was closed (S0-10)."""

    code = "BETTING_CLOSED"


class WrongPhase(Conflict):
    """The round is not in a phase that knows this command."""

    code = "WRONG_PHASE"


class SeatTaken(Conflict):
    """Another player sits there."""

    code = "SEAT_TAKEN"


class AlreadySeated(Conflict):
    """The player already holds another seat of this round (S0-02)."""

    code = "ALREADY_SEATED"


class AlreadyVoided(Conflict):
    """A void happens once."""

    code = "ALREADY_VOIDED"


class AlreadyExists(Conflict):
    """An object of that id exists with other parameters."""

    code = "ALREADY_EXISTS"


class CardOutOfPlace(Conflict):
    """A scanned card that is not the next one of the deal (S2-09)."""

    code = "CARD_OUT_OF_PLACE"


class LimitReached(Conflict):
    """A limit that the player or the operator set is reached."""

    code = "LIMIT_REACHED"


class TableLimit(Conflict):
    """The table, or the player's number of tables, is full."""

    code = "TABLE_LIMIT"


class ChatClosed(Conflict):
    """The table's chat does not take this message now (C30)."""

    code = "CHAT_CLOSED"


class Unavailable(Refusal):
    """Not now: nothing happened, or it is not known yet; the same request under the same key tells."""

    code = "UNAVAILABLE"
    retryable = True
