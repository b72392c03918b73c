"""Tables, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import Limits


class TableAnswer(Answer):
    """A table in the lobby. `seats` is how many there are (None: as many as come), `seats_taken` which are taken:
    by a bet in the open round, or by a player who has joined. `players` have bets in the open round. A table
    without `multi_game` is played beside no other: show no "+" for it. A `disabled` one opens no further round,
    and where `jackpot_disabled` its pool takes no wagers (R14, R22): show them as unavailable.
    """

    table: str
    ruleset: str
    currency: str
    exponent: int
    ante_min: int
    ante_max: int
    limits: Limits
    card_source: str
    pace: str
    multi_game: bool
    seats: int | None
    seats_taken: list[int]
    players: int
    round: str | None
    game_number: str | None
    phase: str | None
    closes_at: str | None
    jackpot: str | None
    meter: int | None
    meter_micro: int | None
    chat: str
    disabled: bool
    jackpot_disabled: bool | None


class TableAnswerPage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[TableAnswer]
    next: str | None
    position: int
