"""RTP control: what each wager of each rule set returned, against the certified theory and its 99 % band (R4, R29).

Lines: `ANTE`, `CALL` (of hands that were called) and `MAIN` (both together, per ante), `SIDE`, and `PROGRESSIVE`, whose
prizes are counted with it though the ledger keeps them apart, each wager against the theory at the meter that its
showdown found. What was voided is in no sum, and shown.

The variance is exact for one hand. Hands of one round are not independent: on 000 all players have the same hand, else
they meet the same dealer. So the stakes of a round are added before they are squared: for one hand to all that is
exact, elsewhere the widest that the band can be. An alarm is then at least 99 % sure.

Theory is of optimal play: a return of ANTE, CALL or MAIN below the band may be how people play. The table of decisions
shows how often they call, beside how often they should.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import isqrt
from typing import Final, NamedTuple

from domain.frozen import dataclass
from domain.rounds.events import ShowdownHeld
from domain.seats.events import WagerKind
from services.ports import Told
from services.reports.columns import PPM, Derived, count, minor, nearest, number, ppm, share, worked_out
from services.reports.games import GAME, Game, game_of
from services.reports.prizes import Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Cell, Kind, Layout, Parameter, Part, Unit
from services.reports.theory import MAIN, PROGRESSIVE, Expected, call_ppm, expected, whole_meter
from services.reports.wagers import Happened, Spot, Wagers

CONTROL: Final = "control"
DECISIONS: Final = "decisions"

NORMAL_99: Final = 2_575_829
"""Standard deviations to either side that hold 99 %, in millionths."""
LEAST: Final = 1_000
"""Hands from which on the normal distribution says anything."""
TRILLION: Final = 10**12


class _Taken(NamedTuple):
    """What a line of the control took and paid, in minor units; with a sign where it was voided."""

    line: str
    staked_minor: int
    paid_minor: int
    hands: int


@dataclass(frozen=True, slots=True)
class _RtpControl:
    scope: Scope
    least: int
    wagers: Wagers = field(default_factory=Wagers)
    prizes: Prizes = field(default_factory=Prizes)
    meters: dict[str, int] = field(default_factory=dict)
    staked: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    known: set[tuple[str, ...]] = field(default_factory=set)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event within the time asked about adds to the lines of its game."""
        event = told.one.event
        if isinstance(event, ShowdownHeld) and event.found is not None:
            self.meters[event.round] = whole_meter(event.found.meter_micro)
        spots, changes = list(self.wagers.take(event)), list(self.prizes.take(event))
        if told.opened is None or self.scope.when(told) is not When.WITHIN:
            return
        if not self.scope.takes(told.opened.terms.currency):
            return
        game = game_of(told)
        for taken in _lines(spots):
            yield from self._line(game, told.opened.round, taken)
        yield from _calls(game, spots)
        for change in changes:
            if change.sign:
                yield Part(CONTROL, (*game, PROGRESSIVE), "paid_minor", change.sign * change.prize.prize_minor)
        for spot in spots:
            if spot.happened in (Happened.VOIDED, Happened.VOIDED_OPEN):
                yield Part(CONTROL, (*game, spot.kind.value), "voided_minor", spot.stake_minor)

    def _line(self, game: Game, round_id: str, taken: _Taken) -> Iterator[Part]:
        row = (*game, taken.line)
        theory = expected(game.ruleset, game.ruleset_hash, taken.line, self.meters.get(round_id, 0))
        yield from self._once(row, theory)
        yield Part(CONTROL, row, "hands", taken.hands)
        yield Part(CONTROL, row, "staked_minor", taken.staked_minor)
        yield Part(CONTROL, row, "paid_minor", taken.paid_minor)
        if theory is not None and taken.staked_minor:
            before = self.staked[round_id, taken.line]
            after = self.staked[round_id, taken.line] = before + taken.staked_minor
            yield Part(CONTROL, row, "expected", theory.mean * taken.staked_minor)
            yield Part(CONTROL, row, "variance", theory.variance * (after * after - before * before))

    def _once(self, row: tuple[str, ...], theory: Expected | None) -> Iterator[Part]:
        """The denominators of a row, and from how many hands on it says anything."""
        if row in self.known:
            return
        self.known.add(row)
        yield Part(CONTROL, row, "least", self.least)
        if theory is not None:
            yield Part(CONTROL, row, "expected_over", theory.mean_over)
            yield Part(CONTROL, row, "variance_over", theory.variance_over)
        often = call_ppm(row[1], row[2])
        if row[3] == MAIN and often is not None:
            yield Part(DECISIONS, row[:3], "certified_ppm", often)


def _lines(spots: Sequence[Spot]) -> Iterator[_Taken]:
    """Of one seat's event: each kind by itself, then ante and call together. A resettlement changes what is paid."""
    by_kind = {one.kind: one for one in spots if one.happened is not Happened.VOIDED_OPEN}
    for kind, spot in by_kind.items():
        paid = spot.payout_minor if spot.happened is Happened.RESETTLED else spot.sign * spot.payout_minor
        yield _Taken(kind.value, spot.sign * spot.stake_minor, paid, spot.sign)
    ante, call = by_kind.get(WagerKind.ANTE), by_kind.get(WagerKind.CALL)
    if ante is not None:
        sign = ante.sign or 1
        of_call = 0 if call is None else call.payout_minor - abs(call.sign) * call.stake_minor
        yield _Taken(MAIN, ante.sign * ante.stake_minor, sign * (ante.payout_minor + of_call), ante.sign)


def _calls(game: Game, spots: Sequence[Spot]) -> Iterator[Part]:
    for spot in spots:
        if spot.sign and spot.kind in (WagerKind.ANTE, WagerKind.CALL):
            yield Part(DECISIONS, game, "hands" if spot.kind is WagerKind.ANTE else "calls", spot.sign)


def _deviation_micro(cells: Mapping[str, Cell]) -> int:
    """One standard deviation in millionths of a minor unit."""
    over = number(cells, "variance_over")
    return isqrt(max(number(cells, "variance"), 0) * TRILLION // over) if over else 0


def _theory(cells: Mapping[str, Cell]) -> Cell:
    """Nothing where there is no stake that it would be a part of."""
    if number(cells, "staked_minor") <= 0:
        return None
    return nearest(number(cells, "expected") * PPM, number(cells, "expected_over") * number(cells, "staked_minor"))


def _half_band(cells: Mapping[str, Cell]) -> Cell:
    if not number(cells, "variance_over") or number(cells, "staked_minor") <= 0:
        return None
    return nearest(NORMAL_99 * _deviation_micro(cells), PPM * number(cells, "staked_minor"))


def _edge(sign: int) -> Derived:
    def derived(cells: Mapping[str, Cell]) -> Cell:
        theory, half = cells["theory_ppm"], cells["band_ppm"]
        return theory + sign * half if isinstance(theory, int) and isinstance(half, int) else None

    return derived


def _deviations(cells: Mapping[str, Cell]) -> Cell:
    """How far from what was expected, in thousandths of a standard deviation."""
    over = number(cells, "expected_over")
    more = number(cells, "paid_minor") * over - number(cells, "expected")
    return nearest(more * PPM * 1_000, over * _deviation_micro(cells))


def _verdict(cells: Mapping[str, Cell]) -> Cell:
    found, low, high = cells["rtp_ppm"], cells["low_ppm"], cells["high_ppm"]
    if not isinstance(found, int):
        return "MORE VOIDED THAN STAKED" if number(cells, "staked_minor") < 0 else "NOTHING STAKED"
    if not isinstance(low, int) or not isinstance(high, int):
        return "NO THEORY"
    if number(cells, "hands") < number(cells, "least"):
        return "FEW HANDS"
    return "ABOVE" if found > high else "BELOW" if found < low else "WITHIN"


_SUMS: Final = ("expected", "expected_over", "variance", "variance_over", "least")
_EDGES: Final = ("theory_ppm", "band_ppm")

RTP_CONTROL: Final = Kind(
    name="rtp-control",
    title="RTP control",
    about="Actual return against the certified one, its 99 % band, an alarm, by rule set and wager; voids excluded.",
    tables=(
        Layout(
            CONTROL,
            "Returns",
            (*GAME, "wager"),
            (
                count("hands", "Hands"),
                minor("staked_minor", "Staked"),
                minor("paid_minor", "Paid"),
                *(count(name, name, working=True) for name in _SUMS),
                share("rtp_ppm", "RTP", ("paid_minor",), "staked_minor"),
                worked_out(Unit.PPM, "theory_ppm", "Theory", ("expected", "expected_over", "staked_minor"), _theory),
                worked_out(Unit.PPM, "band_ppm", "+/-", ("variance", "variance_over", "staked_minor"), _half_band),
                worked_out(Unit.PPM, "low_ppm", "Band from", _EDGES, _edge(-1)),
                worked_out(Unit.PPM, "high_ppm", "Band to", _EDGES, _edge(1)),
                worked_out(
                    Unit.COUNT,
                    "deviation_milli",
                    "1/1000 sd",
                    ("paid_minor", "expected", "expected_over", "variance", "variance_over"),
                    _deviations,
                ),
                worked_out(
                    Unit.TEXT,
                    "verdict",
                    "Verdict",
                    ("rtp_ppm", "low_ppm", "high_ppm", "hands", "least", "staked_minor"),
                    _verdict,
                ),
                minor("voided_minor", "Voided stakes"),
            ),
        ),
        Layout(
            DECISIONS,
            "Decisions",
            GAME,
            (
                count("hands", "Hands"),
                count("calls", "Calls"),
                share("called_ppm", "Called", ("calls",), "hands"),
                ppm("certified_ppm", "Under optimal play"),
            ),
        ),
    ),
    make=lambda scope: _RtpControl(scope, scope.whole("threshold")),
    parameters=(Parameter("threshold", "hands from which on an alarm is raised", str(LEAST)),),
)
