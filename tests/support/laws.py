"""Laws of seats and pools between commands, from the events and states alone (docs/ledger.md, Laws)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from domain.jackpots.decider import Pool
from domain.jackpots.events import FundKind
from domain.money import MICRO
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats.decider import Seat
from domain.seats.events import WagerKind
from tests.support.tally import RoundBook, Tally

OF_NO_EFFECT = {Phase.VOIDED, Phase.CANCELLED}

Balances = Mapping[str, int]


def check_seats(accounts: Balances, seats: Sequence[Seat], rounds: Mapping[str, Round]) -> None:
    """What is held is what lies on the seats, revenue is what the standing results took less what they paid, and
    under review is what open reviews took."""
    held: defaultdict[str, int] = defaultdict(int)
    review: defaultdict[str, int] = defaultdict(int)
    owed = 0
    revenue: defaultdict[str, int] = defaultdict(int)
    for seat in seats:
        held[f"held/{seat.player}"] += seat.held_minor * MICRO
        review[f"review/{seat.player}"] += sum(taken for _, taken in seat.reviews) * MICRO
        owed += sum(owed for owed, _ in seat.reviews) * MICRO
        for result in () if seat.voided else seat.results:
            account = f"REV/{rounds[seat.round].terms.ruleset}/{result.kind.value}"
            revenue[account] += (result.stake_minor - result.payout_minor) * MICRO
        assert seat.held_minor == 0 or rounds[seat.round].phase not in OF_NO_EFFECT | {Phase.SETTLED}, seat
    _agree(accounts, held, "held/")
    _agree(accounts, revenue, "REV/")
    _agree(accounts, review, "review/")
    assert accounts["LOSS/REVIEW"] == -owed


def check_pools(accounts: Balances, tally: Tally, pools: Iterable[Pool], seats: Sequence[Seat]) -> None:
    """The identity of each pool, its cost to the house by kind, and what its wagers gave."""
    unpaid: dict[str, int] = {}
    for pool in pools:
        name = pool.terms.jackpot
        _check_identity(accounts, pool, tally.of(name), tally.brought[name])
        for book in tally.of(name):
            unpaid.update(book.unpaid)
        _check_contributions(accounts, name, tally, seats)
    _agree(accounts, unpaid, "pay/")


def _check_identity(accounts: Balances, pool: Pool, books: Sequence[RoundBook], brought: int) -> None:
    """`brought` is what staff corrected and transferred."""
    name = pool.terms.jackpot
    seed = pool.terms.seed_minor * MICRO
    resets, paid = sum(one.reset for one in books), sum(one.paid for one in books)
    given = sum(sum(one.given.values()) for one in books)
    shortfall = -accounts[f"FUND/{name}/VOID_SHORTFALL"]
    total = sum(accounts[f"{kind}/{name}"] for kind in ("m", "res", "ovf"))
    assert total == seed + resets + given + brought + shortfall - paid, f"pool {name}"
    assert shortfall == sum(one.amount_micro for one in pool.shortfalls) >= 0, f"pool {name}"
    fund = {kind: -accounts[f"FUND/{name}/{kind.value}"] for kind in FundKind}
    assert fund[FundKind.SEED] == seed
    assert fund[FundKind.RESET] == resets
    for kind in (FundKind.TOP_UP, FundKind.FIXED_PRIZE):
        assert fund[kind] == sum(one.topped(kind) for one in books), f"{name} {kind}"
    assert accounts[f"CON/{name}"] == -given


def _check_contributions(accounts: Balances, jackpot: str, tally: Tally, seats: Sequence[Seat]) -> None:
    """CON is stake x rate in force at the close of every standing progressive wager."""
    given = 0
    for seat in seats:
        book = tally.rounds.get(seat.round)
        if book is not None and book.jackpot == jackpot:
            given += seat.stake_minor(WagerKind.PROGRESSIVE) * book.rate_ppm
    assert accounts[f"CON/{jackpot}"] == -given, f"pool {jackpot}"


def _agree(accounts: Balances, expected: Mapping[str, int], prefix: str) -> None:
    found = {name: micro for name, micro in accounts.items() if micro and name.startswith(prefix)}
    assert found == {name: micro for name, micro in expected.items() if micro}
