"""One player's part in a round, as answers show it."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.rounds.events import Phase
from domain.rules import HandMode
from domain.seats.events import WagerKind
from domain.variants import ruleset
from domain.views.plays import Play
from domain.views.rounds import RoundRow

HIDDEN = (None,) * 5
"""Five cards that nobody may see yet."""


@dataclass(frozen=True, slots=True)
class WagerAnswer:
    """A wager. `payout` is None until it is settled; `reason` says why it was rejected."""

    wager: str
    kind: str
    stake: int
    status: str
    payout: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A player's part. `payout` has the keys of `studbook settle` and is None before the settlement.

    When the part is voided it is of no effect: `net` is 0, `payout` is zero, `refund` is what was given back (below
    zero: taken), and each wager still tells what it had paid. `pending` is a prize that waits for verification.
    """

    player: str
    seat: int | None
    cards: tuple[str | None, ...]
    wagers: tuple[WagerAnswer, ...]
    total_bet: int
    decision: str | None
    decided_by: str | None
    player_hand: str | None
    outcome: str | None
    payout: dict[str, int] | None
    net: int | None
    pending: int
    settled: bool
    voided: bool
    refund: int


def seat_answer(play: Play, row: RoundRow | None) -> SeatAnswer:
    """The part, with the cards that are public in its round."""
    wagers = tuple(
        WagerAnswer(one.wager, one.kind.value, one.stake_minor, one.status.value, one.payout_minor, one.reason)
        for one in play.wagers
    )
    payout = _payout(play)
    if payout is not None and play.voided:
        payout = dict.fromkeys(payout, 0)
    return SeatAnswer(
        player=play.player,
        seat=play.seat,
        cards=_cards(play, row),
        wagers=wagers,
        total_bet=play.staked_now_minor,
        decision=play.decision,
        decided_by=play.decided_by,
        player_hand=play.player_hand,
        outcome=play.outcome,
        payout=payout,
        net=None if not play.settled else 0 if play.voided else play.net_minor,
        pending=play.pending_minor,
        settled=play.settled,
        voided=play.voided,
        refund=play.refunded_minor,
    )


def _payout(play: Play) -> dict[str, int] | None:
    if not play.settled:
        return None
    payout = {"ante": play.payout_minor(WagerKind.ANTE), "call": play.payout_minor(WagerKind.CALL)}
    kinds = {one.kind for one in play.wagers if one.payout_minor is not None}
    if WagerKind.SIDE in kinds:
        payout["five_plus_one"] = play.payout_minor(WagerKind.SIDE)
    if WagerKind.PROGRESSIVE in kinds:
        payout["progressive"] = play.payout_minor(WagerKind.PROGRESSIVE) + play.prize_minor
    return payout


def _cards(play: Play, row: RoundRow | None) -> tuple[str | None, ...]:
    """A seat's cards once shown; the shared hand from the deal on (C1); hidden ones count, unknown ones do not."""
    if row is None:
        return ()
    if ruleset(row.terms.ruleset).hand_mode is HandMode.SHARED:
        return row.cards.shared if row.cards is not None and row.cards.shared else row.shared_cards
    if row.cards is not None:
        return next((one.cards for one in row.cards.seats if one.seat == play.seat), ())
    return HIDDEN if row.up_card is not None and row.phase is not Phase.CANCELLED else ()
