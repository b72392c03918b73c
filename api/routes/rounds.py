"""What happens to a round: wagers, close, deal, decisions, settlement, pause, void."""

from __future__ import annotations

from api.route_table import Call
from api.routes.row import CASHIER, DEALER, FLOOR, Row
from api.schemas.floor import NoBody
from api.schemas.rounds import (
    DealBody,
    DecisionBody,
    PauseBody,
    ResettleBody,
    ResolveBody,
    ResumeBody,
    ScanBody,
    ScanCorrectionBody,
    SettleBody,
    VoidBody,
    WagerBody,
    WhoBody,
)
from domain.approvals import Proposable
from domain.errors import (
    AboveMaximum,
    AlreadySeated,
    AlreadyVoided,
    BelowMinimum,
    BettingClosed,
    CardOutOfPlace,
    CurrencyMismatch,
    DuplicateCard,
    Forbidden,
    InsufficientFunds,
    Invalid,
    LimitReached,
    NotFound,
    SeatTaken,
    TableLimit,
    WrongPhase,
)
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import answers
from services import commands as c

PHASE = (NotFound, WrongPhase)
BETTING = (NotFound, BettingClosed, WrongPhase)
ACT = (*BETTING, Forbidden)


def place(call: Call[WagerBody]) -> c.PlaceWager:
    """Stakes of one call; what is left out is zero."""
    body, side = call.body, call.body.side
    five = side.five_plus_one if side is not None else None
    progressive = side.progressive if side is not None else None
    return c.PlaceWager(
        call.path["round"], body.player, body.seat, body.ante or 0, five or 0, progressive or 0, body.session
    )


def undo(call: Call[WhoBody]) -> c.UndoWager:
    """The player's last action."""
    return c.UndoWager(call.path["round"], call.body.player, call.body.session)


def double(call: Call[WhoBody]) -> c.DoubleWagers:
    """All that lies on the spots."""
    return c.DoubleWagers(call.path["round"], call.body.player, call.body.session)


def repeat(call: Call[WhoBody]) -> c.RepeatWagers:
    """The bets of the table's previous round."""
    return c.RepeatWagers(call.path["round"], call.body.player, call.body.session)


def pass_(call: Call[WhoBody]) -> c.PassRound:
    """Skip the deal."""
    return c.PassRound(call.path["round"], call.body.player, call.body.session)


def leave(call: Call[WhoBody]) -> c.LeaveRound:
    """All of the player's bets."""
    return c.LeaveRound(call.path["round"], call.body.player, call.body.session)


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


def scan(call: Call[ScanBody]) -> c.ScanCard:
    """One card."""
    body = call.body
    return c.ScanCard(call.path["round"], body.to, body.number, body.card, body.hold)


def correct_scan(call: Call[ScanCorrectionBody]) -> c.CorrectScan:
    """One card put right."""
    body = call.body
    return c.CorrectScan(call.path["round"], body.to, body.number, body.card, body.reason)


def decide(call: Call[DecisionBody]) -> c.Decide:
    """Call or fold."""
    body = call.body
    return c.Decide(call.path["round"], body.player, Decision(body.decision.upper()), body.session)


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
    wagers = tuple(body.wagers or ())
    if body.after is not None and (wagers or not body.dry_run):
        raise Invalid("goes on with the list of a dry_run of the whole round", field="after")
    return c.Void(
        call.path["round"], body.reason or "", policy, body.approver, body.evidence, body.dry_run, wagers, body.after
    )


def resettle(call: Call[ResettleBody]) -> c.Resettle:
    """Corrected cards."""
    body = call.body
    seats = None if body.seats is None else tuple((int(seat), tuple(cards)) for seat, cards in body.seats.items())
    shared = None if body.player is None else tuple(body.player)
    policy = VoidPolicy(body.policy)
    return c.Resettle(call.path["round"], shared, seats, tuple(body.dealer), policy, body.reason, body.approver)


def resolve(call: Call[ResolveBody]) -> c.Resolve:
    """End of a review."""
    return c.Resolve(call.path["round"], VoidPolicy(call.body.policy))


def own_view(call: Call[WagerBody], _: bytes) -> str:
    """Of a player's wagers in a round."""
    return f"/v1/rounds/{call.path['round']}/players/{call.body.player}"


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
    TableLimit,
    LimitReached,
    Forbidden,
)

ROUND = "/v1/rounds/{round}"

ROWS = (
    Row(
        f"{ROUND}/wagers", WagerBody, CASHIER, place, answers.WagersAnswer,
        "Place wagers", WAGER_REFUSALS, created=True, location=own_view,
    ),
    Row(f"{ROUND}/undo", WhoBody, CASHIER, undo, answers.WagersAnswer, "Undo the last action", ACT),
    Row(f"{ROUND}/double", WhoBody, CASHIER, double, answers.WagersAnswer, "Double the bets, once", WAGER_REFUSALS),
    Row(f"{ROUND}/repeat", WhoBody, CASHIER, repeat, answers.WagersAnswer, "Repeat the last bets", WAGER_REFUSALS),
    Row(f"{ROUND}/pass", WhoBody, CASHIER, pass_, answers.WagersAnswer, "Skip this deal", ACT),
    Row(f"{ROUND}/leave", WhoBody, CASHIER, leave, answers.WagersAnswer, "Leave while betting is open", ACT),
    Row(
        f"{ROUND}/close", NoBody, FLOOR, close, answers.CloseAnswer,
        "Close betting", BETTING, body_optional=True,
    ),
    Row(
        f"{ROUND}/deal", DealBody, FLOOR, deal, answers.DealAnswer,
        "Deal", (*PHASE, DuplicateCard), body_optional=True,
    ),
    Row(
        f"{ROUND}/cards", ScanBody, DEALER, scan, answers.ScanAnswer,
        "Scan the next card", (*PHASE, DuplicateCard, CardOutOfPlace),
    ),
    Row(
        f"{ROUND}/cards/corrections", ScanCorrectionBody, DEALER, correct_scan, answers.ScanAnswer,
        "Put a misread card right", (*PHASE, DuplicateCard),
    ),
    Row(
        f"{ROUND}/decisions", DecisionBody, CASHIER, decide, answers.DecisionAnswer,
        "Call or fold", (*PHASE, InsufficientFunds, Forbidden),
    ),
    Row(
        f"{ROUND}/settle", SettleBody, DEALER, settle, answers.SettleAnswer,
        "Show all cards and pay", (*PHASE, DuplicateCard), body_optional=True,
    ),
    Row(f"{ROUND}/pause", PauseBody, FLOOR, pause, answers.PhaseAnswer, "Pause for an investigation", PHASE),
    Row(
        f"{ROUND}/resume", ResumeBody, FLOOR, resume, answers.PhaseAnswer,
        "Resume", PHASE, body_optional=True,
    ),
    Row(
        f"{ROUND}/void", VoidBody, FLOOR, void, answers.VoidAnswer,
        "Void", (*PHASE, AlreadyVoided, Forbidden), proposes=Proposable.VOID,
    ),
    Row(
        f"{ROUND}/resettle", ResettleBody, FLOOR, resettle, answers.ResettleAnswer,
        "Settle again on corrected cards", (*PHASE, AlreadyVoided, Forbidden, DuplicateCard),
        proposes=Proposable.RESETTLE,
    ),
    Row(f"{ROUND}/void/resolve", ResolveBody, FLOOR, resolve, answers.ResolveAnswer, "Decide what is held", PHASE),
)  # fmt: skip
"""The rows of this resource."""
