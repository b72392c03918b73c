"""Which awards go when some of a round's wagers are of no effect, and which part of the pool goes with each.

Shared awards (FULL_TO_EACH, EQUAL_SPLIT) cost the pool G(k) in all while k of them stand. So whichever is taken
away, the pool gets back what the last of them cost, and the reset is mirrored with the last (docs/ledger.md).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from domain.changing import replace
from domain.frozen import dataclass
from domain.rounds.events import AwardRecord, ResetRecord


@dataclass(frozen=True, slots=True)
class Parted:
    """Awards and resets that go, and those that stay."""

    gone: tuple[AwardRecord, ...]
    gone_resets: tuple[ResetRecord, ...]
    left: tuple[AwardRecord, ...]
    left_resets: tuple[ResetRecord, ...]


def parted(awards: Sequence[AwardRecord], resets: Sequence[ResetRecord], going: Collection[str]) -> Parted:
    """Take the awards named by `going` away."""
    shared = {one.category for one in awards if one.shared and one.award in going}
    moved = [*awards]
    for category in shared:
        moved = _last_parts_go(moved, category, going)
    gone = tuple(one for one in moved if one.award in going)
    left = tuple(one for one in moved if one.award not in going)
    return Parted(gone, *_resets(resets, gone, left))


def _last_parts_go(awards: Sequence[AwardRecord], category: str, going: Collection[str]) -> list[AwardRecord]:
    """Give the pool parts of a shared category anew: the first to those that stay, the last to those that go."""
    members = [one for one in awards if one.shared and one.category == category]
    ordered = sorted(members, key=lambda one: one.award in going)
    parts = [(one.pool_micro, one.turn) for one in members]
    given = {
        one.award: replace(one, pool_micro=pool, turn=turn) for one, (pool, turn) in zip(ordered, parts, strict=True)
    }
    return [given.get(one.award, one) for one in awards]


def _resets(
    resets: Sequence[ResetRecord], gone: Sequence[AwardRecord], left: tuple[AwardRecord, ...]
) -> tuple[tuple[ResetRecord, ...], tuple[AwardRecord, ...], tuple[ResetRecord, ...]]:
    """A reset goes with its award, one of shared awards with the last of them."""
    gone_resets: list[ResetRecord] = []
    left_resets: list[ResetRecord] = []
    for reset in resets:
        of = next((one for one in gone if one.award == reset.award), None)
        heirs = [] if of is None else [one for one in left if one.shared and one.category == of.category]
        if of is None:
            left_resets.append(reset)
        elif heirs and of.shared:
            left_resets.append(replace(reset, award=heirs[-1].award))
        else:
            gone_resets.append(reset)
    return tuple(gone_resets), left, tuple(left_resets)
