"""The settlement calculator: one JSON line in, one JSON line out, no database and no limits of a table.

A line that is wrong is answered with an error in its place that names the field; nothing that a line can hold
raises out of `answer_line`.
"""

from __future__ import annotations

import json
from typing import Final, assert_never

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.money import MICRO, POOL_MINOR_LIMIT, whole_minor
from domain.pools import Balances, PrizeFunding, fixed_prize, percentage_prize, reset
from domain.rules import FixedPrize, HandMode, MeterPrize, Prize
from domain.settlement import SeatResult, Showdown, settle, show
from services.calculator_request import Request, Seat, parse_line, read_id, read_request

_CEILING_MICRO: Final = POOL_MINOR_LIMIT * MICRO
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Answer:
    """The line that goes out, without its line break, and whether the line that came in was right."""

    line: bytes
    accepted: bool


def answer_line(line: bytes) -> Answer:
    """Settle one line. A wrong one is answered with `{"id", "error": {"code", "detail"}}`."""
    name: str | None = None
    try:
        body = parse_line(line)
        name = read_id(body)
        return Answer(_encoded(_calculate(name, read_request(body))), accepted=True)
    except Invalid as wrong:
        error = {"code": wrong.code, "detail": wrong.detail}
        return Answer(_encoded({"id": name, "error": error}), accepted=False)


def _encoded(body: dict[str, object]) -> bytes:
    return _ENCODER.encode(body).encode("utf-8")


def _calculate(name: str, request: Request) -> dict[str, object]:
    showdowns = _showdowns(request)
    head = {"dealer_hand": showdowns[0].dealer.category.value, "qualifies": showdowns[0].qualifies}
    answers = _settled(request, showdowns)
    if request.many:
        return {"id": name, **head, "seats": answers}
    return {"id": name, "player_hand": answers[0].pop("player_hand"), **head, **answers[0]}


def _showdowns(request: Request) -> list[Showdown]:
    """Each seat's showdown; a shared hand is compared once for all."""
    if request.ruleset.hand_mode is HandMode.SHARED:
        return [show(request.ruleset, request.seats[0].cards, request.dealer)] * len(request.seats)
    return [show(request.ruleset, seat.cards, request.dealer) for seat in request.seats]


def _settled(request: Request, showdowns: list[Showdown]) -> list[dict[str, object]]:
    """The seats' answers in the order of payment; each progressive winner finds the meter that the last one left."""
    balances = Balances(request.meter_minor * MICRO)
    answers: list[dict[str, object]] = []
    for seat, showdown in zip(request.seats, showdowns, strict=True):
        result = settle(request.ruleset, showdown, seat.stakes, seat.decision)
        prize_minor, balances = _award(balances, result.prize, request.reset_minor)
        answers.append(_seat_answer(seat, showdown, result, prize_minor, whole_minor(balances.meter_micro)))
    return answers


def _award(balances: Balances, prize: Prize | None, reset_minor: int) -> tuple[int, Balances]:
    match prize:
        case None:
            return 0, balances
        case FixedPrize():
            award = fixed_prize(balances, prize.amount_minor, PrizeFunding.HOUSE, _CEILING_MICRO)
            return award.prize_minor, award.after
        case MeterPrize():
            award = percentage_prize(balances, prize, _CEILING_MICRO)
            after = reset(award.after, reset_minor, _CEILING_MICRO).after if prize.takes_all else award.after
            return award.prize_minor, after
        case _:
            assert_never(prize)


def _seat_answer(
    seat: Seat, showdown: Showdown, result: SeatResult, prize_minor: int, meter_minor: int
) -> dict[str, object]:
    payout = {"ante": result.ante_payout_minor, "call": result.call_payout_minor}
    if seat.stakes.five_plus_one_minor:
        payout["five_plus_one"] = result.five_plus_one_payout_minor
    if seat.stakes.progressive_minor:
        payout["progressive"] = prize_minor
    returned = sum(payout.values())
    answer: dict[str, object] = {
        "player_hand": showdown.player.category.value,
        "decision": seat.decision.value,
        "decided_by": seat.decided_by.value,
        "outcome": result.outcome.value,
        "payout": payout,
        "staked": result.staked_minor,
        "returned": returned,
        "net": returned - result.staked_minor,
    }
    if seat.stakes.progressive_minor:
        answer["meter_after"] = meter_minor
    return answer
