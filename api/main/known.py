"""Is there such an operator, player, round or pool? A name that was mistyped must not read as one without activity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from psycopg import Connection

from domain.errors import Invalid
from domain.ids import jackpot_stream, player_stream, round_stream
from services.reports.scope import Scope

_KNOWN: Final = """
    SELECT EXISTS (SELECT FROM operators WHERE operator = %(operator)s)
        OR EXISTS (SELECT FROM stored_events WHERE operator = %(operator)s)
"""


def require_operator(conn: Connection, operator: str) -> None:
    """Raises Invalid where there is neither a key's operator of this name nor an event of one."""
    row = conn.execute(_KNOWN, {"operator": operator}).fetchone()
    if row is None or not row[0]:
        raise Invalid(f"there is no operator {operator!r}", field="operator")


_STREAM: Final = "SELECT EXISTS (SELECT FROM stored_events WHERE originator_id = %s)"
_PLAYERS: Final = ("av", "held", "review")
_POOLS: Final = ("m", "res", "ovf")
_KINDS: Final = ("cash", *_PLAYERS, "REV", "CON", "FUND", "LOSS", "ADJ", *_POOLS, "pay")


def require_asked(conn: Connection, scope: Scope) -> None:
    """Raises Invalid, naming the field, where the operator is not there, or what a report was asked about: the player,
    the round, the owner of the account. Accounts of the house, and what ends with a slash, are any of their kind.
    """
    require_operator(conn, scope.operator)
    account = scope.asked.get("account", "").partition("/")[0]
    if account and account not in _KINDS:
        raise Invalid(f"accounts are {', '.join(_KINDS)}, such as av/ann or REV/", field="account")
    for field, stream, shown in _asked(scope):
        row = conn.execute(_STREAM, [stream]).fetchone()
        if row is None or not row[0]:
            raise Invalid(f"{scope.operator} has no {shown}", field=field)


def _asked(scope: Scope) -> Iterator[tuple[str, str, str]]:
    """Field, stream and how it is called, of each thing that was asked about."""
    asked = scope.asked
    if player := asked.get("player"):
        yield "player", player_stream(scope.operator, player), f"player {player!r}"
    if round_id := asked.get("round"):
        yield "round", round_stream(scope.operator, round_id), f"round {round_id!r}"
    kind, _, owner = asked.get("account", "").partition("/")
    if owner and not owner.endswith("/"):
        if kind in _PLAYERS:
            yield "account", player_stream(scope.operator, owner), f"player {owner!r}"
        elif kind in _POOLS:
            yield "account", jackpot_stream(scope.operator, owner), f"pool {owner!r}"
