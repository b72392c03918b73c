"""The report for people: tables that fit 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table

from api.demo.books import PoolBook, Tally
from api.demo.money import MICRO, meter, money
from api.demo.proofs import Proof
from api.demo.run import Outcome

BARS: Final = "▁▂▃▄▅▆▇█"
COURSE_WIDTH: Final = 14


def show(outcome: Outcome, proof: Proof, console: Console) -> None:
    """Print the report."""
    service = outcome.service
    rate = service.calls / max(outcome.seconds, 0.001)
    console.print(
        f"{outcome.rounds} rounds, {len(outcome.books.accounts)} players, {service.calls:,} calls "
        f"in {outcome.seconds:.1f} s ({rate:,.0f}/s)\n",
        highlight=False,
    )
    console.print(_games(outcome))
    console.print(_pools(list(outcome.books.pools.values())))
    for scene in outcome.scenes:
        console.print(f"[bold]{scene.title}[/bold]")
        for line in scene.lines:
            console.print(f"  {line}", highlight=False)
    console.print()
    for line in _counts(outcome):
        console.print(line, highlight=False)
    console.print()
    for mark, text in _proofs(outcome, proof):
        console.print(f"{mark:>7}  {text}", highlight=False, soft_wrap=True)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for nth, name in enumerate(columns):
        table.add_column(name, justify="left" if nth == 0 else "right", no_wrap=True)
    return table


def _games(outcome: Outcome) -> Table:
    table = _table("game", "rounds", "hands", "handle", "returned", "prizes", "ggr")
    sums: dict[str, Tally] = {}
    for (ruleset, currency), tally in sorted(outcome.books.tallies.items()):
        sums.setdefault(currency, Tally()).add(tally)
        table.add_row(_named(ruleset, currency), *_cells(tally))
    for currency, tally in sorted(sums.items()):
        table.add_row(f"all {currency}", *_cells(tally), style="bold")
    table.add_row()
    return table


def _named(ruleset: str, currency: str) -> str:
    return f"{ruleset.partition('-')[0]} {currency}"


def _cells(tally: Tally) -> Sequence[str]:
    amounts = (tally.handle, tally.returned, tally.prizes, tally.ggr)
    return str(tally.rounds), str(tally.hands), *(money(one) for one in amounts)


def _pools(pools: Sequence[PoolBook]) -> Table:
    table = _table("pool", "seed", "contributed", "awards", "prizes", "meter", "course")
    for pool in pools:
        prizes = sum(one.amount for one in pool.prizes)
        table.add_row(
            _named(pool.ruleset, pool.currency),
            money(pool.seed),
            meter(pool.contributed_micro),
            str(len(pool.prizes)),
            money(prizes),
            meter(pool.course[-1][1]),
            sparkline([micro for _, micro in pool.course], COURSE_WIDTH),
        )
    table.add_row()
    return table


def sparkline(values: Sequence[int], width: int) -> str:
    """So many bars that show how the values went, lowest to highest."""
    shown = [values[nth * (len(values) - 1) // max(width - 1, 1)] for nth in range(width)]
    low, high = min(values) // MICRO, max(values) // MICRO
    span = max(high - low, 1)
    return "".join(BARS[(one // MICRO - low) * (len(BARS) - 1) // span] for one in shown)


def _counts(outcome: Outcome) -> Sequence[str]:
    books = outcome.books
    seen = books.seen
    refusals = ", ".join(f"{code} {count}" for code, count in sorted(books.refusals.items()))
    cash = "; ".join(
        f"{currency} {money(books.deposited[currency])} in, {money(books.withdrawn[currency])} out"
        for currency in sorted(books.deposited)
    )
    return (
        f"voids       {seen['voids before settlement']} before settlement, "
        f"{seen['voids after settlement']} after (not in handle, returned, prizes, ggr)",
        f"time-outs   {seen['decided by SYSTEM']} decided by SYSTEM",
        f"minimum     {seen['rejected']} bets below it let go at the close, {seen['raised']} raised to it",
        f"refusals    {refusals}",
        f"replays     {seen['replays']}, answered byte for byte as at first",
        f"cashier     {cash}",
    )


def _proofs(outcome: Outcome, proof: Proof) -> Sequence[tuple[str, str]]:
    players = len(outcome.books.accounts)
    size = "" if proof.events is None else f" ({proof.events:,} events, {proof.entries:,} entries)"
    rows = [
        ("ok", f"{players} balances equal the demo's own books, to the cent"),
        (_mark(proof.ledger_sums_to_zero), f"ledger sums to zero{size}"),
        (_mark(proof.read_models_equal_events), "read models equal the events"),
    ]
    return [*rows, ("", proof.note)] if proof.note else rows


def _mark(held: bool | None) -> str:
    return "not run" if held is None else "ok" if held else "FAILED"
