"""What `studbook replay --json` answers for a range. Its shape is published: docs/replay-range.schema.json."""

from __future__ import annotations

from collections.abc import Sequence

from domain.frozen import dataclass
from services.replay.counterfactual import ASSUMED, Net, Otherwise
from services.replay.ranging import DifferingRound, RoundLine, Tally, Unread


@dataclass(frozen=True, slots=True)
class Counts:
    """Rounds by their state now, what was settled again, and how many values were held against the record."""

    rounds: int
    settled: int
    voided: int
    cancelled: int
    under_way: int
    settlements: int
    seats: int
    compared: int
    differences: int
    differing_rounds: int


@dataclass(frozen=True, slots=True)
class OtherNet:
    """What players won (above zero) or lost, in minor units: recorded, under the other rule set, and how they differ.
    `player` or `day` says of whom or when.
    """

    operator: str
    player: str | None
    day: str | None
    currency: str
    rounds: int
    recorded: int
    other: int
    difference: int


@dataclass(frozen=True, slots=True)
class OtherPool:
    """What a pool got from wagers and paid of prizes, in micro-units as decimal strings. `difference_micro` is how much
    more it would hold.
    """

    operator: str
    jackpot: str
    currency: str
    contributed_micro: str
    contributed_other_micro: str
    paid_micro: str
    paid_other_micro: str
    difference_micro: str


@dataclass(frozen=True, slots=True)
class UnderOther:
    """The range under another rule set; nothing was changed. `left_out` are rounds of which no settlement stands."""

    ruleset: str
    assumed: tuple[str, ...]
    rounds: int
    left_out: int
    players: tuple[OtherNet, ...]
    days: tuple[OtherNet, ...]
    pools: tuple[OtherPool, ...]


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """`ok`: every round could be read and is as recorded, to the cent. `listed` and `under_other` are None where they
    were not asked for; at most 1,000 differing rounds are named.
    """

    ok: bool
    counts: Counts
    differing: tuple[DifferingRound, ...]
    unread: tuple[Unread, ...]
    listed: tuple[RoundLine, ...] | None
    under_other: UnderOther | None


def answer_of(tally: Tally, otherwise: Otherwise, other: str | None, *, is_listed: bool) -> RangeAnswer:
    """The answer made of what was counted."""
    counts = Counts(
        tally.rounds,
        tally.settled,
        tally.voided,
        tally.cancelled,
        tally.under_way,
        tally.settlements,
        tally.seats,
        tally.compared,
        tally.found,
        tally.differing_count,
    )
    return RangeAnswer(
        ok=tally.equal,
        counts=counts,
        differing=tuple(tally.differing),
        unread=tuple(tally.unread),
        listed=tuple(tally.listed) if is_listed else None,
        under_other=None if other is None else _under_other(otherwise, other),
    )


def _under_other(otherwise: Otherwise, other: str) -> UnderOther:
    players = [
        _net(key.operator, key.player, None, key.currency, net) for key, net in sorted(otherwise.players.items())
    ]
    days = [
        _net(key.operator, None, key.day.isoformat(), key.currency, net) for key, net in sorted(otherwise.days.items())
    ]
    return UnderOther(
        other, ASSUMED, otherwise.rounds, otherwise.left_out, tuple(players), tuple(days), tuple(_pools(otherwise))
    )


def _net(operator: str, player: str | None, day: str | None, currency: str, net: Net) -> OtherNet:
    difference = net.other_minor - net.recorded_minor
    return OtherNet(
        operator, player, day, currency, net.rounds, net.recorded_minor, net.other_minor, difference
    )  # fmt: skip


def _pools(otherwise: Otherwise) -> Sequence[OtherPool]:
    return [
        OtherPool(
            key.operator,
            key.jackpot,
            key.currency,
            str(net.contributed_micro),
            str(net.contributed_other_micro),
            str(net.paid_micro),
            str(net.paid_other_micro),
            str(net.contributed_other_micro - net.contributed_micro - net.paid_other_micro + net.paid_micro),
        )
        for key, net in sorted(otherwise.pools.items())
    ]
