"""Staff at the pools, and what is in service."""

from __future__ import annotations

from api.route_table import Call
from api.routes.row import BOOKKEEPERS, MANAGERS, Row
from api.schemas.upkeep import ChangeBody, MoneyBody, OneDeviceBody, PrizeBody, ServiceBody, TransferBody
from domain.approvals import Proposable
from domain.errors import AlreadyVoided, CurrencyMismatch, Forbidden, NotFound, WrongPhase
from domain.jackpots.upkeep import PoolAccount
from domain.money import Rate, parse_rate
from domain.pools import MultiWinnerPolicy, PrizeFunding
from services import answers
from services import commands as c


def correct(call: Call[MoneyBody]) -> c.CorrectJackpot:
    """A correction."""
    body = call.body
    account, amount = PoolAccount(body.account), int(body.amount_micro)
    return c.CorrectJackpot(call.path["jackpot"], account, amount, body.reason, body.approver)


def transfer(call: Call[TransferBody]) -> c.TransferJackpot:
    """A transfer."""
    body = call.body
    account, amount = PoolAccount(body.account), int(body.amount_micro)
    return c.TransferJackpot(call.path["jackpot"], body.to, account, amount, body.reason, body.approver)


def change(call: Call[ChangeBody]) -> c.ChangeJackpot:
    """New parameters."""
    body = call.body
    return c.ChangeJackpot(
        jackpot=call.path["jackpot"],
        reset_minor=body.reset,
        increment=_rate(body.increment_rate, "increment_rate"),
        reserve=_rate(body.reserve_rate, "reserve_rate"),
        ceiling_minor=body.ceiling,
        fixed_prize_funding=None if body.fixed_prize_funding is None else PrizeFunding(body.fixed_prize_funding),
        multi_winner_policy=None if body.multi_winner_policy is None else MultiWinnerPolicy(body.multi_winner_policy),
        handpay_stated="handpay_threshold" in body.model_fields_set,
        handpay_threshold_minor=body.handpay_threshold,
        reason=body.reason,
    )


def _rate(text: str | None, field: str) -> Rate | None:
    return None if text is None else parse_rate(text, field)


def verify(call: Call[PrizeBody]) -> c.VerifyPrize:
    """Pay."""
    return c.VerifyPrize(call.path["jackpot"], call.path["award"], call.body.reason, call.body.approver)


def refuse(call: Call[PrizeBody]) -> c.RefusePrize:
    """Do not pay."""
    return c.RefusePrize(call.path["jackpot"], call.path["award"], call.body.reason, call.body.approver)


def disable(call: Call[ServiceBody]) -> c.SetService:
    """Out of service."""
    return c.SetService(c.Scope(call.body.scope), call.body.id or "", True, call.body.reason)


def enable(call: Call[ServiceBody]) -> c.SetService:
    """Back in service."""
    return c.SetService(c.Scope(call.body.scope), call.body.id or "", False, call.body.reason)


def one_device(call: Call[OneDeviceBody]) -> c.SetOneDevice:
    """One device overall, or one at each table."""
    return c.SetOneDevice(call.body.one_device, call.body.reason)


POOL = "/v1/jackpots/{jackpot}"
AWARD = f"{POOL}/awards/{{award}}"
STAFF = (NotFound, Forbidden)

ROWS = (
    Row(
        f"{POOL}/corrections", MoneyBody, BOOKKEEPERS, correct, answers.UpkeepAnswer,
        "Correct a pool", STAFF, proposes=Proposable.CORRECT,
    ),
    Row(
        f"{POOL}/transfers", TransferBody, BOOKKEEPERS, transfer, answers.UpkeepAnswer,
        "Move money to another pool", (*STAFF, CurrencyMismatch), proposes=Proposable.TRANSFER,
    ),
    Row(
        POOL, ChangeBody, MANAGERS, change, answers.TermsAnswer,
        "Change a pool's parameters", (NotFound,), method="PATCH",
    ),
    Row(
        f"{AWARD}/verify", PrizeBody, BOOKKEEPERS, verify, answers.PrizeAnswer,
        "Pay a pending prize", (*STAFF, WrongPhase, AlreadyVoided), proposes=Proposable.VERIFY,
    ),
    Row(
        f"{AWARD}/refuse", PrizeBody, BOOKKEEPERS, refuse, answers.PrizeAnswer,
        "Refuse a pending prize", (*STAFF, WrongPhase, AlreadyVoided), proposes=Proposable.REFUSE,
    ),
    Row(
        "/v1/disable", ServiceBody, MANAGERS, disable, answers.ServiceAnswer,
        "Take out of service", (NotFound, WrongPhase),
    ),
    Row(
        "/v1/enable", ServiceBody, MANAGERS, enable, answers.ServiceAnswer,
        "Put back into service", (NotFound, WrongPhase),
    ),
    Row(
        "/v1/one-device", OneDeviceBody, MANAGERS, one_device, answers.OneDeviceAnswer,
        "Let players be at tables by one device alone", (WrongPhase,),
    ),
)  # fmt: skip
"""The rows of this resource."""
