"""A casino in sentences. Every command goes through the real house; after each the books are read and every law held.

    async with Casino() as casino:
        await casino.player("alice", "EUR", deposit=10_000)
        await casino.table("t", EURO)
        round_id = await casino.round("t")
        await casino.wager(round_id, "alice", seat=1, ante=1_000)

Any `services.ports.Log` will do: the books are read through its own turns. Amounts are minor units. Tables take
cards from a studio unless told otherwise, so that a deal can say which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from domain.jackpots.events import PoolTerms
from domain.money import POOL_MINOR_LIMIT
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, HIGH, cards, feed, hand
from tests.support.counter import Body
from tests.support.office import Office

CURRENCY = {EURO: "EUR", DOLLAR: "USD", LAND: "USD", LIVE: "EUR"}
PRICE = {EURO: 50, DOLLAR: 100, LAND: 100}

STAKES = c.PlaceWager("", "", None, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Play:
    """What one player does in a round that is played to the end."""

    seat: int = 1
    cards: str = ""
    ante: int = 1_000
    progressive: bool = True
    call: bool = True


class Casino(Office):
    """See the module."""

    async def player(self, player: str, currency: str = "EUR", *, deposit: int = 0) -> None:
        """Make a player known, with some money."""
        await self.submit(c.RegisterPlayer(player, currency), status=201)
        if deposit:
            await self.deposit(player, deposit, currency)

    async def deposit(self, player: str, amount: int, currency: str = "EUR", transaction: str | None = None) -> Body:
        name = transaction or f"d{self.books.position}"
        return await self.submit(c.DepositFunds(player, amount, currency, name), status=201)

    async def withdraw(self, player: str, amount: int, currency: str = "EUR", transaction: str | None = None) -> Body:
        name = transaction or f"w{self.books.position}"
        return await self.submit(c.WithdrawFunds(player, amount, currency, name), status=201)

    async def jackpot(self, jackpot: str, ruleset: str, **terms: Any) -> Body:
        """Open a pool: seed and reset 1,000.00, 40 % to the meter, nothing to the reserve, unless told otherwise."""
        usual = PoolTerms(
            jackpot, ruleset, CURRENCY[ruleset], 100_000, 100_000, 400_000, 0, POOL_MINOR_LIMIT,
            PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None,
        )  # fmt: skip
        return await self.submit(c.OpenJackpot(replace(usual, **terms), handpay_stated=True), status=201)

    async def table(self, table: str, ruleset: str, **terms: Any) -> Body:
        """Open a table: antes from 1.00 to 1,000.00, cards from a studio, unless told otherwise."""
        usual = c.OpenTable(
            table, ruleset, CURRENCY[ruleset], 100, 100_000, None, None, None, None, "FEED", "MANUAL", "FULL",
            None, None, 15, 5, None, 5, 3600,
        )  # fmt: skip
        return await self.submit(replace(usual, **terms), status=201)

    async def round(self, table: str) -> str:
        """Open the next round of a table; its id."""
        opened = await self.submit(c.OpenRound(table), status=201)
        return str(opened["round"])

    async def wager(self, round_id: str, player: str, *, seat: int | None = None, **stakes: int) -> Body:
        """`ante`, `five_plus_one` and `progressive` in minor units."""
        asked = {f"{spot}_minor": stake for spot, stake in stakes.items()}
        return await self.submit(replace(STAKES, round=round_id, player=player, seat=seat, **asked), status=201)

    async def undo(self, round_id: str, player: str) -> Body:
        return await self.submit(c.UndoWager(round_id, player))

    async def leave(self, round_id: str, player: str) -> Body:
        return await self.submit(c.LeaveRound(round_id, player))

    async def close(self, round_id: str) -> Body:
        return await self.submit(c.CloseBetting(round_id))

    async def deal(self, round_id: str, hands: Mapping[int, str] | str, dealer: str = ACE_KING) -> Body:
        """A studio's deal: the hand of each seat, or the one for all, and the dealer's five."""
        if isinstance(hands, str):
            return await self.submit(c.Deal(round_id, cards(hands), None, cards(dealer)))
        return await self.submit(c.Deal(round_id, None, tuple(feed(hands)), cards(dealer)))

    async def decide(self, round_id: str, player: str, decision: Decision) -> Body:
        return await self.submit(c.Decide(round_id, player, decision))

    async def call(self, round_id: str, player: str) -> Body:
        return await self.decide(round_id, player, Decision.CALL)

    async def fold(self, round_id: str, player: str) -> Body:
        return await self.decide(round_id, player, Decision.FOLD)

    async def settle(self, round_id: str) -> Body:
        return await self.submit(c.Settle(round_id, None))

    async def void(
        self,
        round_id: str,
        policy: VoidPolicy | None = VoidPolicy.CLAW_BACK,
        *,
        approver: str | None = "boss",
        dry_run: bool = False,
        wagers: tuple[str, ...] = (),
    ) -> Body:
        return await self.submit(c.Void(round_id, "malfunction", policy, approver, None, dry_run, wagers))

    async def bets_closed(self, table: str, plays: Mapping[str, Play]) -> str:
        """A round of a table with these bets on it, betting closed; its id."""
        round_id = await self.round(table)
        terms = self.books.state("table", table).terms
        shared = terms.ruleset == LIVE
        for player, play in plays.items():
            price = PRICE[terms.ruleset] if play.progressive and terms.jackpot else 0
            await self.wager(round_id, player, seat=None if shared else play.seat, ante=play.ante, progressive=price)
        await self.close(round_id)
        return round_id

    async def decided(self, table: str, plays: Mapping[str, Play], dealer: str = ACE_KING) -> str:
        """The same, dealt and decided."""
        round_id = await self.bets_closed(table, plays)
        hands = {play.seat: play.cards or hand(HIGH, play.seat) for play in plays.values()}
        shared = self.books.state("table", table).terms.ruleset == LIVE
        await self.deal(round_id, hands[1] if shared else hands, dealer)
        for player, play in plays.items():
            await self.decide(round_id, player, Decision.CALL if play.call else Decision.FOLD)
        return round_id

    async def played(self, table: str, plays: Mapping[str, Play], dealer: str = ACE_KING) -> str:
        """The same, settled."""
        round_id = await self.decided(table, plays, dealer)
        await self.settle(round_id)
        return round_id
