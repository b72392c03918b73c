"""`studbook check-integration`: plays with an operator's key and says what does not fit."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import httpx2

    from api.client import Client
    from api.conformance.run import Result

EPILOG = "Example: studbook check-integration --url https://sandbox.example --key sb_..."
KEY_CHARS_LEAST = 16


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
    signing_secret: Annotated[
        str | None, typer.Option(help="The secret of a key that signs.", envvar="STUDBOOK_SIGNING_SECRET")
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

    url, signing_secret = _address(url), signing_secret or None
    shown = _shown(url, key, signing_secret)
    with (
        Client(url, key, attempts=4, signing_secret=signing_secret) as casino,
        _dealer(url, key, dealer_key, signing_secret) as dealer,
        httpx2.Client(base_url=url, auth=shown, timeout=60) as raw,
    ):
        found = list(_shown_one_by_one(results(World(casino, dealer, raw, secrets.token_hex(3))), as_json=as_json))
    _tell(found, as_json=as_json)


def _shown_one_by_one(found: Iterable[Result], *, as_json: bool) -> Iterator[Result]:
    """Each result as it comes, for people at once."""
    for one in found:
        if not as_json:
            typer.echo(f"ok      {one.check}" if one.seen is None else f"FAILED  {one.check}")
        yield one


def _shown(url: str, key: str, signing_secret: str | None) -> httpx2.Auth:
    """How the key is shown; BadParameter for what is no key, or no secret of one."""
    from api.client.doors import door

    if not (key.isascii() and key.isprintable() and len(key) >= KEY_CHARS_LEAST) or " " in key:
        raise typer.BadParameter("--key is the operator's key: 16 and more printable ASCII characters")
    try:
        return door(url, key, signing_secret=signing_secret)
    except ValueError:
        raise typer.BadParameter("--signing-secret is what came with the key, whsec_...") from None


def _dealer(url: str, key: str, dealer_key: str | None, signing_secret: str | None) -> Client:
    """Who settles: a key of its own, which does not sign, or the operator's."""
    from api.client import Client

    if dealer_key is None:
        return Client(url, key, attempts=4, signing_secret=signing_secret)
    return Client(url, dealer_key, attempts=4)


def _tell(found: list[Result], *, as_json: bool) -> None:
    """What came of it; Exit 1 where something does not fit."""
    failed = found[-1].seen is not None
    if as_json:
        checks = [{"check": one.check, "ok": one.seen is None, "seen": one.seen, "remedy": one.remedy} for one in found]
        typer.echo(json.dumps({"ok": not failed, "checks": checks}))
    elif failed:
        typer.echo(f"        seen:   {found[-1].seen}\n        to do:  {found[-1].remedy}")
    if failed:
        raise typer.Exit(1)


def _address(text: str) -> str:
    """The address of a service without its last slash; BadParameter when it is none."""
    import httpx2

    try:
        found = httpx2.URL(text.strip())
    except (httpx2.InvalidURL, ValueError):
        found = httpx2.URL("")
    is_one = found.scheme in ("http", "https") and found.host and (found.port is None or 0 < found.port < 65_536)
    if not is_one or found.path.strip("/") or found.query or found.fragment or found.userinfo:
        raise typer.BadParameter("--url is the address of a service, such as http://127.0.0.1:8000, without a path")
    return str(found).rstrip("/")
