"""Steps of a history that staff takes: corrections, rollbacks, pools, service, prizes that wait, partial voids,
reviews and resettlements. Each is made of what the casino's books hold, and may well be refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import Refusal
from domain.jackpots.decider import Pool
from domain.jackpots.upkeep import PoolAccount
from domain.money import MICRO, Rate
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.rounds.decider import Round
from domain.seats.decider import Seat
from domain.tables import Table
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.batch import Order, Result
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import DEALERS, FLUSH, HIGH, PAIR, ROYAL, STRAIGHT_FLUSH, cards, feed, hand
from tests.support.casino import Casino
from tests.support.office import UNCHANGED

TABLES: Final = {"live": LIVE, "euro": EURO, "dollar": DOLLAR, "land": LAND}
"""The land table deals from a shoe, the others what a studio sends."""
POOLS: Final = ("euro", "dollar", "land")
DEALT: Final = (ROYAL, STRAIGHT_FLUSH, FLUSH, HIGH, ROYAL, PAIR)
POLICIES: Final = (VoidPolicy.CLAW_BACK, VoidPolicy.HOLD_FOR_REVIEW, VoidPolicy.HOUSE_ABSORBS)
STAFF_STEPS: Final = (
    "adjust", "rollback", "correct", "transfer", "terms", "terms", "switch", "verify", "verify", "refuse",
    "partial", "partial", "partial", "resolve", "resettle", "resettle", "resettle",
)  # fmt: skip
_SCOPES: Final = (c.Scope.JACKPOT, c.Scope.TABLE, c.Scope.PLAYER, c.Scope.RULESET, c.Scope.JACKPOT, c.Scope.ALL)


@dataclass(frozen=True, slots=True)
class Step:
    """`kind` of STEPS; the numbers pick a table, a player, and whatever else there is to pick."""

    kind: str
    table: int
    who: int
    pick: int


class Staff(Casino):
    """A casino that is asked for things and remembers what it did."""

    served: list[tuple[Order, Result]]
    rounds: list[str]
    transactions: list[str]
    commands: int

    async def attempt(self, command: c.Command) -> bool:
        """Whether the house took the command."""
        self.commands += 1
        order = self.order(command)
        try:
            await self.send(order)
        except Refusal:
            return False
        if self.last is not None and not (isinstance(command, c.Void) and command.dry_run):
            self.served.append((order, self.last))
        return True

    async def staff(self, step: Step, player: str) -> None:
        """Take a step of STAFF_STEPS."""
        pool = POOLS[step.table % 3]
        account = list(PoolAccount)[step.pick % 3]
        match step.kind:
            case "adjust":
                await self.attempt(c.AdjustBalance(player, (step.pick - 100) * 37, "miscount", "boss"))
            case "rollback":
                await self._roll_back(step, player)
            case "correct":
                amount = (step.pick - 80) * MICRO // 7
                await self.attempt(c.CorrectJackpot(pool, account, amount, "miscount", "boss"))
            case "transfer":
                await self._transfer(step)
            case "terms":
                await self.attempt(self._terms(pool, step.pick))
            case "switch":
                await self._switch(step, pool, player)
            case "verify" | "refuse":
                await self._decide_prize(step)
            case "resolve" if self.rounds:
                held = sorted(
                    {one.round for one in self.books.of_kind("seat") if isinstance(one, Seat) and one.reviews}
                )
                policy = POLICIES[0] if step.who == 1 else POLICIES[2]
                await self.attempt(c.Resolve((held or self.rounds)[step.pick % len(held or self.rounds)], policy))
            case "partial" if self.rounds:
                await self._part(step)
            case "resettle" if self.rounds:
                await self.attempt(self.resettling(self._round(step.pick), step.pick, POLICIES[step.who - 1]))
            case _:
                pass

    async def _transfer(self, step: Step) -> None:
        """Between the two pools in dollars, or once in a while to one where it cannot go."""
        pool, to = (
            ("dollar", "land") if step.who == 1 else ("land", "dollar" if step.who == 2 else POOLS[step.table % 3])
        )
        account = PoolAccount.RESERVE if step.pick % 3 == 0 else PoolAccount.METER
        there = self.books.balance(f"{account.value}/{pool}")
        amount = there * (step.pick % 6) // 5 + step.pick % 2
        await self.attempt(c.TransferJackpot(pool, to, account, amount, "given up", "boss"))

    def _round(self, pick: int) -> str:
        return self.rounds[pick % len(self.rounds)]

    async def _roll_back(self, step: Step, player: str) -> None:
        """Of a known id, or of one that comes too late afterwards."""
        late = step.pick % 4 == 0 or not self.transactions
        name = f"late{step.pick}" if late else self.transactions[step.pick % len(self.transactions)]
        await self.attempt(c.RollBackTransaction(name))
        if late:
            taken = await self.attempt(c.DepositFunds(player, 5, "EUR" if player[0] == "e" else "USD", name))
            assert not taken, "a tombstone took a deposit"

    def _terms(self, pool: str, pick: int) -> c.ChangeJackpot:
        """One parameter or two, some of which wait."""
        known = self.books.state("jackpot", pool)
        assert isinstance(known, Pool)
        meter = known.balances.meter_micro // MICRO
        changes: tuple[dict[str, object], ...] = (
            {"ceiling_minor": meter + pick}, {"ceiling_minor": meter + 100_000, "reset_minor": pick},
            {"increment": Rate(100_000 + pick)}, {"reserve": Rate(pick), "reset_minor": 10 * pick},
            {"fixed_prize_funding": list(PrizeFunding)[pick % 2]},
            {"multi_winner_policy": list(MultiWinnerPolicy)[pick % 3], "reset_minor": pick},
            {"handpay_stated": True, "handpay_threshold_minor": None if pick % 2 else 0},
        )  # fmt: skip
        return replace(UNCHANGED, jackpot=pool, **changes[pick % len(changes)])  # type: ignore[arg-type]  # fields by name

    async def _switch(self, step: Step, pool: str, player: str) -> None:
        """Out of service, or more often back into it."""
        scope = _SCOPES[step.pick // 3 % len(_SCOPES)]
        table = list(TABLES)[step.table]
        name = {
            c.Scope.ALL: "", c.Scope.RULESET: TABLES[table], c.Scope.TABLE: table,
            c.Scope.PLAYER: player, c.Scope.JACKPOT: pool,
        }[scope]  # fmt: skip
        is_off = await self.attempt(c.SetService(scope, name, step.pick % 3 == 0, "look"))
        if is_off and scope is c.Scope.ALL:
            await self.attempt(c.SetService(scope, name, False, "seen"))

    async def _decide_prize(self, step: Step) -> None:
        """Of a prize that waits; where none does, of any."""
        books = list(self.books.tally.rounds.items())
        waiting = [(one.jackpot, name.rpartition("/")[2]) for _, one in books for name in one.unpaid]
        known = waiting or [(one.jackpot, name) for _, one in books for name in one.awards]
        if known:
            pool, award = known[step.pick % len(known)]
            kind = c.VerifyPrize if step.kind == "verify" else c.RefusePrize
            await self.attempt(kind(pool, award, "seen", "boss"))

    def seats_of(self, round_id: str) -> list[Seat]:
        """The seats of a round."""
        return [one for one in self.books.of_kind("seat") if isinstance(one, Seat) and one.round == round_id]

    async def _part(self, step: Step) -> None:
        """Some wagers of any round, of the one that is under way at the table above all."""
        table = self.books.state("table", list(TABLES)[step.table])
        assert isinstance(table, Table)
        round_id = table.open_round or self._round(step.pick)
        wagers = [one.wager for seat in self.seats_of(round_id) for one in seat.wagers]
        if wagers:
            named = {wagers[step.pick % len(wagers)], wagers[step.pick // 5 % len(wagers)]}
            await self.attempt(self.voiding(round_id, POLICIES[step.who - 1], wagers=tuple(sorted(named))))

    def voiding(
        self, round_id: str, policy: VoidPolicy, *, is_dry: bool = False, wagers: tuple[str, ...] = ()
    ) -> c.Void:
        """A command that voids the round, or these of its wagers."""
        return c.Void(round_id, "malfunction", policy, "boss", None, is_dry, wagers)

    def resettling(self, round_id: str, pick: int, policy: VoidPolicy) -> c.Resettle:
        """The round again, on other cards for those who were dealt any."""
        round_ = self.books.state("round", round_id)
        assert isinstance(round_, Round)
        dealer = cards(DEALERS[pick % 3])
        if round_.terms.ruleset == LIVE:
            return c.Resettle(round_id, cards(hands(pick, (1,))[1]), None, dealer, policy, "misread", "boss")
        dealt = [one.seat for one in round_.cards.seats] if round_.cards is not None else []
        spread = {**{seat: hand(HIGH, seat) for seat in dealt if seat <= 3}, **hands(pick, dealt)}
        return c.Resettle(round_id, None, tuple(feed(spread)), dealer, policy, "misread", "boss")


def hands(pick: int, seats: Sequence[int | None]) -> dict[int, str]:
    """A hand for each seat, by the digits of `pick` to the base of six."""
    return {seat: hand(DEALT[pick // 6 ** (seat - 1) % 6], seat) for seat in seats if seat is not None}
