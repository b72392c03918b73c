"""Bodies about where players are, what they set, and the limits they set themselves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from api.fields import Amount, Body, ClientId
from api.schemas.rounds import SeatNumber

Volume = Annotated[int, Field(ge=0, le=100)]
"""A loudness in percent."""


class JoinBody(Body):
    """Who joins, where, and by which session of a device; `instead_of` is a table that is left for it."""

    player: ClientId
    seat: SeatNumber | None = None
    session: ClientId
    instead_of: ClientId | None = None


class LeaveBody(Body):
    """Who leaves. Where they are named the seat is the player's, and a session that was replaced is refused."""

    player: ClientId
    seat: SeatNumber | None = None
    session: ClientId | None = None


class SettingsBody(Body):
    """Settings to change; what is left out stays."""

    hide_chat: bool | None = None
    side_bets: bool | None = None
    video: Annotated[str, StringConstraints(pattern="^[A-Z0-9_]{1,20}$")] | None = None
    dealer_volume: Volume | None = None
    game_volume: Volume | None = None


class LimitsBody(Body):
    """The player's own highest ante for all games; null for none."""

    ante_max: Amount | None
