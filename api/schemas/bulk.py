"""Bodies and answers of bulk calls: items are the single calls' bodies, each with a key of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from api.fields import Body, ClientId
from api.schemas.accounts import TransactionBody
from api.schemas.problems import ItemProblem
from api.schemas.rounds import DecisionBody, WagerBody
from services.answers import DecisionAnswer, TransactionAnswer, WagersAnswer

ITEMS_MAX: Final = 5_000
"""Items of one call."""

KEY_CHARS_MAX: Final = 255
KEY_PATTERN: Final = "^[!-~]([ -~]*[!-~])?$"

ItemKey = Annotated[str, Field(max_length=KEY_CHARS_MAX, pattern=KEY_PATTERN)]
"""What an Idempotency-Key header may hold: printable ASCII without spaces around it."""


class WagerItem(WagerBody):
    """A wager, with the Idempotency-Key that it would have alone."""

    key: ItemKey | None = None


class DecisionItem(DecisionBody):
    """A decision, with its key."""

    key: ItemKey | None = None


class DepositItem(TransactionBody):
    """A player's deposit, with its key."""

    player: ClientId
    key: ItemKey | None = None


class BulkBody(Body):
    """What every bulk call has: `atomic` for all or none, of at most 500 items."""

    atomic: bool = False


class WagersBulkBody(BulkBody):
    """Up to 5,000 wagers."""

    wagers: Annotated[list[WagerItem], Field(min_length=1, max_length=ITEMS_MAX)]


class DecisionsBulkBody(BulkBody):
    """Up to 5,000 decisions."""

    decisions: Annotated[list[DecisionItem], Field(min_length=1, max_length=ITEMS_MAX)]


class DepositsBulkBody(BulkBody):
    """Up to 5,000 deposits."""

    deposits: Annotated[list[DepositItem], Field(min_length=1, max_length=ITEMS_MAX)]


@dataclass(frozen=True, kw_only=True)  # no slots: a class cannot have those of two bases
class _Done:
    status: int
    key: str
    replayed: bool


@dataclass(frozen=True, kw_only=True)
class WagersResult(WagersAnswer, _Done):
    """The answer of one item."""


@dataclass(frozen=True, kw_only=True)
class DecisionResult(DecisionAnswer, _Done):
    """The answer of one item."""


@dataclass(frozen=True, kw_only=True)
class DepositResult(TransactionAnswer, _Done):
    """The answer of one item."""


@dataclass(frozen=True, slots=True)
class _BulkAnswer:
    position: int
    succeeded: int
    refused: int


@dataclass(frozen=True, slots=True)
class WagersBulkAnswer(_BulkAnswer):
    """Each item's answer or problem, in order; `position` is the last of them, 0 when nothing was carried out."""

    results: list[WagersResult | ItemProblem]


@dataclass(frozen=True, slots=True)
class DecisionsBulkAnswer(_BulkAnswer):
    """Each item's answer or problem, in order."""

    results: list[DecisionResult | ItemProblem]


@dataclass(frozen=True, slots=True)
class DepositsBulkAnswer(_BulkAnswer):
    """Each item's answer or problem, in order."""

    results: list[DepositResult | ItemProblem]
