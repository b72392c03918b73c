"""What happens to a round: wagers, close, deal, decisions, settlement, pause, void."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from api.orders import Orders
from api.route_table import Answer, Call, CommandRoute
from api.schemas.floor import NoBody
from api.schemas.rounds import (
    DealBody,
    DecisionBody,
    PauseBody,
    ResumeBody,
    SettleBody,
    VoidBody,
    WagerBody,
    WhoBody,
)
from domain.errors import (
    AboveMaximum,
    AlreadySeated,
    AlreadyVoided,
    BelowMinimum,
    BettingClosed,
    CurrencyMismatch,
    DuplicateCard,
    Forbidden,
    InsufficientFunds,
    NotFound,
    SeatTaken,
    WrongPhase,
)
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import answers
from services import commands as c

PLAY = frozenset({"operator", "admin"})
FLOOR = frozenset({"operator", "dealer", "admin"})
DEALER = frozenset({"dealer", "admin"})
PHASE = (NotFound, WrongPhase)


def place(call: Call[WagerBody]) -> c.PlaceWager:
    """Stakes of one call; what is left out is zero."""
    body, side = call.body, call.body.side
    five = side.five_plus_one if side is not None else None
    progressive = side.progressive if side is not None else None
    return c.PlaceWager(call.path["round"], body.player, body.seat, body.ante or 0, five or 0, progressive or 0)


def undo(call: Call[WhoBody]) -> c.UndoWager:
    """The player's last action."""
    return c.UndoWager(call.path["round"], call.body.player)


def leave(call: Call[WhoBody]) -> c.LeaveRound:
    """All of the player's bets."""
    return c.LeaveRound(call.path["round"], call.body.player)


def close(call: Call[NoBody]) -> c.CloseBetting:
    """End of betting."""
    return c.CloseBetting(call.path["round"])


def deal(call: Call[DealBody]) -> c.Deal:
    """The shoe's cards, or those that a live feed names."""
    body = call.body
    seats = None if body.seats is None else tuple((int(seat), tuple(cards)) for seat, cards in body.seats.items())
    return c.Deal(
        call.path["round"],
        None if body.player is None else tuple(body.player),
        seats,
        None if body.dealer is None else tuple(body.dealer),
    )


def decide(call: Call[DecisionBody]) -> c.Decide:
    """Call or fold."""
    return c.Decide(call.path["round"], call.body.player, Decision(call.body.decision.upper()))


def settle(call: Call[SettleBody]) -> c.Settle:
    """Showdown and payment."""
    dealer = call.body.dealer
    return c.Settle(call.path["round"], None if dealer is None else tuple(dealer))


def pause(call: Call[PauseBody]) -> c.Pause:
    """Stop."""
    return c.Pause(call.path["round"], call.body.reason)


def resume(call: Call[ResumeBody]) -> c.Resume:
    """Go on."""
    return c.Resume(call.path["round"], call.body.reason or "")


def void(call: Call[VoidBody]) -> c.Void:
    """Of no effect."""
    body = call.body
    policy = None if body.policy is None else VoidPolicy(body.policy)
    return c.Void(call.path["round"], body.reason or "", policy, body.approver, body.evidence, body.dry_run)


WAGER_REFUSALS = (
    NotFound,
    BettingClosed,
    WrongPhase,
    SeatTaken,
    AlreadySeated,
    BelowMinimum,
    AboveMaximum,
    InsufficientFunds,
    CurrencyMismatch,
)

Row = tuple[str, type, frozenset[str], Callable[[Call[Any]], c.Command], type, str, tuple[type, ...]]

ROWS: tuple[Row, ...] = (
    ("wagers", WagerBody, PLAY, place, answers.WagersAnswer, "Place wagers", WAGER_REFUSALS),
    ("undo", WhoBody, PLAY, undo, answers.WagersAnswer, "Undo the last action", (NotFound, BettingClosed, WrongPhase)),
    ("leave", WhoBody, PLAY, leave, answers.WagersAnswer, "Leave while betting is open", (NotFound, BettingClosed)),
    ("close", NoBody, FLOOR, close, answers.CloseAnswer, "Close betting", (NotFound, BettingClosed, WrongPhase)),
    ("deal", DealBody, FLOOR, deal, answers.DealAnswer, "Deal", (*PHASE, DuplicateCard)),
    ("decisions", DecisionBody, PLAY, decide, answers.DecisionAnswer, "Call or fold", (*PHASE, InsufficientFunds)),
    ("settle", SettleBody, DEALER, settle, answers.SettleAnswer, "Show all cards and pay", (*PHASE, DuplicateCard)),
    ("pause", PauseBody, FLOOR, pause, answers.PhaseAnswer, "Pause for an investigation", PHASE),
    ("resume", ResumeBody, FLOOR, resume, answers.PhaseAnswer, "Resume", PHASE),
    ("void", VoidBody, FLOOR, void, answers.VoidAnswer, "Void", (*PHASE, AlreadyVoided, Forbidden)),
)
"""Last part of the path, body, roles, command, answer, summary, refusals."""

CREATED = {"wagers"}
"""What answers 201."""

BODY_OPTIONAL = {"close", "deal", "settle", "resume"}


def routes(orders: Orders) -> tuple[CommandRoute[Any], ...]:
    """The rows of this resource."""
    return tuple(_route(orders, row) for row in ROWS)


def _route(orders: Orders, row: Row) -> CommandRoute[Any]:
    name, body, roles, command, answer, summary, refusals = row
    status = 201 if name in CREATED else 200

    async def handle(call: Call[Any]) -> Answer:
        return await orders.carry_out(call, command(call), status)

    return CommandRoute(
        "POST",
        f"/v1/rounds/{{round}}/{name}",
        body,
        roles,
        handle,
        body_optional=name in BODY_OPTIONAL,
        success=status,
        answer=answer,
        summary=summary,
        refusals=refusals,
    )
