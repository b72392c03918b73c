"""What needs two persons, at an operator whose `four_eyes` is `strict`: `boss` proposes, and somebody decides."""

from __future__ import annotations

from domain.approvals import Proposable
from domain.jackpots.upkeep import PoolAccount
from domain.money import MICRO
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.matrix import pools, reconciled, rounds
from tests.matrix.subject import Row, Scene, State, Subject
from tests.support.cards import ACE_KING, PAIR, cards, feed, hand

ANY = tuple(sorted(one.value for one in Proposable))
"""What the roles of who decides may do."""


def _void(at: Scene) -> c.Void:
    return c.Void(at.round or "none", "malfunction", VoidPolicy.CLAW_BACK, None, None, False)


def _dry(at: Scene) -> c.Void:
    return c.Void(at.round or "none", "malfunction", VoidPolicy.CLAW_BACK, None, None, True)


def _adjustment(at: Scene) -> c.AdjustBalance:
    return c.AdjustBalance(at["ann"], -100, "miscount")


def _decision(at: Scene, *, approves: bool) -> c.DecideApproval:
    return c.DecideApproval(at.approval, approves, None if approves else "not agreed", ANY)


async def _propose(at: Scene, command: c.TwoPersonCommand, by: str = "boss") -> None:
    at.approval = (await at.casino.submit(command, actor=by))["approval"]


async def nothing(at: Scene) -> None:
    """A settled round, and nothing proposed."""
    await rounds.settled(at)


async def adjustment(at: Scene) -> None:
    await nothing(at)
    await _propose(at, _adjustment(at))


async def own(at: Scene) -> None:
    await nothing(at)
    await _propose(at, _adjustment(at), at.casino.actor)


async def void(at: Scene) -> None:
    await nothing(at)
    await _propose(at, _void(at))


async def voided_since(at: Scene) -> None:
    """Two proposals for one round, of which the second has been approved."""
    await void(at)
    first = at.approval
    await _propose(at, _void(at))
    await at.casino.submit(_decision(at, approves=True))
    at.approval = first


async def resettlement(at: Scene) -> None:
    await nothing(at)
    hands = tuple(feed({1: hand(PAIR)}))
    await _propose(at, c.Resettle(at.round, None, hands, cards(ACE_KING), VoidPolicy.CLAW_BACK, "misread"))


async def correction(at: Scene) -> None:
    await pools.pool(at)
    await _propose(at, c.CorrectJackpot(at["j"], PoolAccount.METER, 100 * MICRO, "miscount"))


async def transfer(at: Scene) -> None:
    await pools.pool(at)
    await _propose(at, c.TransferJackpot(at["j"], at["k"], PoolAccount.METER, MICRO, "given up"))


async def prize(at: Scene) -> None:
    await pools.pending(at)
    await _propose(at, c.VerifyPrize(at["j"], at.award, "seen"))


async def refusal(at: Scene) -> None:
    await pools.pending(at)
    await _propose(at, c.RefusePrize(at["j"], at.award, "marked cards"))


async def sign_off(at: Scene) -> None:
    await nothing(at)
    await at.casino.submit(reconciled.prepared_day(at), actor="clerk", status=201)
    await _propose(at, reconciled.signed(at, None))


async def approved(at: Scene) -> None:
    await adjustment(at)
    await at.casino.submit(_decision(at, approves=True))


async def rejected(at: Scene) -> None:
    await adjustment(at)
    await at.casino.submit(_decision(at, approves=False))


async def withdrawn(at: Scene) -> None:
    await own(at)
    await at.casino.submit(_decision(at, approves=False))


CALL = "POST /v1/approvals/{approval}"
SUBJECT = Subject(
    "A proposal",
    "`four_eyes` of the operator is `strict`; a round is settled, a player has money. Another person has proposed.",
    {
        "unheard of": State("nothing was proposed", nothing),
        "adjustment": State("a balance is to be adjusted by -1.00", adjustment),
        "own": State("the same, proposed by the caller", own),
        "void": State("the round is to be voided", void),
        "voided since": State("the round was to be voided twice, and the other proposal was approved", voided_since),
        "resettlement": State("the round is to be settled again", resettlement),
        "correction": State("a pool is to be corrected by 1.00", correction),
        "transfer": State("money is to go from one pool to another", transfer),
        "prize": State("a pending prize is to be paid", prize),
        "refusal": State("a pending prize is to be refused", refusal),
        "sign-off": State("a gaming day that a third person prepared is to be sealed", sign_off),
        "approved": State("the adjustment was approved", approved),
        "rejected": State("the adjustment was rejected", rejected),
        "withdrawn": State("the caller proposed the adjustment, and took it back", withdrawn),
    },
    (
        Row("approve", CALL, lambda at: _decision(at, approves=True)),
        Row("reject", CALL, lambda at: _decision(at, approves=False)),
        Row("propose a void", rounds.ROUND + "void", _void),
        Row("void, dry run", rounds.ROUND + "void", _dry),
        Row("propose an adjustment", "POST /v1/players/{player}/adjustments", _adjustment, 201),
        Row("adjust, approved by oneself", "POST /v1/players/{player}/adjustments",
            lambda at: c.AdjustBalance(at["ann"], -100, "miscount", at.casino.actor), 201),
    ),
    is_strict=True,
)  # fmt: skip
