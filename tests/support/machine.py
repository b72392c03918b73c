"""Histories: a list of small steps, each made into whatever command the casino's state gives it a meaning for.

A step never knows whether it will be accepted. Refusals are part of a history; what the house answers to a command
that it has seen before, and what a dry run leaves, is checked on the way. Royal hands are as frequent as others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.errors import IdempotencyMismatch
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.settlement import Decision
from domain.tables import Table
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.batch import Order, Result
from services.ports import Log
from tests.domain.showdowns import LAND, LIVE
from tests.support.cards import DEALERS, cards, deck, feed
from tests.support.casino import CURRENCY, PRICE
from tests.support.guests import GUEST_STEPS, Guests
from tests.support.memory_log import MemoryLog
from tests.support.staff import POLICIES, STAFF_STEPS, TABLES, Step, hands

COMMANDS_MAX: Final = 60
STEPS: Final = (
    "bet", "undo", "leave", "next", "play", "play", "play", "play", "call", "fold", "void", "void", "void",
    "dry", "deposit", "withdraw", "withdraw", "again", "other", "pause", "abandon", "restart",
    *STAFF_STEPS, *GUEST_STEPS,
)  # fmt: skip
ANTES: Final = (200, 300, 200, 50, 0, 1_000_000)
OPEN: Final = {Phase.BETTING_OPEN: c.CloseBetting, Phase.PAUSED: lambda round_id: c.Resume(round_id, "seen")}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a history is played under, in minor units and parts per million; small, so that things run out."""

    seed: int
    reset: int
    room: int
    increment_ppm: int
    reserve_ppm: int
    funding: PrizeFunding
    winners: MultiWinnerPolicy
    threshold: int | None
    call_reserve: str


class Machine(Guests):
    """A casino of four tables and six players that takes steps."""

    most = COMMANDS_MAX
    """Commands after which a history ends."""

    def __init__(self, terms: Terms, log: Log | None = None, *, ids: str = "id") -> None:
        super().__init__(log, ids=ids)
        self.terms = terms
        self.served: list[tuple[Order, Result]] = []
        self.rounds: list[str] = []
        self.transactions: list[str] = []
        self.commands = 0

    async def furnish(self) -> None:
        """Players, pools and tables."""
        for nth in (1, 2, 3):
            await self.player(f"e{nth}", "EUR", deposit=6_000)
            await self.player(f"u{nth}", "USD", deposit=6_000)
        terms = self.terms
        for table, rules in TABLES.items():
            if rules != LIVE:
                await self.jackpot(
                    table, rules, seed_minor=terms.seed, reset_minor=terms.reset,
                    ceiling_minor=max(terms.seed, terms.reset, 1) + terms.room,
                    increment_ppm=terms.increment_ppm, reserve_ppm=terms.reserve_ppm,
                    fixed_prize_funding=terms.funding, multi_winner_policy=terms.winners,
                    handpay_threshold_minor=terms.threshold,
                )  # fmt: skip
            await self.table(
                table, rules, jackpot=None if rules == LIVE else table, total_max_minor=50_000,
                card_source="SHOE" if rules == LAND else "FEED",
                call_reserve=terms.call_reserve if rules == LIVE else "FULL",
            )  # fmt: skip

    async def run(self, steps: Sequence[Step]) -> None:
        """Take the steps, as long as the history is not too long."""
        for step in steps:
            if self.commands >= self.most:
                return
            await (self._guest(step) if step.kind in GUEST_STEPS else self._take(step))

    async def void_all(self, order: Sequence[int], policy: VoidPolicy = VoidPolicy.CLAW_BACK) -> None:
        """Void every round, in an order that these numbers pick; one that is void already stays as it is."""
        rounds = list(self.rounds)
        for nth in range(len(rounds)):
            await self.attempt(self.voiding(rounds.pop(order[nth % len(order)] % len(rounds)), policy))

    async def fork(self) -> Machine:
        """Another machine with the same past."""
        assert isinstance(self.log, MemoryLog)
        other = Machine(self.terms, self.log.copy(), ids="fork")
        other.rounds, other.transactions, other.clock = list(self.rounds), list(self.transactions), self.clock
        await other.audit()
        return other

    async def _take(self, step: Step) -> None:
        table, player, round_id = self._about(step)
        currency = CURRENCY[TABLES[table]]
        match step.kind:
            case "bet" | "undo" | "leave":
                await self._bet_and_perhaps_not(table, player, round_id, step)
            case "next":
                await self._next(table, step.pick)
            case "play":
                await self._play(table, currency, step)
            case "call" | "fold":
                if step.pick % 5 and self._table(table).open_round is None:
                    await self._play(table, currency, step, until=Phase.DECIDING)
                    round_id = self._table(table).open_round or round_id
                await self.attempt(c.Decide(round_id, player, Decision(step.kind.upper())))
            case "deposit":
                self.transactions.append(f"d{self.books.position}")
                await self.attempt(c.DepositFunds(player, 700 * step.pick, currency, self.transactions[-1]))
            case "withdraw":
                amount = self.books.balance(f"av/{player}") // 10**6 - step.pick // 30
                self.transactions.append(f"w{self.books.position}")
                await self.attempt(c.WithdrawFunds(player, amount, currency, self.transactions[-1]))
            case "void" | "dry":
                await self._void(step, is_dry=step.kind == "dry")
            case "again" | "other":
                await self._again(step, is_same=step.kind == "again")
            case "pause":
                await self.attempt(c.Pause(round_id, "look"))
            case "abandon":
                self.clock.forward(1_800 * (1 + step.pick % 2))
                await self.attempt(c.CancelAbandoned(round_id))
            case "restart":
                await self.throw_away()
            case _:
                assert step.kind in STAFF_STEPS, step
                await self.staff(step, player)

    def _about(self, step: Step) -> tuple[str, str, str]:
        """The table of a step, one of its players, and its round, else any."""
        table = list(TABLES)[step.table]
        player = f"{CURRENCY[TABLES[table]][0].lower()}{step.who}"
        known = self.rounds[step.pick % len(self.rounds)] if self.rounds else "no"
        return table, player, self._table(table).open_round or known

    def _table(self, table: str) -> Table:
        found = self.books.state("table", table)
        assert isinstance(found, Table)
        return found

    async def _guest(self, step: Step) -> None:
        """A step of GUEST_STEPS; cards are scanned at a table whose betting is closed."""
        table, player, round_id = self._about(step)
        if step.kind == "scan" and TABLES[table] != LAND and self._is_before_the_close(table):
            await self._play(table, CURRENCY[TABLES[table]], step, until=Phase.BETTING_CLOSED)
        await self.guest(step, table, player, self._table(table).open_round or round_id)

    def _is_before_the_close(self, table: str) -> bool:
        open_round = self._table(table).open_round
        return open_round is None or self._round_of(open_round).phase is Phase.BETTING_OPEN

    async def _bet_and_perhaps_not(self, table: str, player: str, round_id: str, step: Step) -> None:
        if step.pick % 5 and self._table(table).open_round is None:
            await self._next(table, step.pick)
        round_id = self._table(table).open_round or round_id
        await self._bet(table, player, step.who, round_id, step.pick)
        if step.kind != "bet":
            await self.attempt((c.UndoWager if step.kind == "undo" else c.LeaveRound)(round_id, player))

    async def _bet(self, table: str, player: str, seat: int, round_id: str, pick: int) -> None:
        rules = TABLES[table]
        ante, side = ANTES[pick % 6], (PRICE.get(rules, 150), 0, PRICE.get(rules, 150), 7)[pick // 6 % 4]
        spots = (side, 0) if rules == LIVE else (0, side)
        await self.attempt(c.PlaceWager(round_id, player, None if rules == LIVE else seat, ante, *spots))

    async def _next(self, table: str, pick: int) -> None:
        """Whatever comes next at the table."""
        open_round = self._table(table).open_round
        if open_round is None:
            if TABLES[table] == LAND:
                self.shoe.decks.append(deck(7, hands(pick, (1, 2, 3)), DEALERS[pick % 3]))
            if await self.attempt(c.OpenRound(table)):
                self.rounds.append(str(self.body["round"]))
            return
        round_ = self.books.state("round", open_round)
        assert isinstance(round_, Round)
        match round_.phase:
            case Phase.BETTING_CLOSED if round_.scans:
                await self.confirm(table, open_round)
            case Phase.BETTING_CLOSED:
                await self.attempt(self._deal(TABLES[table], open_round, pick))
            case Phase.DECIDING:
                await self.attempt(c.Settle(open_round, self.told_at_the_end(open_round)))
            case phase:
                await self.attempt(OPEN[phase](open_round))

    def _deal(self, rules: str, round_id: str, pick: int) -> c.Deal:
        """The cards of a studio for whoever bet; a shoe knows its own."""
        if rules == LAND:
            return c.Deal(round_id, None, None, None)
        dealer = cards(DEALERS[pick % 3])
        if rules == LIVE:
            return c.Deal(round_id, cards(hands(pick, (1,))[1]), None, dealer)
        seats = [one.seat for one in self.books.of_kind("seat") if one.round == round_id and one.wagers]
        return c.Deal(round_id, None, tuple(feed(hands(pick, seats))), dealer)

    async def _play(self, table: str, currency: str, step: Step, until: Phase = Phase.SETTLED) -> None:
        """The round of the table so far, with bets of two players where betting is open."""
        if self._table(table).open_round is None:
            await self._next(table, step.pick)
        for who in (step.who, step.who % 3 + 1):
            player, open_round = f"{currency[0].lower()}{who}", self._table(table).open_round or "no"
            await self._bet(table, player, who, open_round, step.pick % 2)
        for _ in range({Phase.BETTING_CLOSED: 1, Phase.DECIDING: 2}.get(until, 4)):
            if self._table(table).open_round is not None:
                await self._next(table, step.pick)

    async def _void(self, step: Step, *, is_dry: bool) -> None:
        if not self.rounds:
            return
        round_id = self.rounds[step.pick % len(self.rounds)]
        policy = POLICIES[step.who - 1]
        before = self.books.position
        await self.attempt(self.voiding(round_id, policy, is_dry=is_dry))
        assert not is_dry or self.books.position == before, "a dry run left a trace"

    async def _again(self, step: Step, *, is_same: bool) -> None:
        """An order that was served before: the same bytes, and nothing more happens. With another body: refused."""
        if not self.served:
            return
        self.commands += 1
        order, first = self.served[step.pick % len(self.served)]
        if is_same:
            await self.send(order)
            assert self.last == first._replace(replayed=True), order
            assert self.last_news == []
            return
        try:
            await self.submit(c.OpenRound("elsewhere"), key=order.keys[0][0][2])
        except IdempotencyMismatch:
            return
        raise AssertionError("a key served two requests")


__all__ = ["STEPS", "Machine", "Step", "Terms"]
