"""Players and the cashier's transactions."""

from __future__ import annotations

from services import commands as c
from tests.matrix import rounds
from tests.matrix.subject import Row, Scene, State, Subject, Way

PLAYER, LIMIT = "/v1/players/{player}", 5_000


async def nobody(at: Scene) -> None:
    """A table, and no player."""
    await at.money("bob", 10_000)
    await at.casino.table(at["t"], rounds.EURO)
    at.round = await at.casino.round(at["t"])


async def poor(at: Scene) -> None:
    await nobody(at)
    await at.casino.player(at["ann"])


async def rich(at: Scene) -> None:
    await nobody(at)
    await at.money("ann", 10_000)


async def held(at: Scene) -> None:
    await rich(at)
    await at.casino.wager(at.round, at["ann"], seat=1, ante=3_000)


async def limited(at: Scene) -> None:
    await rich(at)
    await at.casino.submit(c.SetLimit(at["ann"], 200))


async def barred(at: Scene) -> None:
    await rich(at)
    await at.casino.disable(c.Scope.PLAYER, at["ann"])


def _service(at: Scene, *, off: bool) -> c.SetService:
    return c.SetService(c.Scope.PLAYER, at["ann"], off, "asked for it")


PLAYERS = Subject(
    "A player",
    "A round is open for bets.",
    {
        "unheard of": State("no player of this id", nobody),
        "no money": State("registered", poor),
        "money": State("100.00 available", rich),
        "money held": State("30.00 as ante, 60.00 held for the call", held),
        "limit": State("an own limit of 2.00 an ante", limited),
        "barred": State("disabled, with 100.00", barred),
    },
    (
        Row("register", "POST /v1/players", lambda at: c.RegisterPlayer(at["ann"], "EUR"), 201),
        Row("register, other currency", "POST /v1/players", lambda at: c.RegisterPlayer(at["ann"], "USD"), 201),
        Row("deposit", f"POST {PLAYER}/deposits", lambda at: c.DepositFunds(at["ann"], 100, "EUR", at["x"]), 201),
        Row("deposit, other currency", f"POST {PLAYER}/deposits",
            lambda at: c.DepositFunds(at["ann"], 100, "USD", at["x"]), 201),
        Row("deposit, in bulk", "POST /v1/deposits/bulk",
            lambda at: c.DepositFunds(at["ann"], 100, "EUR", at["x"]), 201, Way.IN_BULK),
        Row("deposit, atomic", "POST /v1/deposits/bulk",
            lambda at: c.DepositFunds(at["ann"], 100, "EUR", at["x"]), 201, Way.ATOMIC),
        Row("withdraw 100.00", f"POST {PLAYER}/withdrawals",
            lambda at: c.WithdrawFunds(at["ann"], 10_000, "EUR", at["x"]), 201),
        Row("adjust by -1.00", f"POST {PLAYER}/adjustments",
            lambda at: c.AdjustBalance(at["ann"], -100, "miscount", "boss"), 201),
        Row("adjust, approved by oneself", f"POST {PLAYER}/adjustments",
            lambda at: c.AdjustBalance(at["ann"], -100, "miscount", at.casino.actor), 201),
        Row("settings", f"PATCH {PLAYER}/settings", lambda at: c.SetSettings(at["ann"], True, None, None, None, None)),
        Row("limit of 2.00", f"PATCH {PLAYER}/limits", lambda at: c.SetLimit(at["ann"], 200)),
        Row("limit of 1.00", f"PATCH {PLAYER}/limits", lambda at: c.SetLimit(at["ann"], 100)),
        Row("wager 5.00", rounds.ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 1, 500, 0, 0), 201),
        Row("disable", "POST /v1/disable", lambda at: _service(at, off=True)),
        Row("enable", "POST /v1/enable", lambda at: _service(at, off=False)),
    ),
)  # fmt: skip


async def deposited(at: Scene) -> None:
    await rich(at)
    await at.casino.deposit(at["ann"], 500, "EUR", at["x"])


async def withdrawn(at: Scene) -> None:
    await rich(at)
    await at.casino.withdraw(at["ann"], 500, "EUR", at["x"])


async def undone(at: Scene) -> None:
    await deposited(at)
    await at.casino.roll_back(at["x"])


async def unpaid(at: Scene) -> None:
    await withdrawn(at)
    await at.casino.roll_back(at["x"])


async def tombstone(at: Scene) -> None:
    await rich(at)
    await at.casino.roll_back(at["x"])


async def spent(at: Scene) -> None:
    await deposited(at)
    await at.casino.withdraw(at["ann"], 10_400, "EUR", at["y"])


TRANSACTION = "POST /v1/transactions/{transaction_id}/rollback"
TRANSACTIONS = Subject(
    "A transaction of the cashier",
    "All rows name the same `transaction_id`. A rollback that comes before its transaction keeps it from coming late.",
    {
        "unheard of": State("an id that never came", rich),
        "deposited": State("5.00 came in by it", deposited),
        "withdrawn": State("5.00 went out by it", withdrawn),
        "deposit undone": State("came in, and was rolled back", undone),
        "withdrawal undone": State("went out, and was rolled back", unpaid),
        "tombstone": State("rolled back before it came", tombstone),
        "spent": State("came in, and is no longer there", spent),
    },
    (
        Row("deposit 5.00", f"POST {PLAYER}/deposits", lambda at: c.DepositFunds(at["ann"], 500, "EUR", at["x"]), 201),
        Row("deposit 6.00", f"POST {PLAYER}/deposits", lambda at: c.DepositFunds(at["ann"], 600, "EUR", at["x"]), 201),
        Row("deposit 5.00 for another", f"POST {PLAYER}/deposits",
            lambda at: c.DepositFunds(at["bob"], 500, "EUR", at["x"]), 201),
        Row("deposit 5.00, in bulk", "POST /v1/deposits/bulk",
            lambda at: c.DepositFunds(at["ann"], 500, "EUR", at["x"]), 201, Way.IN_BULK),
        Row("withdraw 5.00", f"POST {PLAYER}/withdrawals",
            lambda at: c.WithdrawFunds(at["ann"], 500, "EUR", at["x"]), 201),
        Row("roll back", TRANSACTION, lambda at: c.RollBackTransaction(at["x"])),
    ),
)  # fmt: skip
