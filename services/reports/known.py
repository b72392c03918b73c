"""What a report is asked about must be there: a name that was mistyped must not read as one without activity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from domain.errors import Invalid
from domain.ids import jackpot_stream, player_stream, round_stream
from services.reports.scope import Scope

_PLAYERS: Final = ("av", "held", "review")
_POOLS: Final = ("m", "res", "ovf")
_KINDS: Final = ("cash", *_PLAYERS, "REV", "CON", "FUND", "LOSS", "ADJ", *_POOLS, "pay")


class AskedAbout(NamedTuple):
    """Something with a stream of its own: the field in which it was asked for, the stream, and how people call it."""

    field: str
    stream: str
    shown: str


def asked_about(scope: Scope) -> Iterator[AskedAbout]:
    """Player, round and owner of the account. Accounts of the house, and what ends with a slash, are any of their kind.
    Raises Invalid for an account of no kind that there is.
    """
    asked = scope.asked
    if player := asked.get("player"):
        yield AskedAbout("player", player_stream(scope.operator, player), f"player {player!r}")
    if round_id := asked.get("round"):
        yield AskedAbout("round", round_stream(scope.operator, round_id), f"round {round_id!r}")
    kind, _, owner = asked.get("account", "").partition("/")
    if kind and kind not in _KINDS:
        raise Invalid(f"accounts are {', '.join(_KINDS)}, such as av/ann or REV/", field="account")
    if owner and not owner.endswith("/"):
        if kind in _PLAYERS:
            yield AskedAbout("account", player_stream(scope.operator, owner), f"player {owner!r}")
        elif kind in _POOLS:
            yield AskedAbout("account", jackpot_stream(scope.operator, owner), f"pool {owner!r}")
