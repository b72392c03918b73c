"""Jackpots, and prizes that wait for two persons."""

from __future__ import annotations

from dataclasses import replace

from domain.jackpots.events import PoolTerms
from domain.jackpots.upkeep import PoolAccount
from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.pools import MultiWinnerPolicy, PrizeFunding
from services import commands as c
from tests.domain.showdowns import EURO, LAND
from tests.matrix import rounds
from tests.matrix.floor import TERMS
from tests.matrix.subject import Row, Scene, State, Subject
from tests.support.cards import ROYAL, hand
from tests.support.office import UNCHANGED

POOL = "/v1/jackpots/{jackpot}"
SEED = 100_000


def terms(at: Scene, **more: object) -> PoolTerms:
    """Seed and reset 1,000.00, no hand pay."""
    usual = PoolTerms(
        at["j"], EURO, "EUR", SEED, SEED, 400_000, 0, POOL_MINOR_LIMIT, PrizeFunding.HOUSE,
        MultiWinnerPolicy.SEQUENTIAL, None,
    )  # fmt: skip
    return replace(usual, **more)


async def no_pool(at: Scene) -> None:
    """Another pool, and ann with money."""
    await at.money("ann", 10_000)
    await at.casino.submit(c.OpenJackpot(terms(at, jackpot=at["k"]), True), status=201)
    await at.casino.submit(c.OpenJackpot(terms(at, jackpot=at["usd"], ruleset=LAND, currency="USD"), True), status=201)


async def pool(at: Scene) -> None:
    await no_pool(at)
    await at.casino.submit(c.OpenJackpot(terms(at), True), status=201)
    await at.casino.table(at["t"], EURO, jackpot=at["j"])
    at.round = await at.casino.round(at["t"])


async def waiting(at: Scene) -> None:
    await pool(at)
    await at.casino.change(at["j"], reset_minor=50_000)


async def stopped(at: Scene) -> None:
    await pool(at)
    await at.casino.disable(c.Scope.JACKPOT, at["j"])


def _money(at: Scene, micro: int, account: PoolAccount = PoolAccount.METER) -> c.CorrectJackpot:
    return c.CorrectJackpot(at["j"], account, micro, "miscount", "boss")


def _move(at: Scene, to: str, micro: int = MICRO) -> c.TransferJackpot:
    return c.TransferJackpot(at["j"], at[to], PoolAccount.METER, micro, "given up", "boss")


def _service(at: Scene, *, off: bool) -> c.SetService:
    return c.SetService(c.Scope.JACKPOT, at["j"], off, "maintenance")


JACKPOTS = Subject(
    "A jackpot",
    "A table of the pool has a round that is open for bets.",
    {
        "unheard of": State("no jackpot of this id", no_pool),
        "open": State("in service", pool),
        "terms wait": State("new parameters wait for the next 100 % award", waiting),
        "out of service": State("disabled", stopped),
    },
    (
        Row("open, the same", "POST /v1/jackpots", lambda at: c.OpenJackpot(terms(at), True), 201),
        Row("open, other", "POST /v1/jackpots", lambda at: c.OpenJackpot(terms(at, seed_minor=1), True), 201),
        Row("correct by 1.00", f"POST {POOL}/corrections", lambda at: _money(at, 100 * MICRO)),
        Row("correct below zero", f"POST {POOL}/corrections", lambda at: _money(at, -SEED * MICRO - 1)),
        Row("transfer", f"POST {POOL}/transfers", lambda at: _move(at, "k")),
        Row("transfer too much", f"POST {POOL}/transfers", lambda at: _move(at, "k", SEED * MICRO + 1)),
        Row("transfer to nowhere", f"POST {POOL}/transfers", lambda at: _move(at, "nowhere")),
        Row("transfer to another currency", f"POST {POOL}/transfers", lambda at: _move(at, "usd")),
        Row("transfer to itself", f"POST {POOL}/transfers", lambda at: _move(at, "j")),
        Row("change the reset", f"PATCH {POOL}", lambda at: replace(UNCHANGED, jackpot=at["j"], reset_minor=60_000)),
        Row("change the ceiling", f"PATCH {POOL}",
            lambda at: replace(UNCHANGED, jackpot=at["j"], ceiling_minor=1_000_000)),
        Row("a table for it", "POST /v1/tables", lambda at: replace(TERMS, table=at["v"], jackpot=at["j"]), 201),
        Row("ante and progressive", rounds.ROUND + "wagers",
            lambda at: c.PlaceWager(at.round or "none", at["ann"], 1, 500, 0, 50), 201),
        Row("disable", "POST /v1/disable", lambda at: _service(at, off=True)),
        Row("enable", "POST /v1/enable", lambda at: _service(at, off=False)),
    ),
)  # fmt: skip


async def hit(at: Scene, threshold: int | None) -> None:
    """A royal flush takes the whole meter."""
    await at.money("ann", 100_000)
    await at.casino.submit(c.OpenJackpot(terms(at, handpay_threshold_minor=threshold), True), status=201)
    await at.casino.table(at["t"], EURO, jackpot=at["j"])
    at.round = await at.casino.round(at["t"])
    placed = await at.casino.wager(at.round, at["ann"], seat=1, ante=500, progressive=50)
    at.wager = placed["wagers"][0]["wager"]
    await at.casino.close(at.round)
    await at.casino.deal(at.round, {1: hand(ROYAL)})
    await at.casino.call(at.round, at["ann"])
    await at.casino.settle(at.round)
    at.award = f"{at.round}:1"


async def played(at: Scene) -> None:
    """A round without a prize."""
    await hit(at, None)
    at.award = f"{at.round}:9"


async def at_once(at: Scene) -> None:
    await hit(at, None)


async def pending(at: Scene) -> None:
    await hit(at, 1_000)


async def verified(at: Scene) -> None:
    await pending(at)
    await at.casino.verify(at["j"], at.award)


async def refused(at: Scene) -> None:
    await pending(at)
    await at.casino.refuse(at["j"], at.award)


async def voided(at: Scene) -> None:
    await pending(at)
    await at.casino.void(at.round)


AWARD = f"POST {POOL}/awards/{{award}}/"
PRIZES = Subject(
    "A prize of a jackpot",
    "A royal flush took the whole meter; what is above the pool's `handpay_threshold` waits for two persons.",
    {
        "unheard of": State("no award of this id", played),
        "paid": State("below the threshold, paid at once", at_once),
        "pending": State("waits for two persons", pending),
        "verified": State("verified, and so paid", verified),
        "refused": State("refused", refused),
        "voided": State("its round was voided while it waited", voided),
    },
    (
        Row("verify", AWARD + "verify", lambda at: c.VerifyPrize(at["j"], at.award, "seen", "boss")),
        Row("verify, approved by oneself", AWARD + "verify",
            lambda at: c.VerifyPrize(at["j"], at.award, "seen", at.casino.actor)),
        Row("refuse", AWARD + "refuse", lambda at: c.RefusePrize(at["j"], at.award, "marked cards", "boss")),
        *rounds.ENDINGS,
    ),
)  # fmt: skip
