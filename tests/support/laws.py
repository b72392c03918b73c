"""Laws of seats and pools between commands, from the events and states alone (spec ledger, Laws)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from domain.jackpots.decider import Pool
from domain.jackpots.events import Awarded, Contributed, FundKind, PoolReset, RoundMirrored
from domain.money import MICRO
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats.decider import Seat
from domain.seats.events import WagerKind

OF_NO_EFFECT = {Phase.VOIDED, Phase.CANCELLED}
CLOSED = {Phase.BETTING_CLOSED, Phase.DECIDING, Phase.PAYING, Phase.SETTLED}

Balances = Mapping[str, int]


def check_seats(accounts: Balances, seats: Sequence[Seat], rounds: Mapping[str, Round]) -> None:
    """What is held is what lies on the seats, and revenue is what the standing results took less what they paid."""
    held: defaultdict[str, int] = defaultdict(int)
    revenue: defaultdict[str, int] = defaultdict(int)
    for seat in seats:
        held[f"held/{seat.player}"] += seat.held_minor * MICRO
        for result in () if seat.voided else seat.results:
            account = f"REV/{rounds[seat.round].terms.ruleset}/{result.kind.value}"
            revenue[account] += (result.stake_minor - result.payout_minor) * MICRO
        assert seat.held_minor == 0 or rounds[seat.round].phase not in OF_NO_EFFECT | {Phase.SETTLED}, seat
    _agree(accounts, held, "held/")
    _agree(accounts, revenue, "REV/")


@dataclass(slots=True)
class Tally:
    """What the rounds that stand did to one pool, in micro-units, by round; a mirror strikes its round out."""

    given: dict[str, int] = field(default_factory=dict)
    paid: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    resets: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    topped: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    unpaid: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, event: Contributed | Awarded | PoolReset | RoundMirrored) -> None:
        match event:
            case Contributed():
                self.given[event.round] = event.increment_micro + event.reserve_micro
            case Awarded():
                self.paid[event.round] += event.pool_micro
                self.topped[event.round, event.fund.value] += event.prize_minor * MICRO - event.pool_micro
                if event.pending:
                    account = f"pay/{event.jackpot}/{event.player}/{event.award}"
                    self.unpaid[event.round][account] = event.prize_minor * MICRO
            case PoolReset():
                self.resets[event.round] += event.reset_micro - event.from_reserve_micro
            case RoundMirrored():
                self._strike_out(event.round)

    def _strike_out(self, round_id: str) -> None:
        for book in (self.given, self.paid, self.resets, self.unpaid):
            book.pop(round_id, None)
        for key in [key for key in self.topped if key[0] == round_id]:
            del self.topped[key]


def check_pools(
    accounts: Balances,
    tallies: Mapping[str, Tally],
    pools: Iterable[Pool],
    seats: Sequence[Seat],
    rounds: Mapping[str, Round],
) -> None:
    """The identity of each pool, its cost to the house by kind, and what its wagers gave."""
    unpaid: dict[str, int] = {}
    for pool in pools:
        tally = tallies.get(pool.terms.jackpot, Tally())
        _check_identity(accounts, pool, tally)
        for awards in tally.unpaid.values():
            unpaid.update(awards)
        _check_contributions(accounts, pool, seats, rounds)
    _agree(accounts, unpaid, "pay/")


def _check_identity(accounts: Balances, pool: Pool, tally: Tally) -> None:
    name = pool.terms.jackpot
    seed = pool.terms.seed_minor * MICRO
    resets, given, paid = (sum(book.values()) for book in (tally.resets, tally.given, tally.paid))
    shortfall = -accounts[f"FUND/{name}/VOID_SHORTFALL"]
    total = sum(accounts[f"{kind}/{name}"] for kind in ("m", "res", "ovf"))
    assert total == seed + resets + given + shortfall - paid, f"pool {name}"
    assert shortfall >= 0, f"pool {name}"
    fund = {kind: -accounts[f"FUND/{name}/{kind.value}"] for kind in FundKind}
    assert fund[FundKind.SEED] == seed
    assert fund[FundKind.RESET] == resets
    for kind in (FundKind.TOP_UP, FundKind.FIXED_PRIZE):
        assert fund[kind] == sum(micro for (_, of), micro in tally.topped.items() if of == kind.value), f"{name} {kind}"
    assert accounts[f"CON/{name}"] == -given


def _check_contributions(accounts: Balances, pool: Pool, seats: Sequence[Seat], rounds: Mapping[str, Round]) -> None:
    """CON is stake x rate of every standing progressive wager whose betting closed; no rate has changed since."""
    rate = pool.terms.increment_ppm + pool.terms.reserve_ppm
    stakes = 0
    for seat in seats:
        round_ = rounds[seat.round]
        closed = (round_.paused_from if round_.phase is Phase.PAUSED else round_.phase) in CLOSED
        if closed and round_.terms.jackpot == pool.terms.jackpot:
            stakes += seat.stake_minor(WagerKind.PROGRESSIVE)
    assert accounts[f"CON/{pool.terms.jackpot}"] == -stakes * rate, f"pool {pool.terms.jackpot}"


def _agree(accounts: Balances, expected: Mapping[str, int], prefix: str) -> None:
    found = {name: micro for name, micro in accounts.items() if micro and name.startswith(prefix)}
    assert found == {name: micro for name, micro in expected.items() if micro}
