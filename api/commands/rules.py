"""`studbook rules`: the published rule sets, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, assert_never

import orjson
import typer

from domain.hands import Category
from domain.rules import FixedPrize, MeterPrize, Prize, RuleSet, pays_to_one, prize_for, published, ruleset_hash
from domain.variants import RULESETS, ruleset

if TYPE_CHECKING:
    from rich.table import Table

_NO_PRIZE = "-"


def rules(
    name: Annotated[str | None, typer.Argument(help="Show one rule set only.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, nothing else.")] = False,
) -> None:
    """Show the published rule sets.

    Pay tables, prizes, choices, and the hash by which events name them. A published rule set never changes;
    a change is a new rule set with a new name.

    \b
    Examples:
      studbook rules
      studbook rules euro-progressive-v1 --json
    """
    chosen = list(RULESETS.values()) if name is None else [ruleset(name)]
    if as_json:
        shown = [published(one) | {"hash": ruleset_hash(one)} for one in chosen]
        typer.echo(orjson.dumps(shown if name is None else shown[0], option=orjson.OPT_INDENT_2))
        return
    from api.commands.console import Screen

    console = Screen()
    for one in chosen:
        console.print(_pay_table(one))
        for line in _choices(one):
            console.print(f"  {line}", highlight=False)
        console.print()


def _pay_table(one: RuleSet) -> Table:
    from rich.table import Table

    table = Table(title=f"{one.name}: {one.source}", title_justify="left")
    table.add_column("hand")
    table.add_column("call pays", justify="right")
    if one.call_pays_unqualified:
        table.add_column("dealer not qualified", justify="right")
    table.add_column("5+1 pays" if one.progressive is None else "progressive", justify="right")
    for category in reversed(Category):
        cells = [category.value, _to_one(pays_to_one(one.call_pays, category))]
        if one.call_pays_unqualified:
            cells.append(_to_one(pays_to_one(one.call_pays_unqualified, category)) or "push")
        side = pays_to_one(one.side_pays, category)
        cells.append(_to_one(side) or _prize(prize_for(one, category)))
        table.add_row(*cells)
    return table


def _choices(one: RuleSet) -> list[str]:
    """What the pay table leaves out, a line each; amounts in minor units."""
    seats = "any number of" if one.seats is None else str(one.seats)
    progressive = one.progressive
    lines = [
        f"hands: {one.hand_mode.value}, {seats} seats; dealer's card {one.dealer_upcard_index + 1} is shown",
        f"dealer plays with {' '.join(one.lowest_qualifier)} or better, else the ante pays 1 to 1 and the call pushes",
        f"call: {one.call_multiple} x ante; A-2-3-4-5 is {'a' if one.wheel_is_straight else 'no'} straight",
        f"side wager: {one.side_kind.value}, {one.side_timing.value}, "
        + ("settled on the cards after a fold too" if one.side_bets_survive_fold else "lost with a fold"),
        f"paid by seat number: {one.payment_order.value}; time-out: {one.timeout_policy.value}; "
        f"below the minimum: {one.below_min_policy.value}; chat: {one.chat.value}",
    ]
    if progressive is not None:
        rate = progressive.preset_increment_rate.ppm
        lines.append(
            f"progressive: {progressive.stake_minor} {one.currency} minor units a wager, "
            f"{rate // 10_000} % to the meter (our preset); prizes return no stake"
        )
    lines += [
        f"return stated: {one.basis_points // 100}.{one.basis_points % 100:02d} % of {one.base}" for one in one.returns
    ]
    return [*lines, f"hash: {ruleset_hash(one)}"]


def _to_one(pays: int | None) -> str:
    return "" if pays is None else f"{pays} to 1"


def _prize(prize: Prize | None) -> str:
    match prize:
        case None:
            return _NO_PRIZE
        case FixedPrize():
            return str(prize.amount_minor)
        case MeterPrize():
            floor = f", at least {prize.floor_minor}" if prize.floor_minor else ""
            return f"{prize.share_ppm // 10_000} % of the meter{floor}"
        case _:
            assert_never(prize)
