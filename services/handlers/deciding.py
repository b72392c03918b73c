"""Call or fold, by the player or for an absent one (S0-06, S0-38, S2-10, S2-11, R19)."""

from __future__ import annotations

from domain.errors import WrongPhase
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats import decider as seats
from domain.seats.commands import DecideSeat
from domain.seats.decider import Seat
from domain.seats.events import SeatDecided
from domain.settlement import DecidedBy, Decision
from domain.tables import Pace
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import HoldReason, ReleaseReason, WalletEvent
from services.answers import DecisionAnswer, WagerLine
from services.commands import Decide
from services.desk import Desk
from services.handlers.acting import acting


def decide(desk: Desk, command: Decide) -> DecisionAnswer:
    """The player calls or folds, once, while the round waits for it."""
    round_ = acting(desk, command.round, command.player, command.session)
    rounds.check_phase(round_, Phase.DECIDING)
    if round_.terms.pace is Pace.AUTO and round_.deadline is not None and desk.now >= round_.deadline:
        raise WrongPhase("decision time is over", field="decision")
    seat = desk.find_seat(command.round, command.player)
    decided = decide_seat(
        desk,
        round_,
        seat,
        command.decision,
        player=command.player,
        decided_by=DecidedBy.PLAYER,
        action=desk.command_id,
    )
    wagers = () if decided.call is None else (decided.call,)
    return DecisionAnswer(
        command.round,
        command.player,
        decided.decision.value,
        decided.decided_by.value,
        tuple(WagerLine(one.wager, one.kind.value, one.stake_minor) for one in wagers),
        desk.balance(command.player),
    )


def decide_seat(
    desk: Desk,
    round_: Round,
    seat: Seat | None,
    decision: Decision,
    *,
    player: str,
    decided_by: DecidedBy,
    action: str,
) -> SeatDecided:
    """Post one decision with the money that it moves: a fold frees the reserve, a call without one is held now.

    `action` names the call's wager; several seats that are decided for by one command need one each.
    """
    terms = round_.terms
    order = DecideSeat(decision, decided_by, action, terms, ruleset(terms.ruleset).call_multiple)
    events = seats.decide(order, seat)
    decided = events[0]
    if not isinstance(decided, SeatDecided):
        raise TypeError("a decision decides")
    money: tuple[WalletEvent, ...] = ()
    wallet = desk.find_wallet(player)
    if decided.release_minor:
        money = wallets.decide(wallets.Release(round_.round, decided.release_minor, ReleaseReason.FOLD), wallet)
    elif decided.hold_minor:
        money = wallets.decide(wallets.Hold(round_.round, decided.hold_minor, HoldReason.CALL), wallet)
    desk.post((desk.seat_at(round_.round, player), events), (desk.wallet_at(player), money))
    return decided
