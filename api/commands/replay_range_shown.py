"""A replayed range for people: how many rounds, what differs, which are meant, and what another rule set had paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.commands.replay_shown import told
from api.fields import EXPONENTS
from services.replay.range_answer import OtherNet, RangeAnswer, UnderOther
from services.replay.ranging import RoundLine
from services.replay.telling import Money

_ROWS_MOST: Final = 50
"""Players that are shown; `--json` has all."""


def show(found: RangeAnswer, positions: int, seconds: float, console: Console) -> None:
    """Print what a range came to."""
    if found.listed is not None:
        console.print(_listed(found.listed))
    if found.under_other is not None:
        console.print(_other(found.under_other))
    counts = found.counts
    speed = f"{counts.rounds / seconds:,.0f} rounds/s" if seconds > 0 else ""
    console.print(
        f"{_count(counts.rounds, 'round')} replayed ({counts.settled:,} settled, {counts.voided:,} voided, "
        f"{counts.cancelled:,} cancelled, {counts.under_way:,} under way), {_count(counts.seats, 'seat')} settled "
        f"again,\n{_count(positions, 'event')} in {seconds:.1f} s ({speed})",
        highlight=False,
    )
    console.print(_verdict(found))


def _verdict(found: RangeAnswer) -> RenderableType:
    if found.ok:
        return Text.assemble(("✓ equal to the cent", "bold green"), f"  ({found.counts.compared:,} values compared)")
    lines = [Text(f"position {one.position} cannot be read: {one.reason}") for one in found.unread]
    for one in found.differing:
        found_of = _count(one.found, "difference")
        lines.append(Text(f"round {one.round} ({one.game_number}) of {one.operator}: {found_of}", "bold"))
        lines += [Text(f"  {told(difference)}") for difference in one.differences]
    rounds = _count(found.counts.differing_rounds, "round")
    title = f"✗ {_count(found.counts.differences, 'difference')} in {rounds}"
    return Group(Text(title, "bold red"), *lines)


def _listed(rounds: Iterable[RoundLine]) -> Table:
    table = _table("game", "round", "rule set", "state", "hands", "dealer", "players")
    for name in ("staked", "returned", "prizes"):
        table.add_column(name, justify="right")
    for one in rounds:
        money = Money(one.currency, EXPONENTS.get(one.currency, 0))
        hands = ", ".join(map(_words, one.hands))
        amounts = (money.text(one.staked), money.text(one.returned), f"{money.text(one.prizes)} {one.currency}")
        table.add_row(
            one.game_number, one.round, one.ruleset, one.state, hands, _words(one.dealer_hand or "-"),
            ", ".join(one.players), *amounts,
        )  # fmt: skip
    return table


def _other(other: UnderOther) -> RenderableType:
    title = Text(f"Under {other.ruleset}: {_count(other.rounds, 'round')}, {other.left_out:,} left out", "bold")
    assumed = [f"  assumed: {one}" for one in other.assumed]
    widest = sorted(other.players, key=lambda one: -abs(one.difference))[:_ROWS_MOST]
    more = len(other.players) - len(widest)
    rest = [] if more <= 0 else [f"  and {more:,} more players (--json has all)"]
    pools = _table("pool", "currency")
    for name in ("got", "would have got", "paid", "would have paid", "would hold more"):
        pools.add_column(name, justify="right")
    for one in other.pools:
        money = Money(one.currency, EXPONENTS.get(one.currency, 0))
        amounts = (
            one.contributed_micro, one.contributed_other_micro, one.paid_micro, one.paid_other_micro,
            one.difference_micro,
        )  # fmt: skip
        pools.add_row(one.jackpot, one.currency, *(money.exact(int(amount)) for amount in amounts))
    shown_pools: list[RenderableType] = [pools, ""] if other.pools else []
    return Group(title, *assumed, _nets("day", other.days), "", _nets("player", widest), *rest, "", *shown_pools)


def _nets(what: str, nets: Iterable[OtherNet]) -> Table:
    """Won by players, so below zero where the house won."""
    table = _table(what, "currency")
    for name in ("rounds", "players won", "would have won", "difference"):
        table.add_column(name, justify="right")
    for one in nets:
        money = Money(one.currency, EXPONENTS.get(one.currency, 0))
        table.add_row(
            one.player or one.day or "", one.currency, f"{one.rounds:,}", money.text(one.recorded),
            money.text(one.other), money.text(one.difference),
        )  # fmt: skip
    return table


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _words(text: str) -> str:
    return text.replace("_", " ").lower()
