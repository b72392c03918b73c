"""Jackpots: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class ChangeBody(TypedDict):
    """New parameters of a pool; what is left out stays."""

    reset: NotRequired[int | None]
    increment_rate: NotRequired[str | None]
    reserve_rate: NotRequired[str | None]
    ceiling: NotRequired[int | None]
    fixed_prize_funding: NotRequired[Literal["HOUSE", "POOL"] | None]
    multi_winner_policy: NotRequired[Literal["SEQUENTIAL", "FULL_TO_EACH", "EQUAL_SPLIT"] | None]
    handpay_threshold: NotRequired[int | None]
    reason: str


class JackpotBody(TypedDict):
    """A pool's parameters; amounts in minor units, rates as decimal strings."""

    jackpot: str
    ruleset: Literal["live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"]
    currency: str
    seed: int
    reset: int
    increment_rate: NotRequired[str | None]
    reserve_rate: NotRequired[str]
    ceiling: NotRequired[int]
    fixed_prize_funding: NotRequired[Literal["HOUSE", "POOL"]]
    multi_winner_policy: NotRequired[Literal["SEQUENTIAL", "FULL_TO_EACH", "EQUAL_SPLIT"]]
    handpay_threshold: NotRequired[int | None]


class MoneyBody(TypedDict):
    """A correction of one of a pool's accounts; `approver` is another person than the caller, required with
    `four_eyes` `named`.
    """

    amount_micro: str
    account: NotRequired[Literal["m", "res", "ovf"]]
    reason: str
    approver: NotRequired[str | None]


class PrizeBody(TypedDict):
    """Who has seen the hand; `approver` is required with `four_eyes` `named`."""

    reason: str
    approver: NotRequired[str | None]


class TransferBody(TypedDict):
    """The same, to another pool."""

    amount_micro: str
    account: NotRequired[Literal["m", "res", "ovf"]]
    reason: str
    approver: NotRequired[str | None]
    to: str
