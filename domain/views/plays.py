"""One player's part in one round, as the round's view and the player's history both show it (R3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, assert_never

from domain.changing import replace
from domain.frozen import dataclass
from domain.seats.events import (
    ActionUndone,
    PrizeDecided,
    ReviewResolved,
    SeatDecided,
    SeatEvent,
    SeatPassed,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    Stage,
    Wager,
    WagerKind,
    WagerPlaced,
    WagerResult,
    WagersRejected,
)


class WagerStatus(StrEnum):
    """What became of a wager. A void or a refund is never a win."""

    STANDING = "STANDING"
    UNDONE = "UNDONE"
    REJECTED = "REJECTED"
    SETTLED = "SETTLED"
    VOIDED = "VOIDED"


_STANDING: Final = WagerStatus.STANDING  # a member of an enum is found by a search each time it is named
_SETTLED: Final = WagerStatus.SETTLED


@dataclass(frozen=True, slots=True)
class PlayedWager:
    """One wager; `payout_minor` includes the stake where it returned, `reason` says why it was rejected."""

    wager: str
    kind: WagerKind
    stake_minor: int
    status: WagerStatus
    payout_minor: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Play:
    """A player's part: every wager ever made, the decision, the result as it was settled, and the void.

    `staked_minor` to `net_minor` stay as settled when the play is voided; `refunded_minor` is what voids gave back
    (below zero: took).
    """

    round: str
    player: str
    seat: int | None
    wagers: tuple[PlayedWager, ...]
    decision: str | None = None
    decided_by: str | None = None
    player_hand: str | None = None
    outcome: str | None = None
    settled: bool = False
    staked_minor: int = 0
    returned_minor: int = 0
    net_minor: int = 0
    prize_minor: int = 0
    pending_minor: int = 0
    voided: bool = False
    refunded_minor: int = 0

    @property
    def staked_now_minor(self) -> int:
        """The sum of the wagers that are in play or were settled."""
        live = (WagerStatus.STANDING, WagerStatus.SETTLED)
        return sum(one.stake_minor for one in self.wagers if one.status in live)

    @property
    def was_played(self) -> bool:
        """Whether anything is left of it: not when the player took every wager back."""
        return any(one.status is not WagerStatus.UNDONE for one in self.wagers)

    def payout_minor(self, kind: WagerKind) -> int:
        """What the wagers of one kind paid, prizes apart."""
        return sum(one.payout_minor or 0 for one in self.wagers if one.kind is kind)


def play_after(play: Play | None, event: SeatEvent) -> Play:
    """The play after `event`. Raises LookupError where the first event is not a wager."""
    if play is None:
        if isinstance(event, WagerPlaced):
            return Play(event.round, event.player, event.seat, _all_standing(event.wagers))
        if not isinstance(event, SeatPassed):
            raise LookupError("a seat's first event places a wager, or passes")
        play = Play(event.round, event.player, None, ())
    match event:
        case WagerPlaced():
            return replace(play, seat=event.seat, wagers=play.wagers + _all_standing(event.wagers))
        case SeatPassed():
            return replace(play, wagers=_marked(play, event.wagers, WagerStatus.UNDONE))
        case ActionUndone():
            return replace(play, wagers=_marked(play, event.wagers, WagerStatus.UNDONE))
        case WagersRejected():
            return replace(play, wagers=_marked(play, event.wagers, WagerStatus.REJECTED, event.reason.value))
        case SeatDecided():
            call = () if event.call is None else _all_standing((event.call,))
            return replace(
                play,
                wagers=play.wagers + call,
                decision=event.decision.value,
                decided_by=event.decided_by.value,
            )
        case SeatSettled():
            return _settled(play, event)
        case PrizeDecided():
            return _prize_decided(play, event)
        case SeatVoided():
            return _voided(play, event)
        case SeatResettled():
            return _resettled(play, event)
        case ReviewResolved():
            return play
        case _:
            assert_never(event)


def _prize_decided(play: Play, event: PrizeDecided) -> Play:
    """A pending prize came in, or will not."""
    came_in = event.amount_minor if event.verified else 0
    return replace(
        play,
        pending_minor=play.pending_minor - event.amount_minor,
        prize_minor=play.prize_minor + came_in,
        returned_minor=play.returned_minor + came_in,
        net_minor=play.net_minor + came_in,
    )


def _all_standing(wagers: tuple[Wager, ...]) -> tuple[PlayedWager, ...]:
    return tuple([PlayedWager(one.wager, one.kind, one.stake_minor, _STANDING, None, None) for one in wagers])


def _marked(
    play: Play, wagers: tuple[str, ...], status: WagerStatus, reason: str | None = None
) -> tuple[PlayedWager, ...]:
    return tuple(replace(one, status=status, reason=reason) if one.wager in wagers else one for one in play.wagers)


def _settled(play: Play, event: SeatSettled) -> Play:
    results = {one.wager: one for one in event.results}
    return replace(
        play,
        wagers=tuple([_with_result(one, results.get(one.wager)) for one in play.wagers]),
        player_hand=event.player_hand,
        outcome=event.outcome,
        settled=True,
        staked_minor=event.staked_minor,
        returned_minor=event.returned_minor,
        net_minor=event.net_minor,
        prize_minor=event.prize_minor,
        pending_minor=event.pending_minor,
    )


def _resettled(play: Play, event: SeatResettled) -> Play:
    """Another result, hand and prize in the place of those before."""
    results = {one.wager: one for one in event.results}
    return replace(
        play,
        wagers=tuple([_with_result(one, results.get(one.wager)) for one in play.wagers]),
        player_hand=event.player_hand,
        outcome=event.outcome,
        returned_minor=event.returned_minor,
        net_minor=event.net_minor,
        prize_minor=event.prize_minor,
        pending_minor=event.pending_minor,
    )


def _with_result(wager: PlayedWager, result: WagerResult | None) -> PlayedWager:
    if result is None:
        return wager
    return PlayedWager(wager.wager, wager.kind, wager.stake_minor, _SETTLED, result.payout_minor, wager.reason)


def _voided(play: Play, event: SeatVoided) -> Play:
    """The wagers that fall; once none is left the play is voided, else its sums are those of the rest."""
    before = event.stage is Stage.BEFORE_SETTLEMENT
    wagers = _marked(play, event.wagers, WagerStatus.VOIDED)
    back = event.refund_minor if before else -event.taken_minor
    after = replace(play, wagers=wagers, refunded_minor=play.refunded_minor + back)
    if not after.staked_now_minor:
        return replace(after, voided=True)
    staked = sum(one.stake_minor for one in event.results)
    returned = sum(one.payout_minor for one in event.results) + event.prize_minor
    return replace(
        after,
        staked_minor=play.staked_minor - staked,
        returned_minor=play.returned_minor - returned,
        net_minor=play.net_minor - returned + staked,
        prize_minor=play.prize_minor - event.prize_minor,
    )
