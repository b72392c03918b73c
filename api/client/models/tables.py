"""Tables: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class DoneRoundAnswer(Answer):
    """A round that was opened."""

    round: str
    table: str
    game_number: str
    phase: str
    commitment: str | None
    position: int


class DoneTableAnswer(Answer):
    """A table that was opened, with the terms in force."""

    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    ante_min: int
    ante_max: int
    jackpot: str | None
    card_source: str
    pace: str
    below_min_policy: str
    timeout_policy: str
    call_reserve: str
    decision_seconds: int
    multi_game: bool
    chat: str
    position: int


class JoinAnswer(Answer):
    """At the table; `waits` tells that a hand is under way and the next round is the first to play (S3-08)."""

    table: str
    player: str
    seat: int | None
    session: str
    replaced: bool
    waits: bool
    position: int


class LeaveAnswer(Answer):
    """No longer at the table; `declined` is what came back of bets while betting was open (S0-31)."""

    table: str
    player: str
    declined: int
    position: int
