"""Balances: what each player has, available and on game (S0-27, R20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.frozen import dataclass
from domain.views.model import Fact, Model, RowKey
from domain.wallets.events import MOVES, WalletOpened

_READ: Final = (WalletOpened, *MOVES)


@dataclass(frozen=True, slots=True)
class Balance:
    """One wallet. `position` is that of its last event."""

    player: str
    currency: str
    available_minor: int
    held_minor: int
    position: int


def balance_key(player: str) -> RowKey:
    """Where the balance of a player lies."""
    return RowKey("player", player)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    return (balance_key(fact.event.player),) if isinstance(fact.event, _READ) else ()


def _fold(rows: Mapping[RowKey, Balance | None], fact: Fact) -> Mapping[RowKey, Balance | None]:
    event = fact.event  # each carries both balances after it, so that the row before tells nothing
    if not isinstance(event, _READ):
        return {}
    after = (0, 0) if isinstance(event, WalletOpened) else (event.available_after_minor, event.held_after_minor)
    return dict.fromkeys(rows, Balance(event.player, event.currency, *after, fact.position))


BALANCES: Final[Model[Balance]] = Model(
    name="balances",
    kinds={"player": Balance},
    reads=frozenset(_READ),
    keys=_keys,
    fold=_fold,
)
