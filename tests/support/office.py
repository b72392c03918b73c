"""What staff asks of a casino beside the game: corrections, pools, what is in service, and what follows a void."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from domain.jackpots.upkeep import PoolAccount
from domain.seats.decider import Seat
from domain.seats.events import WagerKind
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.support.cards import ACE_KING, cards, feed
from tests.support.counter import Body, Counter

UNCHANGED = c.ChangeJackpot("", None, None, None, None, None, None, False, None, "season")


class Office(Counter):
    """See the module. Who asks is `pit`, the second person `boss`."""

    async def adjust(self, player: str, amount: int) -> Body:
        return await self.submit(c.AdjustBalance(player, amount, "miscount", "boss"), status=201)

    async def roll_back(self, transaction: str) -> Body:
        return await self.submit(c.RollBackTransaction(transaction))

    async def correct(self, jackpot: str, micro: int, account: PoolAccount = PoolAccount.METER) -> Body:
        return await self.submit(c.CorrectJackpot(jackpot, account, micro, "miscount", "boss"))

    async def transfer(self, jackpot: str, to: str, micro: int, account: PoolAccount = PoolAccount.METER) -> Body:
        return await self.submit(c.TransferJackpot(jackpot, to, account, micro, "given up", "boss"))

    async def change(self, jackpot: str, **terms: Any) -> Body:
        """New parameters, named as the fields of the command."""
        return await self.submit(replace(UNCHANGED, jackpot=jackpot, **terms))

    async def verify(self, jackpot: str, award: str) -> Body:
        return await self.submit(c.VerifyPrize(jackpot, award, "seen", "boss"))

    async def refuse(self, jackpot: str, award: str) -> Body:
        return await self.submit(c.RefusePrize(jackpot, award, "marked cards", "boss"))

    async def disable(self, scope: c.Scope, name: str = "") -> Body:
        return await self.submit(c.SetService(scope, name, True, "maintenance"))

    async def enable(self, scope: c.Scope, name: str = "") -> Body:
        return await self.submit(c.SetService(scope, name, False, "maintained"))

    async def resolve(self, round_id: str, policy: VoidPolicy) -> Body:
        return await self.submit(c.Resolve(round_id, policy))

    async def resettle(
        self,
        round_id: str,
        hands: Mapping[int, str] | str,
        dealer: str = ACE_KING,
        policy: VoidPolicy = VoidPolicy.CLAW_BACK,
    ) -> Body:
        """The round on other cards: the hand of each seat, or the one for all, and the dealer's five."""
        shared, seats = (cards(hands), None) if isinstance(hands, str) else (None, tuple(feed(hands)))
        return await self.submit(c.Resettle(round_id, shared, seats, cards(dealer), policy, "misread", "boss"))

    def seat(self, round_id: str, player: str) -> Seat:
        """A player's seat, as the events have made it."""
        found = self.books.state("seat", f"{round_id}.{player}")
        assert isinstance(found, Seat)
        return found

    def wager_id(self, round_id: str, player: str, kind: WagerKind) -> str:
        """The id of the first wager of a kind that stands at a seat."""
        return next(one.wager for one in self.seat(round_id, player).wagers if one.kind is kind)
