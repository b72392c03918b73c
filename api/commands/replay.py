"""`studbook replay`: a round from its events, step by step and settled again; or all of a range, in parallel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.replaying import Ask, Database

EPILOG = "Example: studbook replay --all --from 2026-11-01 --to 2026-12-01 --ruleset euro-progressive-v1"


def replay(
    round_: Annotated[str | None, typer.Argument(metavar="[ROUND]", help="Id or game number of one round.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every round that is meant; exit code 1 on any cent.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Name the rounds that are meant.")] = False,
    other: Annotated[str | None, typer.Option("--as", help="What they would have paid under this rule set.")] = None,
    begin: Annotated[str | None, typer.Option("--from", help="Opened from this time on, or this gaming day.")] = None,
    end: Annotated[str | None, typer.Option("--to", help="Opened before this time, or this gaming day.")] = None,
    operator: Annotated[str | None, typer.Option(help="Of this operator; all, if it is not named.")] = None,
    ruleset: Annotated[str | None, typer.Option(help="Played under this rule set, by name or hash.")] = None,
    table: Annotated[str | None, typer.Option(help="At this table.")] = None,
    hand: Annotated[str | None, typer.Option(help="In which a seat held this hand, such as FLUSH.")] = None,
    dealer_hand: Annotated[str | None, typer.Option(help="In which the dealer held this hand.")] = None,
    jackpot_hit: Annotated[bool, typer.Option("--jackpot-hit", help="Which made a progressive prize.")] = False,
    version: Annotated[str | None, typer.Option(help="Opened by this version or build of the software.")] = None,
    processes: Annotated[int, typer.Option(help="How many work at a range.", min=1, max=64)] = 2,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Replay a round from its recorded events, and settle it again by other code from cards and rule set alone.

    With --all a whole range is replayed in parallel, with --list the rounds that are meant are named, with --as it is
    worked out what they would have paid under another rule set. Nothing is changed; may run beside `serve`.
    """
    from api.main.replaying import Ask, Database, zone
    from services.replay.selecting import Where
    from services.reports.asking import asked_time

    database = Database(database_url, data_dir)
    times = [
        None if text is None else asked_time(text, field, zone()) for text, field in ((begin, "from"), (end, "to"))
    ]
    where = Where(
        operator=None if operator is None else checked_id(operator, "operator"),
        ruleset=ruleset,
        table=table,
        version=version,
        begin=times[0],
        end=times[1],
        hand=None if hand is None else hand.upper(),
        dealer_hand=None if dealer_hand is None else dealer_hand.upper(),
        jackpot_hit=jackpot_hit,
    )
    if round_ is not None:
        if every or listed or other is not None or where != Where(operator=where.operator):
            raise Invalid("name one round, or say which are meant; not both", field="ROUND")
        _one(database, round_, where.operator, as_json=as_json)
    elif every or listed or other is not None:
        _range(database, Ask(where, zone(), other, listed), processes, as_json=as_json)
    else:
        raise Invalid("name a round, or --all, --list or --as for a range", field="ROUND")


def _one(database: Database, name: str, operator: str | None, *, as_json: bool) -> None:
    import orjson

    from api.main.replaying import replay_round

    found = replay_round(database, name, operator)
    if as_json:
        typer.echo(orjson.dumps(found))
    else:
        from rich.console import Console

        from api.commands.replay_shown import show

        show(found, Console())
    if not found.equal:
        sys.exit(1)


def _range(database: Database, ask: Ask, processes: int, *, as_json: bool) -> None:
    import orjson

    from api.commands.progress import bar
    from api.main.replaying import replay_range
    from services.replay.range_answer import answer_of

    with bar() as progress:
        ranged = replay_range(database, ask, processes, progress)
    found = answer_of(ranged.tally, ranged.otherwise, ask.other, is_listed=ask.is_listed)
    if as_json:
        typer.echo(orjson.dumps(found))
    else:
        from rich.console import Console

        from api.commands.replay_range_shown import show

        show(found, ranged.positions, ranged.seconds, Console())
    if not found.ok:
        sys.exit(1)
