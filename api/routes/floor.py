"""Jackpots, tables, and the rounds that open on them."""

from __future__ import annotations

import orjson

from api.route_table import Call
from api.routes.row import FLOOR, MANAGERS, Row
from api.schemas.floor import JackpotBody, NoBody, TableBody
from domain.errors import AlreadyExists, CurrencyMismatch, NotFound, WrongPhase
from domain.jackpots.events import PoolTerms
from domain.money import Rate, parse_rate
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.variants import ruleset
from services import answers
from services.commands import OpenJackpot, OpenRound, OpenTable


def open_jackpot(call: Call[JackpotBody]) -> OpenJackpot:
    """A new pool; the rate left out is the preset of the rule set."""
    body = call.body
    rules = ruleset(body.ruleset)
    preset = Rate(0) if rules.progressive is None else rules.progressive.preset_increment_rate
    increment = preset if body.increment_rate is None else parse_rate(body.increment_rate, "increment_rate")
    terms = PoolTerms(
        jackpot=body.jackpot,
        ruleset=body.ruleset,
        currency=body.currency,
        seed_minor=body.seed,
        reset_minor=body.reset,
        increment_ppm=increment.ppm,
        reserve_ppm=parse_rate(body.reserve_rate, "reserve_rate").ppm,
        ceiling_minor=body.ceiling,
        fixed_prize_funding=PrizeFunding(body.fixed_prize_funding),
        multi_winner_policy=MultiWinnerPolicy(body.multi_winner_policy),
        handpay_threshold_minor=body.handpay_threshold,
    )
    return OpenJackpot(terms, handpay_stated="handpay_threshold" in body.model_fields_set)


def open_table(call: Call[TableBody]) -> OpenTable:
    """A new table; what is left out is settled by the rule set."""
    body = call.body
    return OpenTable(
        table=body.table,
        ruleset=body.ruleset,
        currency=body.currency,
        ante_min_minor=body.ante_min,
        ante_max_minor=body.ante_max,
        side_min_minor=body.side_min,
        side_max_minor=body.side_max,
        total_max_minor=body.total_max,
        jackpot=body.jackpot,
        card_source=body.card_source,
        pace=body.pace,
        call_reserve=body.call_reserve,
        below_min_policy=body.below_min_policy,
        timeout_policy=body.timeout_policy,
        betting_seconds=body.betting_seconds,
        closing_soon_seconds=body.closing_soon_seconds,
        decision_seconds=body.decision_seconds,
        pause_seconds=body.pause_seconds,
        abandon_seconds=body.abandon_seconds,
        multi_game=body.multi_game,
        chat=body.chat,
    )


def open_round(call: Call[NoBody]) -> OpenRound:
    """The table's next round."""
    return OpenRound(call.path["table"])


def pool(call: Call[JackpotBody], _: bytes) -> str:
    """Of a new pool."""
    return f"/v1/jackpots/{call.body.jackpot}"


def lobby(_: Call[TableBody], __: bytes) -> str:
    """Of a new table."""
    return "/v1/tables"


def round_(_: Call[NoBody], answer: bytes) -> str:
    """Of a new round, whose id is ours."""
    return f"/v1/rounds/{orjson.loads(answer)['round']}"


ROWS = (
    Row(
        "/v1/jackpots", JackpotBody, MANAGERS, open_jackpot, answers.JackpotAnswer,
        "Open a progressive jackpot", (AlreadyExists, CurrencyMismatch), created=True,
        location=pool,
    ),
    Row(
        "/v1/tables", TableBody, MANAGERS, open_table, answers.TableAnswer,
        "Open a table", (AlreadyExists, CurrencyMismatch, NotFound), created=True,
        location=lobby,
    ),
    Row(
        "/v1/tables/{table}/rounds", NoBody, FLOOR, open_round, answers.RoundAnswer,
        "Open the table's next round", (NotFound, WrongPhase), created=True, body_optional=True,
        location=round_,
    ),
)  # fmt: skip
"""The rows of this resource."""
