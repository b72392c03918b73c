"""`studbook demo`: a small casino plays all four games over the API and compares every cent."""

from __future__ import annotations

import asyncio
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from api.demo.progress import Progress
    from api.demo.proofs import Proof
    from api.demo.run import Outcome

EPILOG = "Example: studbook demo --rounds 100 --svg meters.svg"


def demo(
    url: Annotated[str | None, typer.Option(help="Play against this service.")] = None,
    key: Annotated[str | None, typer.Option(help="Its key; goes with --url.", envvar="STUDBOOK_KEY")] = None,
    rounds: Annotated[int, typer.Option(help="How many rounds.", min=14, max=100_000)] = 300,
    seed: Annotated[int, typer.Option(help="For the players' choices; cards come from the shoe.")] = 7,
    data_dir: Annotated[Path | None, typer.Option(help="With --url: its embedded database, for the proofs.")] = None,
    database_url: Annotated[str | None, typer.Option(help="With --url: its PostgreSQL, for the proofs.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the meters' course into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Play a few hundred rounds of all four games through the HTTP API, then report.

    Without --url it starts a service of its own and removes it at the end. Two winners of one pool in one round,
    time-outs, a void before and one after settlement, a refusal and a repeated call are among the rounds. The demo
    keeps books of its own; a cent of difference, or any answer that should not be, ends it with exit code 1.
    """
    from api.commands.stoppable import stoppable
    from api.demo.faults import DemoFailed

    _check(url, key, data_dir, database_url)
    try:
        with stoppable():
            outcome, proof = _play(url, key, rounds, seed, _database_options(data_dir, database_url))
    except DemoFailed as fault:
        typer.echo(f"studbook: demo: {' '.join(str(fault).split())}", err=True)
        raise typer.Exit(1) from None
    if svg is not None:
        from api.demo.drawing import drawing

        svg.write_text(drawing(list(outcome.books.pools.values())), encoding="utf-8")
    _say(outcome, proof, as_json)
    if proof.failed:
        raise typer.Exit(1)


def _check(url: str | None, key: str | None, data_dir: Path | None, database_url: str | None) -> None:
    """Bad use is told before anything starts."""
    if url is None and (data_dir is not None or database_url is not None):
        name = "--data-dir" if data_dir is not None else "--database-url"
        raise typer.BadParameter(f"{name} goes with --url: without it the demo starts a service of its own")
    if url is not None and not key:
        raise typer.BadParameter("--url needs --key, the key of an operator of that service")
    if url is not None and not url.startswith(("http://", "https://")):
        raise typer.BadParameter("--url is the address of a service, such as http://127.0.0.1:8000")


def _database_options(data_dir: Path | None, database_url: str | None) -> list[str]:
    found = [] if data_dir is None else ["--data-dir", str(data_dir)]
    return found + ([] if database_url is None else ["--database-url", database_url])


def _play(url: str | None, key: str | None, rounds: int, seed: int, database: list[str]) -> tuple[Outcome, Proof]:
    from api.demo.own_service import own_service
    from api.demo.progress import Progress
    from api.demo.proofs import unproved, verify

    with Progress(rounds) as progress:
        if url is None:
            progress.doing("starting a service")
            with own_service() as own:
                outcome = asyncio.run(_against(own.url, own.key, rounds, seed, progress, through_proxies=False))
                progress.doing("verifying")
                return outcome, verify(["--data-dir", str(own.data_dir)], own.environ)
        outcome = asyncio.run(_against(url, key or "", rounds, seed, progress, through_proxies=True))
        if not database:
            return outcome, unproved()
        progress.doing("verifying")
        return outcome, verify(database, os.environ)


async def _against(url: str, key: str, rounds: int, seed: int, progress: Progress, *, through_proxies: bool) -> Outcome:
    from api.demo.client import Service
    from api.demo.run import play_demo

    async with Service(url, key, secrets.token_hex(3), through_proxies=through_proxies) as service:
        return await play_demo(service, rounds, seed, progress)


def _say(outcome: Outcome, proof: Proof, as_json: bool) -> None:
    if as_json:
        import json

        from api.demo.report import report

        typer.echo(json.dumps(report(outcome, proof)))
        return
    from api.commands.console import Screen
    from api.demo.render import show

    show(outcome, proof, Screen())
