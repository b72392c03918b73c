"""Balances: what each player has, available and on game (S0-27, R20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from domain.frozen import dataclass
from domain.views.model import Fact, Model, RowKey
from domain.wallets.events import MOVES, WalletOpened

_READ: Final = frozenset((WalletOpened, *MOVES))


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
    event: Any = fact.event
    return (balance_key(event.player),) if type(event) in _READ else ()


def _fold(rows: Mapping[RowKey, Balance | None], fact: Fact) -> Mapping[RowKey, Balance | None]:
    event: Any = fact.event  # each carries both balances after it, so that the row before tells nothing
    if type(event) not in _READ:
        return {}
    is_new = isinstance(event, WalletOpened)
    available, held = (0, 0) if is_new else (event.available_after_minor, event.held_after_minor)
    return dict.fromkeys(rows, Balance(event.player, event.currency, available, held, fact.position))


BALANCES: Final[Model[Balance]] = Model(
    name="balances",
    kinds={"player": Balance},
    reads=_READ,
    keys=_keys,
    fold=_fold,
    by_player=_READ,
)
