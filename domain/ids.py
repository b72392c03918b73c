"""Names of things: ids that clients choose, and the names of streams.

A stream's id is `operator/kind/id`, a seat's `operator/seat/{round}.{player}`, so that the seats of one
round are one range of the key. Client ids never hold a slash, so the parts cannot be confused.
Round ids are ours (UUIDs) and hold no dot.
"""

from __future__ import annotations

import re
from typing import Final

from domain.errors import Invalid

_CLIENT_ID: Final = re.compile(r"[A-Za-z0-9_.:@-]{1,64}", re.ASCII)


def checked_id(text: str, field: str) -> str:
    """`text` when it is an id (1 to 64 of `A-Za-z0-9_.:@-`), else Invalid that names `field`."""
    if not _CLIENT_ID.fullmatch(text):
        raise Invalid("an id has 1 to 64 characters of A-Z a-z 0-9 _ . : @ -", field=field)
    return text


def wallet_stream(operator: str, player: str) -> str:
    """The stream of a player's wallet."""
    return f"{operator}/wallet/{player}"


def transaction_stream(operator: str, transaction_id: str) -> str:
    """The stream of a cashier's transaction, by the operator's own id."""
    return f"{operator}/transaction/{transaction_id}"


def player_stream(operator: str, player: str) -> str:
    """The stream of a player's profile."""
    return f"{operator}/player/{player}"


def table_stream(operator: str, table: str) -> str:
    """The stream of a table."""
    return f"{operator}/table/{table}"


def jackpot_stream(operator: str, jackpot: str) -> str:
    """The stream of a pool."""
    return f"{operator}/jackpot/{jackpot}"


def round_stream(operator: str, round_id: str) -> str:
    """The stream of a round."""
    return f"{operator}/round/{round_id}"


def seat_stream(operator: str, round_id: str, player: str) -> str:
    """The stream of one player's part in a round."""
    return f"{operator}/seat/{round_id}.{player}"


def seat_prefix(operator: str, round_id: str) -> str:
    """What the streams of all seats of a round begin with."""
    return f"{operator}/seat/{round_id}."


def seat_prefix_of(stream: str) -> str:
    """What the streams of all seats of the same round begin with, from the stream of one of them."""
    operator, _, rest = stream.split("/", 2)
    return seat_prefix(operator, rest.split(".", 1)[0])


def seat_prefix_of_round(stream: str) -> str:
    """What the streams of all seats of a round begin with, from the stream of the round."""
    operator, _, round_id = stream.split("/", 2)
    return seat_prefix(operator, round_id)


def player_of_stream(stream: str) -> str:
    """Whose wallet or seat a stream is, from its name."""
    _, kind, rest = stream.split("/", 2)
    return rest.partition(".")[2] if kind == "seat" else rest


def gaming_stream(operator: str) -> str:
    """The one stream that says whether an operator's gaming is on."""
    return f"{operator}/gaming/all"


def chat_stream(operator: str, table: str) -> str:
    """The stream of what is set for a table's chat."""
    return f"{operator}/chat/{table}"


def message_stream(operator: str, message: str) -> str:
    """The stream of one chat message."""
    return f"{operator}/message/{message}"


def approval_stream(operator: str, approval: str) -> str:
    """The stream of what needs a second person."""
    return f"{operator}/approval/{approval}"


def reconciliation_stream(operator: str, day: str) -> str:
    """The stream of a gaming day's reconciliation."""
    return f"{operator}/reconciliation/{day}"


def stream_kind(stream: str) -> str:
    """The kind, such as `wallet` or `seat`."""
    return stream.split("/", 2)[1]


def stream_operator(stream: str) -> str:
    """The operator that owns the stream."""
    return stream.split("/", 1)[0]
