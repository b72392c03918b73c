"""`studbook replay`: a round from its events, step by step and settled again; or all of a range, in parallel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.place import Place
    from api.main.replaying import Ask
    from services.replay.selecting import Where

EPILOG = "Example: studbook replay --all --from 2026-11-01 --to 2026-12-01 --ruleset euro-progressive-v1"

Round = Annotated[str | None, typer.Argument(metavar="[ROUND]", help="Id or game number of one round.")]
Every = Annotated[bool, typer.Option("--all", help="Every round that is meant; exit code 1 on any cent.")]
Listed = Annotated[bool, typer.Option("--list", help="Name the rounds that are meant.")]
Other = Annotated[str | None, typer.Option("--as", help="What they would have paid under this rule set.")]
Begin = Annotated[str | None, typer.Option("--from", help="Opened from this time on, or this gaming day.")]
End = Annotated[str | None, typer.Option("--to", help="Opened before this time, or this gaming day.")]
Operator = Annotated[str | None, typer.Option(help="Of this operator; all, if it is not named.")]
Ruleset = Annotated[str | None, typer.Option(help="Played under this rule set, by name or hash.")]
Table = Annotated[str | None, typer.Option(help="At this table.")]
Hand = Annotated[str | None, typer.Option(help="In which a seat held this hand, such as FLUSH.")]
DealerHand = Annotated[str | None, typer.Option(help="In which the dealer held this hand.")]
JackpotHit = Annotated[bool, typer.Option("--jackpot-hit", help="Which made a progressive prize.")]
Version = Annotated[str | None, typer.Option(help="Opened by this version or build of the software.")]
Processes = Annotated[int, typer.Option(help="How many work at a range.", min=1, max=64)]
DataDir = Annotated[Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")]
DatabaseUrl = Annotated[str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


def replay(
    round_: Round = None,
    every: Every = False,
    listed: Listed = False,
    other: Other = None,
    begin: Begin = None,
    end: End = None,
    operator: Operator = None,
    ruleset: Ruleset = None,
    table: Table = None,
    hand: Hand = None,
    dealer_hand: DealerHand = None,
    jackpot_hit: JackpotHit = False,
    version: Version = None,
    processes: Processes = 2,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Replay a round from its recorded events, and settle it again by other code from cards and rule set alone.

    With --all a whole range is replayed in parallel, with --list the rounds that are meant are named, with --as it is
    worked out what they would have paid under another rule set. Nothing is changed; may run beside `serve`.
    """
    from api.main.place import Place
    from api.main.replaying import Ask, zone

    place, is_range = Place(database_url, data_dir), every or listed or other is not None
    asked = (ruleset, table, version, begin, end, hand, dealer_hand)
    where = _where(operator, *asked, jackpot_hit=jackpot_hit)
    if round_ is None:
        if not is_range:
            raise Invalid("name a round, or --all, --list or --as for a range", field="ROUND")
        _range(place, Ask(where, zone(), other, listed), processes, as_json=as_json)
    elif is_range or jackpot_hit or any(one is not None for one in asked):
        raise Invalid("name one round, or say which are meant; not both", field="ROUND")
    else:
        _one(place, round_, where.operator, as_json=as_json)


def _where(operator: str | None, *asked: str | None, jackpot_hit: bool) -> Where:
    """`asked` are rule set, table, version, the two times, and the two hands."""
    from api.main.replaying import zone
    from services.replay.selecting import Where
    from services.reports.asking import asked_time

    ruleset, table, version, begin, end, hand, dealer_hand = asked
    return Where(
        operator=None if operator is None else checked_id(operator, "operator"),
        ruleset=ruleset,
        table=table,
        version=version,
        begin=None if begin is None else asked_time(begin, "from", zone()),
        end=None if end is None else asked_time(end, "to", zone()),
        hand=None if hand is None else hand.upper(),
        dealer_hand=None if dealer_hand is None else dealer_hand.upper(),
        jackpot_hit=jackpot_hit,
    )


def _one(place: Place, name: str, operator: str | None, *, as_json: bool) -> None:
    import orjson

    from api.main.replaying import replay_round

    found = replay_round(place, name, operator)
    if as_json:
        typer.echo(orjson.dumps(found))
    else:
        from api.commands.console import console
        from api.commands.replay_shown import show

        show(found, console())
    if not found.equal:
        sys.exit(1)


def _range(place: Place, ask: Ask, processes: int, *, as_json: bool) -> None:
    import orjson

    from api.commands.progress import bar
    from api.main.replaying import replay_range
    from services.replay.range_answer import answer_of

    with bar() as progress:
        ranged = replay_range(place, ask, processes, progress)
    found = answer_of(ranged.tally, ranged.otherwise, ask.other, is_listed=ask.is_listed)
    if as_json:
        typer.echo(orjson.dumps(found))
    else:
        from api.commands.console import console
        from api.commands.replay_range_shown import show

        show(found, ranged.positions, ranged.seconds, console())
    if not found.ok:
        sys.exit(1)
