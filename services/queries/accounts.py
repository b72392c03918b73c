"""Reads about one player: balance, account history, game history (S0-27, S0-42, R3, R5, R20, R25)."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.ids import wallet_stream
from domain.views.balances import BALANCES, Balance, balance_key
from domain.views.histories import (
    HISTORIES,
    HistoryKind,
    Line,
    PlayedRound,
    PlayRef,
    Transaction,
    line_group,
    play_group,
    played_key,
    transaction_key,
)
from domain.views.rounds import ROUNDS, RoundRow, round_key
from domain.wallets.events import BalanceWentNegative, WalletEvent, WalletOpened
from services.ports_reads import Snapshot
from services.queries.pages import Page, Turn, group_scope, scan_page
from services.queries.reads import Reads
from services.queries.seats import SeatAnswer, seat_answer


@dataclass(frozen=True, slots=True)
class BalanceAnswer:
    """`position`: the answer holds up to there. `held` are funds on game."""

    player: str
    available: int
    held: int
    currency: str
    exponent: int
    position: int


@dataclass(frozen=True, slots=True)
class AccountLine:
    """A line of the account history.

    `amount` is what it changed, so that the lines add up. `payout` includes prizes; it is 0 for a VOID, which is
    never a win: `refund` is what that gave back (below zero: took). `voided` marks a ROUND that a VOID has reversed.
    """

    at: str
    kind: str
    game: str | None
    round: str | None
    table: str | None
    ruleset: str | None
    bet: int
    payout: int
    refund: int
    amount: int
    currency: str
    balance_after: int | None
    transaction_id: str | None
    voided: bool
    position: int


@dataclass(frozen=True, slots=True)
class GameLine(SeatAnswer):
    """One round of a player with every detail; the cards of player and dealer once they are public."""

    at: str
    game: str
    round: str
    table: str
    ruleset: str
    currency: str
    phase: str | None
    dealer: tuple[str, ...] | None
    dealer_hand: str | None
    qualifies: bool | None
    position: int


@dataclass(frozen=True, slots=True)
class TransactionAnswer:
    """A deposit or withdrawal by the operator's own reference; `status` DONE, ROLLED_BACK, or TOMBSTONED: the id was
    rolled back before it came, and nothing else is known of it.
    """

    transaction_id: str
    status: str
    player: str | None
    kind: str | None
    amount: int | None
    currency: str | None
    at: str | None
    balance_after: int | None
    position: int


async def balance(reads: Reads, operator: str, player: str, min_position: int | None = None) -> BalanceAnswer:
    """What the player has now. Raises NotFound, Unavailable."""
    async with reads.views.reading(operator, {BALANCES.name}, min_position) as snapshot:
        row = await _wallet(snapshot, player)
        exponent = reads.exponent(row.currency)
        return BalanceAnswer(player, row.available_minor, row.held_minor, row.currency, exponent, snapshot.position)


async def balance_as_of(
    reads: Reads, operator: str, player: str, as_of: int | datetime, min_position: int | None = None
) -> BalanceAnswer:
    """What the player had at a position or time, that moment included. A later void does not change it.

    Raises NotFound when there was no wallet yet, Unavailable when `min_position` is not reached.
    """
    models = () if min_position is None else {BALANCES.name}
    async with reads.views.reading(operator, models, min_position) as snapshot:
        last = await snapshot.last_of(wallet_stream(operator, player), as_of, 2)
        for one in last:
            event: WalletEvent = one.event  # type: ignore[assignment]  # a wallet's stream holds wallet events
            if isinstance(event, BalanceWentNegative):
                continue  # it repeats the available money of the event before it
            exponent = reads.exponent(event.currency)
            if isinstance(event, WalletOpened):
                return BalanceAnswer(player, 0, 0, event.currency, exponent, last[0].position)
            after = (event.available_after_minor, event.held_after_minor)
            return BalanceAnswer(player, *after, event.currency, exponent, last[0].position)
    raise NotFound("the player had no wallet then", field="player")


async def account_history(
    reads: Reads, operator: str, player: str, turn: Turn, min_position: int | None = None
) -> Page[AccountLine]:
    """The player's account, newest first (S0-42). Raises NotFound, Invalid, Unavailable."""
    question = ("account-history", player)
    async with reads.views.reading(operator, {BALANCES.name, HISTORIES.name}, min_position) as snapshot:
        await _wallet(snapshot, player)
        scope = group_scope(HISTORIES.name, Line, line_group(player), newest_first=True)
        rows, after = await scan_page(snapshot, scope, turn, question)
        lines = [line for _, line in rows]
        keys = {played_key(player, line.round) for line in lines if line.round is not None}
        played = await snapshot.get_many(HISTORIES.name, keys, PlayedRound)
        items = tuple(_line(line, played.get(played_key(player, line.round or ""))) for line in lines)
        return Page(items, after, snapshot.position)


async def game_history(
    reads: Reads, operator: str, player: str, turn: Turn, min_position: int | None = None
) -> Page[GameLine]:
    """The rounds that the player took part in, newest first (S0-42). Those wholly taken back are left out."""
    question = ("game-history", player)
    models = {BALANCES.name, HISTORIES.name, ROUNDS.name}
    async with reads.views.reading(operator, models, min_position) as snapshot:
        await _wallet(snapshot, player)
        scope = group_scope(HISTORIES.name, PlayRef, play_group(player), newest_first=True)
        rows, after = await scan_page(snapshot, scope, turn, question)
        ids = [ref.round for _, ref in rows]
        played = await snapshot.get_many(HISTORIES.name, [played_key(player, one) for one in ids], PlayedRound)
        rounds = await snapshot.get_many(ROUNDS.name, [round_key(one) for one in ids], RoundRow)
        parts = [(played.get(played_key(player, one)), rounds.get(round_key(one))) for one in ids]
        items = tuple(_game(part, row) for part, row in parts if part is not None and part.play.was_played)
        return Page(items, after, snapshot.position)


async def transaction(
    reads: Reads, operator: str, transaction_id: str, min_position: int | None = None
) -> TransactionAnswer:
    """A deposit or withdrawal by its reference. Raises NotFound, Unavailable."""
    async with reads.views.reading(operator, {HISTORIES.name}, min_position) as snapshot:
        row = await snapshot.get(HISTORIES.name, transaction_key(transaction_id), Transaction)
        if row is None:
            raise NotFound("no transaction has this id", field="transaction_id")
        line = row.line
        if line is None:
            return TransactionAnswer(
                transaction_id, "TOMBSTONED", None, None, None, None, None, None, snapshot.position
            )  # fmt: skip
        return TransactionAnswer(
            transaction_id=transaction_id,
            status="ROLLED_BACK" if row.rolled_back else "DONE",
            player=row.player,
            kind=line.kind.value,
            amount=abs(line.amount_minor),
            currency=line.currency,
            at=line.at,
            balance_after=line.available_after_minor,
            position=line.position,
        )


async def _wallet(snapshot: Snapshot, player: str) -> Balance:
    row = await snapshot.get(BALANCES.name, balance_key(player), Balance)
    if row is None:
        raise NotFound("no such player", field="player")
    return row


def _line(line: Line, played: PlayedRound | None) -> AccountLine:
    of_round = played is not None and line.round is not None
    return AccountLine(
        at=line.at,
        kind=line.kind.value,
        game=line.game_number,
        round=line.round,
        table=line.table,
        ruleset=line.ruleset,
        bet=line.bet_minor,
        payout=line.payout_minor,
        refund=line.refund_minor,
        amount=line.amount_minor,
        currency=line.currency,
        balance_after=played.balance_after(line.position) if played and of_round else line.available_after_minor,
        transaction_id=line.transaction_id,
        voided=played is not None and line.kind is HistoryKind.ROUND and played.play.voided,
        position=line.position,
    )


def _game(played: PlayedRound, row: RoundRow | None) -> GameLine:
    opened = None if row is None else row.cards
    seat = seat_answer(played.play, row)
    return GameLine(
        **{one.name: getattr(seat, one.name) for one in fields(seat)},
        at=played.at,
        game=played.game_number,
        round=played.play.round,
        table=played.table,
        ruleset=played.ruleset,
        currency=played.currency,
        phase=None if row is None else row.phase.value,
        dealer=None if opened is None else opened.dealer,
        dealer_hand=None if row is None else row.dealer_hand,
        qualifies=None if row is None else row.qualifies,
        position=played.position,
    )
