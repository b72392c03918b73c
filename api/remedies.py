"""What to do about each code: for the page /docs/problems and docs/errors.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REMEDIES: Final[Mapping[str, str]] = {
    "INVALID": "Mend what `field` names and send it again, under the same key if you like: a refusal burns none.",
    "UNAUTHENTICATED": "Look at the key: whole, of this service, not revoked, and after `Bearer `. Do not retry.",
    "FORBIDDEN": "Use a key with the role, or another approver; tell the player where `detail` is about the player.",
    "NOT_FOUND": "Compare the id with yours. After a write of your own pass `min_position`, so that the read waits.",
    "METHOD_NOT_ALLOWED": "Use a method of the header `Allow`.",
    "REQUEST_TIMEOUT": "Send the same request again. If it stays, look for a slow link or a proxy that holds bodies.",
    "CONFLICT": "Read the object and decide anew.",
    "INSUFFICIENT_FUNDS": "Tell the player. After a deposit the same request under the same key may succeed.",
    "BETTING_CLOSED": "Tell the player that bets are closed; bet in the next round.",
    "WRONG_PHASE": "Read the round: what you wanted may have happened, or has its time later.",
    "SEAT_TAKEN": "Offer another seat.",
    "ALREADY_SEATED": "Use the seat that the player has, or leave it first.",
    "ALREADY_VOIDED": "Nothing: it is void. Read the round for what it gave back.",
    "ALREADY_EXISTS": "Use the object that is there, or another id.",
    "CARD_OUT_OF_PLACE": "Scan the card that `detail` asks for; `next` of the last answer said so too.",
    "LIMIT_REACHED": "Tell the player which limit it is; it is not lifted early.",
    "CHAT_CLOSED": "Show the chat as read-only for now.",
    "TABLE_LIMIT": "Let the player leave another table first.",
    "DUPLICATE_CARD": "Look at the table: a card was read twice. The round stands as before.",
    "CURRENCY_MISMATCH": "Use the currency of the wallet, table or pool.",
    "IDEMPOTENCY_MISMATCH": "A fault in how keys are made: one key, one request. Look for what happened under the key "
    "before you use a new one.",
    "BELOW_MINIMUM": "Show the table's minimum and ask for another stake.",
    "ABOVE_MAXIMUM": "Show the table's maximum and ask for another stake.",
    "TOO_LARGE": "Send less at once: split a bulk call, shorten headers.",
    "RATE_LIMITED": "Wait as long as `Retry-After` says, then send the same request again.",
    "INTERNAL": "Send the same request again under the same key: you get what happened. Tell us the `request_id`.",
    "UNAVAILABLE": "Wait as long as `Retry-After` says and send the same request again under the same key, until "
    "there is an answer. It is done once.",
}
"""By code; a code without an entry is explained by whether it may be sent again."""


def remedy(code: str, *, retryable: bool) -> str:
    """What to do about a code."""
    again = "Send the same request again under the same key."
    return REMEDIES.get(code, again if retryable else "Do not send it again as it is; `detail` says why.")
