"""Tables: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class JoinBody(TypedDict):
    """Who joins, where, and by which session of a device; `instead_of` is a table that is left for it."""

    player: str
    seat: NotRequired[int | None]
    session: str
    instead_of: NotRequired[str | None]


class LeaveBody(TypedDict):
    """Who leaves. Where they are named the seat is the player's, and a session that was replaced is refused."""

    player: str
    seat: NotRequired[int | None]
    session: NotRequired[str | None]


class TableBody(TypedDict):
    """A table's terms; limits in minor units for the sum of a spot."""

    table: str
    ruleset: Literal["live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"]
    currency: str
    ante_min: int
    ante_max: int
    side_min: NotRequired[int | None]
    side_max: NotRequired[int | None]
    total_max: NotRequired[int | None]
    jackpot: NotRequired[str | None]
    card_source: NotRequired[Literal["SHOE", "FEED"]]
    pace: NotRequired[Literal["AUTO", "MANUAL"]]
    call_reserve: NotRequired[Literal["FULL", "NONE"]]
    below_min_policy: NotRequired[Literal["REJECT_AT_CLOSE", "RAISE_TO_MIN"] | None]
    timeout_policy: NotRequired[Literal["FOLD", "BET_IF_PAIR_OR_BETTER"] | None]
    betting_seconds: NotRequired[int]
    closing_soon_seconds: NotRequired[int]
    decision_seconds: NotRequired[int | None]
    pause_seconds: NotRequired[int]
    abandon_seconds: NotRequired[int]
    multi_game: NotRequired[bool]
    chat: NotRequired[Literal["ON", "OFF", "SYSTEM_ONLY"] | None]
