"""The books, kept a second time: accounts folded from the table of postings, states from the events, laws checked.

Nothing here asks the house. What is read are the recorded events alone, one after the other, and each law of the
ledger is held against them: at every event, at the end of every entry, and over all of it in `check`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from domain.flows import Line, postings
from domain.ids import stream_kind
from domain.jackpots.decider import Pool
from domain.jackpots.events import Awarded, Contributed, PoolOpened, PoolReset, RoundMirrored, RoundResettled
from domain.jackpots.upkeep import AwardRefused, Corrected, TermsChanged, TransferredIn, TransferredOut
from domain.money import MICRO
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats.decider import Seat
from domain.streams import State, evolve
from domain.wallets.events import (
    Adjusted,
    BalanceWentNegative,
    Deposited,
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    ReleaseReason,
    StakesSettled,
    TransactionReversed,
    VoidPolicy,
    Withdrawn,
)
from services.ports import Recorded
from tests.support.laws import check_pools, check_seats
from tests.support.tally import Tally

REVERSAL = OutcomeReversed | HeldMoneyDecided
CASHIER = Deposited | Withdrawn | Adjusted | TransactionReversed
MONEY = CASHIER | FundsHeld | FundsReleased | StakesSettled | PrizePaid | REVERSAL
ROUND_AT_POOL = Contributed | Awarded | PoolReset | RoundMirrored | RoundResettled | AwardRefused
POOL = PoolOpened | ROUND_AT_POOL | Corrected | TransferredIn | TransferredOut | TermsChanged
AFTER_CLOSE = {ReleaseReason.FOLD, ReleaseReason.VOID, ReleaseReason.CANCELLED}


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines that one entry posted, in order."""

    causation: str
    number: int
    lines: tuple[Line, ...]


class Books:
    """All accounts in micro-units by currency and name, all states, all entries, as the events make them."""

    def __init__(self) -> None:
        self.position = 0
        self.accounts: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.states: dict[str, tuple[State, int]] = {}
        self.entries: list[Entry] = []
        self.tally = Tally()
        self._kinds: defaultdict[str, dict[str, State]] = defaultdict(dict)
        self._owing: set[str] = set()

    def read(self, news: Sequence[Recorded]) -> None:
        """Take in what came, event by event and entry by entry."""
        open_entry: tuple[str, int] | None = None
        lines: list[Line] = []
        for one in news:
            if open_entry not in {None, (one.meta.causation, one.entry)}:
                self._close(open_entry, lines)
                lines = []
            open_entry = one.meta.causation, one.entry
            lines += self._take(one)
        self._close(open_entry, lines)

    def state(self, kind: str, name: str) -> State:
        """The state of the one stream of that kind and id."""
        return next(state for stream, state in self._kinds[kind].items() if stream.split("/", 2)[2] == name)

    def of_kind(self, kind: str) -> list[State]:
        """All states of a kind."""
        return list(self._kinds[kind].values())

    def balance(self, account: str) -> int:
        """An account in micro-units; of currencies there is one that uses it."""
        return sum(micro for (_, name), micro in self.accounts.items() if name == account)

    def standing(self) -> dict[tuple[str, str], int]:
        """Accounts that are not zero."""
        return {account: micro for account, micro in self.accounts.items() if micro}

    def check(self) -> None:
        """The laws that hold between commands."""
        for currency in {currency for currency, _ in self.accounts}:
            total = sum(micro for (one, _), micro in self.accounts.items() if one == currency)
            assert total == 0, f"{currency} is out of balance by {total}"
        seats = cast("list[Seat]", self.of_kind("seat"))
        rounds = {one.round: one for one in cast("list[Round]", self.of_kind("round"))}
        pools = cast("list[Pool]", self.of_kind("jackpot"))
        accounts = self.balances()
        check_seats(accounts, seats, rounds)
        check_pools(accounts, self.tally, pools, seats)
        assert accounts["ADJ"] == -self.tally.adjusted
        assert accounts["LOSS/FINAL"] == -self.tally.lost

    def balances(self) -> defaultdict[str, int]:
        """Accounts by name alone; the same name in two currencies adds up."""
        found: defaultdict[str, int] = defaultdict(int)
        for (_, name), micro in self.accounts.items():
            found[name] += micro
        return found

    def _take(self, one: Recorded) -> Sequence[Line]:
        known = self.states.get(one.stream)
        state, version = (None, 0) if known is None else known
        assert (one.position, one.version) == (self.position + 1, version + 1), one
        self._no_wager_leaves_a_closed_game(one)
        after = self._kinds[stream_kind(one.stream)][one.stream] = evolve(one.stream, state, one.event)
        self.states[one.stream] = after, one.version
        self.position, lines = one.position, postings(one.event)
        before = self.accounts.get((getattr(one.event, "currency", ""), f"av/{getattr(one.event, 'player', '')}"), 0)
        for line in lines:
            self.accounts[line.currency, line.account] += line.amount_micro
        self.tally.take(one.event, after)
        self._check_balances_after(one, before)
        return lines

    def _close(self, entry: tuple[str, int] | None, lines: Sequence[Line]) -> None:
        if entry is None:
            return
        for currency in {line.currency for line in lines}:
            total = sum(line.amount_micro for line in lines if line.currency == currency)
            assert total == 0, f"entry {entry} is out of balance by {total}: {lines}"
        assert not self._owing, f"no significant event says that {self._owing} went below zero"
        if lines:
            self.entries.append(Entry(*entry, tuple(lines)))

    def _check_balances_after(self, one: Recorded, before: int) -> None:
        match one.event:
            case BalanceWentNegative(player, currency, _, available):
                assert self.accounts[currency, f"av/{player}"] == available * MICRO < 0
                self._owing.discard(player)
            case event if isinstance(event, MONEY):
                self._check_wallet(event, before)
            case event if isinstance(event, POOL):
                self._check_pool(cast("Pool", self.states[one.stream][0]), event)
            case _:
                pass

    def _check_wallet(self, event: MONEY, before: int) -> None:
        available = event.currency, f"av/{event.player}"
        held = event.currency, f"held/{event.player}"
        assert self.accounts[available] == event.available_after_minor * MICRO, event
        assert self.accounts[held] == event.held_after_minor * MICRO >= 0, event
        if isinstance(event, REVERSAL):
            review = event.currency, f"review/{event.player}"
            assert self.accounts[review] == event.review_after_minor * MICRO >= 0, event
        if self.accounts[available] < min(0, before):
            assert isinstance(event, REVERSAL | Adjusted), event
            assert isinstance(event, Adjusted) or event.policy is VoidPolicy.CLAW_BACK, event
            self._owing.add(event.player)

    def _check_pool(self, pool: Pool, event: POOL) -> None:
        name, currency, move = pool.terms.jackpot, pool.terms.currency, event.move
        meter, reserve, overflow = (self.accounts[currency, f"{kind}/{name}"] for kind in ("m", "res", "ovf"))
        assert (meter, reserve, overflow) == (
            move.meter_after_micro, move.reserve_after_micro, move.overflow_after_micro,
        ), event  # fmt: skip
        assert min(meter, reserve, overflow) >= 0, event
        assert meter <= pool.ceiling_micro, event
        assert overflow == 0 or meter == pool.ceiling_micro, event

    def _no_wager_leaves_a_closed_game(self, one: Recorded) -> None:
        if not isinstance(one.event, FundsReleased):
            return
        operator = one.stream.split("/", 1)[0]
        round_ = cast("Round", self.states[f"{operator}/round/{one.event.round}"][0])
        if round_.phase not in {Phase.BETTING_OPEN, Phase.CLOSING_SOON, Phase.PAUSED}:
            assert one.event.reason in AFTER_CLOSE, one.event
