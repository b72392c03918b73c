"""The floor of the demo's casino: pools, tables and players are opened over the API before the first round."""

from __future__ import annotations

from dataclasses import dataclass

from api.demo.books import Account, Books, PoolBook
from api.demo.choices import Choices
from api.demo.client import Answer, Service
from api.demo.faults import together
from api.demo.games import CURRENCIES, PLAYERS_PER_CURRENCY, POOLS, TABLES, Game, PoolPlan, TablePlan
from api.demo.progress import Progress


@dataclass(frozen=True, slots=True)
class Table:
    """An open table with its regular players; `jackpot` is the id of its pool."""

    id: str
    plan: TablePlan
    jackpot: str | None
    regulars: tuple[str, ...]

    @property
    def game(self) -> Game:
        """What is played here."""
        return self.plan.game


@dataclass(frozen=True, slots=True)
class Floor:
    """Everything that a round needs: the service, the books, and who is where."""

    service: Service
    books: Books
    progress: Progress
    tables: tuple[Table, ...]
    seed: int

    def choices(self, *names: str) -> Choices:
        """A row of choices for one purpose."""
        return Choices(self.seed, *names)

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(one for one in self.tables if one.plan.name == name)

    def pool(self, table: Table) -> PoolBook:
        """The book of a table's pool."""
        return self.books.pools[table.jackpot or ""]


async def open_floor(service: Service, books: Books, progress: Progress, seed: int) -> Floor:
    """Open pools, tables and wallets. DemoFailed when the service refuses one."""
    await together(_open_pool(service, books, plan) for plan in POOLS)
    players = {currency: _names(service.run, currency) for currency in CURRENCIES}
    choices = Choices(seed, "deposits")
    first = [
        (name, currency, choices.between(20, 400) * 1_000) for currency in CURRENCIES for name in players[currency]
    ]
    await together(_open_player(service, books, *one) for one in first)
    return Floor(service, books, progress, tuple(await _open_tables(service, players)), seed)


async def deposit(service: Service, books: Books, player: str, amount: int) -> Answer:
    """Bring money to a player's wallet."""
    account = books.accounts[player]
    body = {"amount": amount, "currency": account.currency, "transaction_id": f"bank-in-{service.new_key()}"}
    answer = await service.post(f"/v1/players/{player}/deposits", body, status=201)
    books.move(player, amount)
    books.deposited[account.currency] += amount
    return answer


async def withdraw(service: Service, books: Books, player: str, amount: int) -> Answer:
    """Take money out of a player's wallet."""
    account = books.accounts[player]
    body = {"amount": amount, "currency": account.currency, "transaction_id": f"bank-out-{service.new_key()}"}
    answer = await service.post(f"/v1/players/{player}/withdrawals", body, status=201)
    books.move(player, -amount)
    books.withdrawn[account.currency] += amount
    return answer


async def open_wallet(service: Service, books: Books, player: str, currency: str) -> None:
    """Register a player."""
    await service.post("/v1/players", {"player": player, "currency": currency}, status=201)
    books.accounts[player] = Account(player, currency)


def _names(run: str, currency: str) -> list[str]:
    return [f"{currency.lower()}-{number:02d}.{run}" for number in range(1, PLAYERS_PER_CURRENCY + 1)]


async def _open_player(service: Service, books: Books, player: str, currency: str, amount: int) -> None:
    await open_wallet(service, books, player, currency)
    await deposit(service, books, player, amount)


async def _open_pool(service: Service, books: Books, plan: PoolPlan) -> None:
    jackpot = f"{plan.name}-jackpot.{service.run}"
    body: dict[str, object] = {
        "jackpot": jackpot,
        "ruleset": plan.game.ruleset,
        "currency": plan.currency,
        "seed": plan.seed,
        "reset": plan.reset,
        "increment_rate": plan.increment_rate,
        "reserve_rate": plan.reserve_rate,
        "handpay_threshold": None,
    }
    answer = await service.post("/v1/jackpots", body, status=201)
    book = PoolBook(jackpot, plan.game.ruleset, plan.currency, plan.seed, plan.reset)
    book.saw(answer["position"], answer["meter"] * 1_000_000)
    books.pools[jackpot] = book


async def _open_tables(service: Service, players: dict[str, list[str]]) -> list[Table]:
    """Each player is a regular of one table; a scripted table borrows those of another table of its game."""
    free = {currency: list(names) for currency, names in players.items()}
    opened: list[Table] = []
    for plan in TABLES:
        if plan.scripted:
            regulars = next(one.regulars for one in opened if one.game is plan.game)
            regulars += next(one.regulars for one in reversed(opened) if one.game is plan.game)
        else:
            regulars = tuple(free[plan.currency][: plan.regulars])
            del free[plan.currency][: plan.regulars]
        jackpot = next((f"{one.name}-jackpot.{service.run}" for one in POOLS if one.game is plan.game), None)
        opened.append(Table(f"{plan.name}.{service.run}", plan, jackpot, regulars))
    await together(_open_table(service, one) for one in opened)
    return opened


async def _open_table(service: Service, table: Table) -> None:
    plan = table.plan
    body: dict[str, object] = {
        "table": table.id,
        "ruleset": plan.game.ruleset,
        "currency": plan.currency,
        "ante_min": plan.ante_min,
        "ante_max": plan.ante_max,
        "card_source": "FEED" if plan.scripted else "SHOE",
    }
    if table.jackpot is not None:
        body["jackpot"] = table.jackpot
    await service.post("/v1/tables", body, status=201)
