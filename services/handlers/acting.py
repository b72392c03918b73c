"""Who acts for a player: one connection at a table, the newest, for every act of the player (S0-50, C29)."""

from __future__ import annotations

from domain import players
from domain.rounds.decider import Round
from services.desk import Desk


def acting(desk: Desk, round_id: str, player: str, session: str | None) -> Round:
    """The round that the player acts in; Forbidden for a session that another device's join has replaced.

    An operator that keeps sessions itself names none, and nothing is looked at.
    """
    round_ = desk.round(round_id)
    if session is not None:
        players.check_session(desk.find_player(player), round_.terms.table, session, one_device=desk.one_device)
    return round_
