"""Decisions for those who made none in time, by the policy of the table (S0-20, C14, C15)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import WrongPhase
from domain.rounds.decider import Round
from domain.rounds.events import OpenedCards
from domain.rules import RuleSet, TimeoutPolicy
from domain.seats.decider import Seat
from domain.seats.events import WagerKind
from domain.settlement import DecidedBy, Decision, decide_for_absent
from services.desk import Desk
from services.handlers.deciding import decide_seat
from services.handlers.results import hand_of


def absent(desk: Desk, round_: Round) -> list[Seat]:
    """Who has not decided. Refused with WrongPhase while somebody may still do so."""
    playing = [one for one in desk.seats(round_.round) if one.wagers]
    undecided = [one for one in playing if one.decision is None and one.stake_minor(WagerKind.ANTE)]
    if undecided and round_.deadline is not None and desk.now < round_.deadline:
        raise WrongPhase(f"{len(undecided)} seats may still decide", field="round")
    return undecided


def decide_for(desk: Desk, round_: Round, rules: RuleSet, cards: OpenedCards, undecided: Sequence[Seat]) -> None:
    """Decide at these seats; the events say that the system did."""
    desk.need_wallets(one.player for one in undecided)
    policy = TimeoutPolicy(round_.terms.timeout_policy)
    choices: dict[Sequence[str], Decision] = {}
    for nth, seat in enumerate(undecided, 1):
        hand = hand_of(cards, seat)
        choice = choices.get(hand) or choices.setdefault(hand, decide_for_absent(policy, rules, hand))
        action = f"{desk.command_id}:{nth}"
        decide_seat(desk, round_, seat, choice, player=seat.player, decided_by=DecidedBy.SYSTEM, action=action)
