"""Closing entries: an event that says what a stream's events add up to, so that reading may begin with it.

Only streams that grow for ever get them: a wallet, a player, a table, a pool. A closing entry says nothing new: it is
made of the state alone, and the audit holds it against the events before it (docs/adr/0010).
"""

from __future__ import annotations

from typing import Final, get_args

from domain.ids import stream_kind
from domain.jackpots.decider import Pool
from domain.jackpots.events import PoolCarried
from domain.players import Player, PlayerCarried
from domain.streams import State
from domain.tables import Table, TableCarried
from domain.wallets.decider import Wallet
from domain.wallets.events import WalletCarried

CARRY_EVERY: Final = 500
"""A closing entry follows the command that brings a stream to this many events, to twice as many, and so on."""

CARRIED_KINDS: Final = frozenset({"wallet", "player", "table", "jackpot"})
"""The kinds of streams that get closing entries."""

Carried = WalletCarried | PlayerCarried | TableCarried | PoolCarried
"""The closing entries."""

CARRIED: Final[tuple[type[Carried], ...]] = get_args(Carried)


def is_due(stream: str, version: int) -> bool:
    """Whether a closing entry is due once the stream has this many events."""
    return version % CARRY_EVERY == 0 and stream_kind(stream) in CARRIED_KINDS


def carried(state: State | None) -> Carried | None:
    """The closing entry of a stream that adds up to `state`; None where its kind gets none."""
    match state:
        case Wallet():
            return WalletCarried(
                state.player,
                state.currency,
                state.available_minor,
                state.held_minor,
                state.review_minor,
                state.on_game,
            )
        case Player():
            return PlayerCarried(
                state.player,
                state.currency,
                state.disabled,
                state.tables,
                state.settings,
                state.limits,
                state.off_chat,
            )
        case Table():
            return _of_table(state)
        case Pool():
            return PoolCarried(
                state.terms,
                state.balances,
                state.version,
                state.shortfalls,
                state.waiting,
                state.disabled,
            )
        case _:
            return None


def _of_table(state: Table) -> TableCarried:
    return TableCarried(
        state.terms,
        state.open_round,
        state.last_second,
        state.nth_in_second,
        state.disabled,
        state.last_ended_at,
        state.last_round,
        state.sitting,
        state.alone,
    )
