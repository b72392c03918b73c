"""Tables joined and left, settings, own limits."""

from __future__ import annotations

from api.route_table import Call
from api.routes.row import CASHIER, Row
from api.schemas.presence import JoinBody, LeaveBody, LimitsBody, SettingsBody
from domain.errors import AlreadySeated, CurrencyMismatch, Forbidden, LimitReached, NotFound, SeatTaken, TableLimit
from services import answers
from services import commands as c


def join(call: Call[JoinBody]) -> c.JoinTable:
    """At a table."""
    body = call.body
    return c.JoinTable(call.path["table"], body.player, body.seat, body.session, body.instead_of)


def leave(call: Call[LeaveBody]) -> c.LeaveTable:
    """Away from it."""
    return c.LeaveTable(call.path["table"], call.body.player, call.body.session, call.body.seat)


def settings(call: Call[SettingsBody]) -> c.SetSettings:
    """Changed settings."""
    body = call.body
    return c.SetSettings(
        call.path["player"], body.hide_chat, body.side_bets, body.video, body.dealer_volume, body.game_volume
    )


def limits(call: Call[LimitsBody]) -> c.SetLimit:
    """A changed limit."""
    return c.SetLimit(call.path["player"], call.body.ante_max)


JOIN_REFUSALS = (NotFound, SeatTaken, AlreadySeated, TableLimit, CurrencyMismatch, Forbidden)
LEAVE_REFUSALS = (NotFound, Forbidden)

ROWS = (
    Row("/v1/tables/{table}/join", JoinBody, CASHIER, join, answers.JoinAnswer, "Join a table", JOIN_REFUSALS),
    Row("/v1/tables/{table}/leave", LeaveBody, CASHIER, leave, answers.LeaveAnswer, "Leave a table", LEAVE_REFUSALS),
    Row(
        "/v1/players/{player}/settings", SettingsBody, CASHIER, settings, answers.SettingsAnswer,
        "Change settings", (NotFound,), method="PATCH",
    ),
    Row(
        "/v1/players/{player}/limits", LimitsBody, CASHIER, limits, answers.LimitAnswer,
        "Change the player's own limit", (NotFound, LimitReached), method="PATCH",
    ),
)  # fmt: skip
"""The rows of this resource."""
