"""Audit, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal

from ..answer import Answer


class ComparedWager(Answer):
    """The payout of one kind of wager at a seat, the stake included where it is returned; minor units."""

    kind: str
    stake: int
    expected: int | None
    recorded: int


class ComparedSeat(Answer):
    """A seat settled twice. `prize_...` is the progressive one, `pending` says that it waits or waited."""

    player: str
    seat: int | None
    position: int
    cards: list[str]
    hand: str
    decision: str | None
    decided_by: str | None
    outcome: str
    wagers: list[ComparedWager]
    prize_expected: int | None
    prize_recorded: int
    pending: bool


class PoolStep(Answer):
    """A move of the pool as the second settlement has it: FIXED, PERCENT_10, PERCENT_100, or RESET."""

    kind: str
    player: str | None
    seat: int | None
    hand: str | None
    prize: int
    pool_micro: int
    house_micro: int
    pending: bool
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


class ComparedSettlement(Answer):
    """One settlement: the first (SHOWDOWN), or one on corrected cards (RESETTLEMENT). `refused` says why the
    second settlement takes the round for none of its game.
    """

    position: int
    cause: str
    dealer: list[str]
    dealer_hand: str | None
    qualifies: bool | None
    refused: str | None
    seats: list[ComparedSeat]
    pool: list[PoolStep]


class Difference(Answer):
    """Something that the log says and the replay does not. `kind` is the kind of wager (`ANTE`, `CALL`, `SIDE`,
    `PROGRESSIVE`), or `HAND`, `OUTCOME`, `DECISION`, `CARDS`, `TOTAL`, `HOLD`, `WALLET`, `POOL`,
    `CONTRIBUTION`, `VOID`, `RULES`, `MISSING`; `what` says it in words. Amounts are minor units where `what`
    does not say micro-units.
    """

    position: int
    player: str | None
    seat: int | None
    kind: str
    what: str
    expected: int | str | bool | None
    recorded: int | str | bool | None


class LaidCard(Answer):
    """A card in clear and its place."""

    to: str
    number: int
    card: str


class LedgerLine(Answer):
    """One posting; amounts are decimal strings of micro-units. `balance_micro` is the account's balance after it
    as the event states it (players' and pools' accounts; None for the house's), `round_micro` what the round
    has moved on the account until then. Lines of one `command` and `entry` sum to zero.
    """

    account: str
    currency: str
    amount_micro: str
    balance_micro: str | None
    round_micro: str


class MeterMove(Answer):
    """What a pool's three accounts changed by, and what they hold after it, in micro-units."""

    jackpot: str
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


class MisreadCard(Answer):
    """What the scanner had read at a place, and the card that lay there."""

    to: str
    number: int
    read: str
    card: str
    reason: str


class StepWager(Answer):
    """A wager that a step is about, in minor units; `payout` is None where nothing was paid or lost yet."""

    wager: str
    kind: str
    stake: int
    payout: int | None


class PoolTerms(Answer):
    """Parameters of a pool. Money in minor units, rates in parts per million (six decimals)."""

    jackpot: str
    ruleset: str
    currency: str
    seed_minor: int
    reset_minor: int
    increment_ppm: int
    reserve_ppm: int
    ceiling_minor: int
    fixed_prize_funding: Literal["HOUSE", "POOL"] | str
    multi_winner_policy: Literal["SEQUENTIAL", "FULL_TO_EACH", "EQUAL_SPLIT"] | str
    handpay_threshold_minor: int | None


class VoidedSeat(Answer):
    """What a void turned back at a seat; minor units."""

    position: int
    player: str
    seat: int | None
    stage: str
    wagers: list[str]
    refund: int
    owed: int
    taken: int
    loss: int


class ShownCards(Answer):
    """Cards that became visible with a step. `to` is ALL, STUDIO or a player; `hand` is `dealer`, `player` (the
    one for all) or `seat 3`.
    """

    to: str
    hand: str
    cards: list[str | None]


class Step(Answer):
    """One event of the round. `at` is when it was recorded, `effective_at` when it counts; `actor` is who caused
    it, `decided_by` (PLAYER, SYSTEM, STAFF) is set where something was decided. `text` says it in words.
    """

    position: int
    at: str
    effective_at: str
    actor: str
    decided_by: str | None
    event: str
    command: str
    entry: int
    player: str | None
    seat: int | None
    text: str
    cards: list[ShownCards]
    wagers: list[StepWager]
    lines: list[LedgerLine]
    meter: MeterMove | None


class Replay(Answer):
    """A replay. `equal` says that all of `compared` values are as recorded; `differences` names the others. With
    `next` there are more seats: the next page has their steps and settlements. `position` is how far the log
    was read. Cards that are not public yet are None.
    """

    replay: bool
    notice: str
    operator: str
    round: str
    game_number: str
    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    exponent: int
    jackpot: str | None
    phase: str
    opened_at: str
    software_version: str
    build: str
    commitment: str | None
    deck: list[str] | None
    salt: str | None
    steps: list[Step]
    settlements: list[ComparedSettlement]
    voids: list[VoidedSeat]
    equal: bool
    compared: int
    differences_count: int
    differences: list[Difference]
    next: str | None
    position: int
