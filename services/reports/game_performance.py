"""Game performance: what each game took and paid, by kind of wager (R4, R6, R29).

A wager counts when it is settled. A void takes it out of `handle` and `payouts` in the time of the void and stands in
columns of its own, so that `ggr` is the balance of REV: nothing voided is in it. A resettlement moves `payouts` by what
it pays more. Prizes of pools are never payouts: they stand beside, and only the return counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.jackpots.events import Contributed, RoundMirrored
from domain.money import MICRO
from domain.rounds.events import RoundCancelled, RoundSettled, RoundVoided
from domain.seats.events import Stage, WagerKind
from domain.wallets.events import FundsHeld, FundsReleased, StakesSettled
from services.ports import Told
from services.reports.acts import Act, Acts
from services.reports.columns import count, micro, minor, number, ppm, share, summed, worked_out
from services.reports.games import GAME, Game, Rates, game_of
from services.reports.prizes import Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Cell, Kind, Layout, Part, Unit
from services.reports.theory import expected
from services.reports.wagers import Happened, Spot, Wagers

WAGERS: Final = "wagers"
GAMES: Final = "games"
TABLES: Final = "tables"
HITS: Final = "hits"


@dataclass(frozen=True, slots=True)
class _GamePerformance:
    scope: Scope
    acts: Acts = field(default_factory=Acts)
    wagers: Wagers = field(default_factory=Wagers)
    rates: Rates = field(default_factory=Rates)
    prizes: Prizes = field(default_factory=Prizes)
    known: set[tuple[str, ...]] = field(default_factory=set)

    def parts(self, told: Told) -> Iterable[Part]:
        """Every event is taken in; those within the time asked about give to the report."""
        event = told.one.event
        self.acts.take(event)
        self.rates.take(event)
        spots, changes = list(self.wagers.take(event)), list(self.prizes.take(event))
        if told.opened is None or not self.scope.takes(told.opened.terms.currency):
            return
        game = game_of(told)
        yield from self._funds(told, game)
        if self.scope.when(told) is not When.WITHIN:
            return
        yield from self._rounds(told, game)
        for spot in spots:
            yield from self._spot(told, game, spot)
        for change in changes:
            if change.sign:
                row = self._row(told, game, WagerKind.PROGRESSIVE)
                for table, key in ((WAGERS, row), (HITS, (*game, change.prize.category))):
                    yield Part(table, key, "jackpot_hits", change.sign)
                    yield Part(table, key, "jackpot_minor", change.sign * change.prize.prize_minor)

    def _spot(self, told: Told, game: Game, spot: Spot) -> Iterator[Part]:
        row, table = self._row(told, game, spot.kind), _table(told, game)
        yield from self._theory(told, game, spot.kind, row)
        yield from self._undone(told, row, spot)
        if spot.sign:
            yield Part(WAGERS, row, "hands", spot.sign)
            yield Part(WAGERS, row, "wagers", spot.sign * spot.wagers)
        for column, amount in spot.taken():
            for name, key in ((WAGERS, row), (TABLES, table), (GAMES, game)):
                yield Part(name, key, column, amount)

    def _undone(self, told: Told, row: tuple[str, ...], spot: Spot) -> Iterator[Part]:
        """What a void, a cancellation or a resettlement did stands in columns of its own (R4, R28)."""
        if spot.happened in (Happened.VOIDED, Happened.VOIDED_OPEN):
            column = "cancelled" if self.acts.of(told.round_opened.round) is Act.CANCEL else "voided"
            yield Part(WAGERS, row, f"{column}_wagers", spot.wagers)
            yield Part(WAGERS, row, f"{column}_minor", spot.stake_minor)
        elif spot.happened is Happened.RESETTLED:
            yield Part(WAGERS, row, "resettled_wagers", spot.wagers)
            yield Part(WAGERS, row, "resettled_minor", spot.payout_minor)

    def _theory(self, told: Told, game: Game, kind: WagerKind, row: tuple[str, ...]) -> Iterator[Part]:
        """Once a row: the certified return; of a progressive wager that at the pool's reset value."""
        if row in self.known:
            return
        self.known.add(row)
        terms = self.rates.terms_of(told)
        meter_minor = terms.reset_minor if terms is not None and kind is WagerKind.PROGRESSIVE else 0
        found = expected(game.ruleset, game.ruleset_hash, kind.value, meter_minor)
        if found is not None:
            yield Part(WAGERS, row, "certified_ppm", found.ppm)

    def _row(self, told: Told, game: Game, kind: WagerKind) -> tuple[str, ...]:
        return (*game, kind.value, self.rates.of(told, kind))

    def _rounds(self, told: Told, game: Game) -> Iterator[Part]:
        match told.one.event:
            case RoundSettled():
                yield Part(GAMES, game, "rounds", 1)
                yield Part(TABLES, _table(told, game), "rounds", 1)
            case RoundVoided(stage=stage):
                yield Part(GAMES, game, "voided_rounds", 1)
                if stage is Stage.AFTER_SETTLEMENT:
                    yield Part(GAMES, game, "rounds", -1)
                    yield Part(TABLES, _table(told, game), "rounds", -1)
            case RoundCancelled():
                yield Part(GAMES, game, "cancelled_rounds", 1)
            case Contributed() as event:
                yield Part(GAMES, game, "contribution_micro", event.increment_micro + event.reserve_micro)
            case RoundMirrored() as event:
                yield Part(GAMES, game, "contribution_micro", -event.contribution_micro)
            case _:
                pass

    def _funds(self, told: Told, game: Game) -> Iterator[Part]:
        """Funds on game at the beginning, and what moved since: what lies in games that are not complete (R20, R29)."""
        match told.one.event:
            case FundsHeld(amount_minor=amount):
                moved = amount
            case FundsReleased(amount_minor=amount):
                moved = -amount
            case StakesSettled(staked_minor=amount):
                moved = -amount
            case _:
                return
        is_before = self.scope.when(told) is When.BEFORE
        yield Part(GAMES, game, "funds_before_minor" if is_before else "funds_moved_minor", moved)


def _table(told: Told, game: Game) -> tuple[str, ...]:
    return (game.currency, told.round_opened.terms.table, game.ruleset, game.ruleset_hash)


def _net_win(cells: Mapping[str, Cell]) -> Cell:
    return number(cells, "ggr_minor") * MICRO - number(cells, "contribution_micro")


TAKEN: Final = (
    minor("handle_minor", "Handle"),
    minor("payouts_minor", "Payouts"),
    summed(Unit.MINOR, "ggr_minor", "GGR", ("handle_minor",), ("payouts_minor",)),
    share("hold_ppm", "Hold", ("ggr_minor",), "handle_minor"),
)
"""What was staked, what it paid, what is left, and which part of the stakes that is."""

_WAGERS: Final = Layout(
    WAGERS,
    "Wagers",
    (*GAME, "kind", "increment"),
    (
        count("hands", "Hands"),
        count("wagers", "Wagers"),
        *TAKEN,
        count("jackpot_hits", "Hits"),
        minor("jackpot_minor", "Jackpots"),
        share("rtp_ppm", "RTP", ("payouts_minor", "jackpot_minor"), "handle_minor"),
        ppm("certified_ppm", "Certified", working=True),
        worked_out(Unit.PPM, "theory_ppm", "Theory", ("certified_ppm",), lambda cells: cells["certified_ppm"] or None),
        count("voided_wagers", "Voided"),
        minor("voided_minor", "Their stakes"),
        count("cancelled_wagers", "Cancelled"),
        minor("cancelled_minor", "Their stakes"),
        count("resettled_wagers", "Resettled"),
        minor("resettled_minor", "Paid more"),
    ),
)
_GAMES: Final = Layout(
    GAMES,
    "Games",
    GAME,
    (
        count("rounds", "Rounds"),
        count("voided_rounds", "Voided"),
        count("cancelled_rounds", "Cancelled"),
        *TAKEN,
        micro("contribution_micro", "Contributions"),
        worked_out(Unit.MICRO, "net_win_micro", "Net win", ("ggr_minor", "contribution_micro"), _net_win),
        minor("funds_before_minor", "On game before"),
        minor("funds_moved_minor", "Moved", working=True),
        summed(Unit.MINOR, "funds_on_game_minor", "On game now", ("funds_before_minor", "funds_moved_minor")),
    ),
)

GAME_PERFORMANCE: Final = Kind(
    name="game-performance",
    title="Game performance",
    about="Handle, payouts, GGR, hold and return of each rule set and kind of wager; jackpots and voids apart.",
    tables=(
        _WAGERS,
        _GAMES,
        Layout(TABLES, "Tables", ("currency", "table", "ruleset", "ruleset_hash"), (count("rounds", "Rounds"), *TAKEN)),
        Layout(
            HITS,
            "Jackpot hits",
            (*GAME, "category"),
            (count("jackpot_hits", "Hits"), minor("jackpot_minor", "Jackpots")),
        ),
    ),
    make=_GamePerformance,
)
