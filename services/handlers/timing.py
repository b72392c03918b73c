"""What timers do at tables that they drive: decided on the newest state, refused where it is not due (C16, R19)."""

from __future__ import annotations

from datetime import timedelta

from domain.errors import NotFound, WrongPhase
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.seats.events import WagerKind
from domain.settlement import DecidedBy
from domain.tables import CardSource, Pace
from services.answers import CloseAnswer, DealAnswer, RoundAnswer, SettleAnswer
from services.commands import CloseBetting, Deal, OpenNext, OpenRound, Settle, TimeOut
from services.desk import Desk
from services.handlers.betting import close_betting, open_round
from services.handlers.dealing import deal
from services.handlers.settling import settle_round


def open_next(desk: Desk, command: OpenNext) -> RoundAnswer:
    """Open the table's next round, `pause_seconds` after the last one ended."""
    table = desk.find_table(command.table)
    if table is None:
        raise NotFound("no such table", field="table")
    if table.terms.pace is not Pace.AUTO:
        raise WrongPhase("the table's rounds are opened by calls", field="table")
    pause = timedelta(seconds=table.terms.pause_seconds)
    if table.last_ended_at is not None and desk.now < table.last_ended_at + pause:
        raise WrongPhase("the pause between two rounds is not over", field="table")
    return open_round(desk, OpenRound(command.table))


def time_out(desk: Desk, command: TimeOut) -> CloseAnswer | DealAnswer | SettleAnswer:
    """Take the step whose time has come: close, deal from the shoe, settle for those who have not decided."""
    round_ = desk.round(command.round)
    if round_.terms.pace is not Pace.AUTO:
        raise WrongPhase("the round is driven by calls", field="round")
    from_shoe = round_.terms.card_source is CardSource.SHOE
    match round_.phase:
        case Phase.BETTING_OPEN | Phase.CLOSING_SOON:
            return _close(desk, round_, from_shoe)
        case Phase.BETTING_CLOSED if from_shoe:
            return deal(desk, Deal(command.round, None, None, None))
        case Phase.DECIDING:
            return _settle(desk, round_)
        case _:
            raise WrongPhase(f"nothing is due in phase {round_.phase.value}", field="round")


def _close(desk: Desk, round_: Round, from_shoe: bool) -> CloseAnswer | DealAnswer:
    """Betting time is over; a shoe deals at once, a studio when its cards lie."""
    if round_.closes_at is None or desk.now < round_.closes_at:
        raise WrongPhase("betting time is not over", field="round")
    closed = close_betting(desk, CloseBetting(round_.round), DecidedBy.SYSTEM)
    return deal(desk, Deal(round_.round, None, None, None)) if from_shoe else closed


def _settle(desk: Desk, round_: Round) -> SettleAnswer:
    """Everybody has decided, or the time for it is over. A studio that kept the dealer's cards settles by its call."""
    waiting = [one for one in desk.seats(round_.round) if one.decision is None and one.stake_minor(WagerKind.ANTE)]
    if waiting and round_.deadline is not None and desk.now < round_.deadline:
        raise WrongPhase("decision time is not over", field="round")
    rounds.check_phase(round_, Phase.DECIDING)
    return settle_round(desk, Settle(round_.round, None))
