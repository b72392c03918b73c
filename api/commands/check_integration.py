"""`studbook check-integration`: plays with an operator's key and says what does not fit."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from api.conformance.run import Result

EPILOG = "Example: studbook check-integration --url https://sandbox.example --key sb_..."


def check_integration(
    url: Annotated[str, typer.Option(help="Address of the service, without a path.", envvar="STUDBOOK_URL")],
    key: Annotated[str, typer.Option(help="A key with the role operator.", envvar="STUDBOOK_KEY")],
    dealer_key: Annotated[
        str | None,
        typer.Option(
            help="A key with the role dealer, to settle with; without it --key needs that role too.",
            envvar="STUDBOOK_DEALER_KEY",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Check network, key and calls from where you are, before going live. Not for a live operator.

    Makes two players and four tables whose ids begin with `check-`, brings money in, plays a round of each game on
    cards that it chooses, takes the money out, and takes the tables out of service. Exit code 1 at the first thing that
    does not fit, with what was seen and what to do about it.
    """
    import httpx2

    from api.client import Client
    from api.conformance.run import results
    from api.conformance.world import World

    if not url.startswith(("http://", "https://")):
        raise typer.BadParameter("--url is the address of a service, such as http://127.0.0.1:8000")
    bearer = {"Authorization": f"Bearer {key}"}
    with (
        Client(url, key, attempts=4) as casino,
        Client(url, dealer_key or key, attempts=4) as dealer,
        httpx2.Client(base_url=url.rstrip("/"), headers=bearer, timeout=60) as raw,
    ):
        found = []
        for one in results(World(casino, dealer, raw, secrets.token_hex(3))):
            found.append(one)
            if not as_json:
                typer.echo(f"ok      {one.check}" if one.seen is None else f"FAILED  {one.check}")
    _tell_end(found, as_json)


def _tell_end(found: list[Result], as_json: bool) -> None:
    """What is told when no more is tried; exit code 1 where the last one does not fit."""
    failed = found[-1].seen is not None
    if as_json:
        checks = [{"check": one.check, "ok": one.seen is None, "seen": one.seen, "remedy": one.remedy} for one in found]
        typer.echo(json.dumps({"ok": not failed, "checks": checks}))
    elif failed:
        typer.echo(f"        seen:   {found[-1].seen}\n        to do:  {found[-1].remedy}")
    if failed:
        raise typer.Exit(1)
