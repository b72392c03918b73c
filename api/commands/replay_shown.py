"""A replayed round for people: what happened when, the cards, the money, and how it was settled twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from api.commands.plain import plain
from services.replay.cards_shown import ShownCards
from services.replay.replay import ComparedSeat, ComparedSettlement, ComparedWager, Replay
from services.replay.sheet import Difference
from services.replay.steps import Step
from services.replay.telling import Money

_SUITS: Final = {"s": ("♠", ""), "c": ("♣", "green"), "h": ("♥", "red"), "d": ("♦", "blue")}
_BACK: Final = "▒▒"
_QUIET: Final = "wallet."
"""Events that are told by their ledger lines alone, under the event that they belong to."""
_TOLD: Final = ("wallet.balance_went_negative", "wallet.held_money_decided")
_KINDS: Final = ("ANTE", "CALL", "SIDE", "PROGRESSIVE")


def show(found: Replay, console: Console) -> None:
    """Print a replay."""
    console.print(_head(found))
    console.print(Padding(_timeline(found), (1, 0)))
    for one in found.settlements:
        console.print(_settlement(found, one))
    if found.voids:
        console.print(_voids(found))
    console.print(_verdict(found))


def _head(found: Replay) -> RenderableType:
    line = Text.assemble(
        (found.game_number, "bold"), f"  {found.ruleset}  table {found.table}  ", (found.phase, "bold")
    )
    more = f"round {found.round} of {found.operator}, opened {found.opened_at}"
    software = f"software {found.software_version}, build {found.build[:12]}; amounts in {found.currency}"
    return Panel(Group(line, more, software), title="[bold reverse] REPLAY [/]", subtitle=found.notice[7:])


def _timeline(found: Replay) -> Table:
    table = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    table.add_column("after", justify="right", no_wrap=True)
    table.add_column("who", no_wrap=True, style="cyan")
    table.add_column("what", overflow="fold")
    money = Money(found.currency, found.exponent)
    start = datetime.fromisoformat(found.opened_at)
    for _, steps in groupby(found.steps, lambda step: (step.command, step.entry)):
        entry = list(steps)
        for nth, what in enumerate(_entry(entry, money)):
            first = entry[0]
            seconds = (datetime.fromisoformat(first.at) - start).total_seconds()
            table.add_row(*((f"{seconds:+.3f} s", plain(first.actor)) if nth == 0 else ("", "")), what)
    return table


def _entry(entry: Sequence[Step], money: Money) -> Iterator[Text]:
    """The lines of one entry: what happened, the cards that it showed, then what it moved."""
    told = [one for one in entry if not one.event.startswith(_QUIET) or one.event.startswith(_TOLD)]
    for one in told or entry[:1]:
        seat = "" if one.seat is None else f"  [seat {one.seat}]"
        yield Text.assemble(plain(one.text), (seat, "dim"))
        yield from map(_cards, one.cards)
    lines = [line for one in entry for line in one.lines]
    if lines:
        yield Text("  ").join(
            [Text()] + [_line(line.account, line.amount_micro, line.balance_micro, money) for line in lines]
        )


def _line(account: str, amount: str, balance: str | None, money: Money) -> Text:
    micro = int(amount)
    sign = "+" if micro > 0 else ""
    after = "" if balance is None else f" → {money.exact(int(balance))}"
    return Text.assemble(
        (account, "dim"), (f" {sign}{money.exact(micro)}", "green" if micro > 0 else "red"), (after, "dim")
    )


def _cards(one: ShownCards) -> Text:
    to = (
        ""
        if one.to == "ALL"
        else " (the scanner alone sees it)"
        if one.to == "STUDIO"
        else f" ({one.to} alone sees it)"
    )
    return Text.assemble("  ", hand(one.cards), (f"  {one.hand}{to}", "dim"))


def hand(cards: Iterable[str | None]) -> Text:
    """Cards as people know them; one that is hidden shows its back."""
    made = []
    for card in cards:
        if card is None:
            made.append(Text(_BACK, "dim"))
        else:
            sign, colour = _SUITS[card[1]]
            made.append(Text(f"{card[0].replace('T', '10')}{sign}", colour))
    return Text(" ").join(made)


def _settlement(found: Replay, one: ComparedSettlement) -> RenderableType:
    cause = "Settled" if one.cause == "SHOWDOWN" else "Settled again on corrected cards"
    title = Text.assemble((f"{cause}, and once more by the second settlement", "bold"), f"  position {one.position}")
    if one.refused is not None:
        return Group(title, Text(f"the second settlement refuses: {one.refused}", "bold red"))
    plays = "qualifies" if one.qualifies else "does not qualify"
    dealer = Text.assemble("dealer ", hand(one.dealer), f"  {_words(one.dealer_hand)}, {plays}")
    kinds = [kind for kind in _KINDS if any(kind in {wager.kind for wager in seat.wagers} for seat in one.seats)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("seat", "player", "hand", "decision", "outcome"):
        table.add_column(name, no_wrap=name != "player", overflow="fold")
    for name in (*kinds, "net"):
        table.add_column(name, justify="right", no_wrap=True)
    money = Money(found.currency, found.exponent)
    for seat in one.seats:
        table.add_row(*_seat(seat, kinds, money))
    moves = [
        f"pool: {move.kind} {'' if move.player is None else move.player + ' '}{money.text(move.prize)}, meter after it "
        f"{money.exact(move.meter_after_micro)}{', waits for verification' if move.pending else ''}"
        for move in one.pool
    ]
    legend = Text("stake → back to the player; ✓ both say so, ✗ recorded otherwise, and what it should be", "dim")
    return Group(title, dealer, table, legend, *moves, "")


def _seat(seat: ComparedSeat, kinds: Iterable[str], money: Money) -> list[str | Text]:
    by_kind = {one.kind: one for one in seat.wagers}
    net = sum(one.recorded - one.stake for one in seat.wagers) + seat.prize_recorded
    decision = "-" if seat.decision is None else seat.decision + (" (house)" if seat.decided_by == "SYSTEM" else "")
    number = "-" if seat.seat is None else str(seat.seat)
    cells: list[str | Text] = [number, seat.player, _words(seat.hand), decision, _words(seat.outcome)]
    for kind in kinds:
        one = by_kind.get(kind)
        cells.append(_prize(seat, one, money) if kind == "PROGRESSIVE" else _paid(one, money))
    return [*cells, money.text(net)]


def _paid(one: ComparedWager | None, money: Money) -> Text:
    if one is None:
        return Text("-", "dim")
    return _twice(one.stake, one.expected, one.recorded, money)


def _prize(seat: ComparedSeat, one: ComparedWager | None, money: Money) -> Text:
    if one is None:
        return Text("-", "dim")
    return _twice(one.stake, seat.prize_expected, seat.prize_recorded + one.recorded, money)


def _twice(stake: int, expected: int | None, recorded: int, money: Money) -> Text:
    """Stake and payout; where the two settlements differ, both."""
    if expected == recorded:
        return Text.assemble((f"{money.text(stake)} → ", "dim"), money.text(recorded), (" ✓", "green"))
    told = "?" if expected is None else money.text(expected)
    return Text.assemble((f"{money.text(stake)} → ", "dim"), (f"{money.text(recorded)} ✗ {told}", "bold red"))


def _voids(found: Replay) -> RenderableType:
    money = Money(found.currency, found.exponent)
    lines = [
        f"position {one.position}  {one.player}: {len(one.wagers)} wagers mirrored ({_words(one.stage)}), refunded "
        f"{money.text(one.refund)}, owed {money.text(one.owed)}, taken {money.text(one.taken)}, "
        f"borne by the house {money.text(one.loss)}"
        for one in found.voids
    ]
    return Group(Text("Mirrored", "bold"), *lines, "")


def _verdict(found: Replay) -> RenderableType:
    if found.equal:
        what = "equal to the cent" if found.settlements else "nothing is settled yet, and all else agrees"
        return Text.assemble((f"✓ {what}", "bold green"), f"  ({found.compared} values compared)")
    lines = [f"  {one}" for one in map(told, found.differences)]
    return Group(Text(f"✗ {found.differences_count} of {found.compared} values differ", "bold red"), *lines)


def told(one: Difference) -> str:
    """A difference in one line."""
    who = "" if one.player is None else f" {one.player}" + ("" if one.seat is None else f" (seat {one.seat})")
    return f"position {one.position}{who} {one.kind}, {one.what}: expected {one.expected}, recorded {one.recorded}"


def _words(text: str | None) -> str:
    return "-" if text is None else text.replace("_", " ").lower()
