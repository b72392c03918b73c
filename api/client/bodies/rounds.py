"""Rounds: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class DealBody(TypedDict):
    """Cards from a live feed; empty for a shoe, and for cards that were scanned one by one."""

    player: NotRequired[list[str] | None]
    seats: NotRequired[dict[str, list[str]] | None]
    dealer: NotRequired[list[str] | None]


class DecisionBody(TypedDict):
    """Call or fold."""

    player: str
    decision: Literal["call", "fold"]
    session: NotRequired[str | None]


class DecisionItem(TypedDict):
    """A decision, with its key."""

    player: str
    decision: Literal["call", "fold"]
    session: NotRequired[str | None]
    key: NotRequired[str | None]


class DecisionsBulkBody(TypedDict):
    """Up to 5,000 decisions."""

    atomic: NotRequired[bool]
    decisions: list[DecisionItem]


class PauseBody(TypedDict):
    """Why the round stops."""

    reason: str


class ResettleBody(TypedDict):
    """The full corrected cards, why, who bears what players owe, and who else stands for it (required with
    `four_eyes` `named`).
    """

    player: NotRequired[list[str] | None]
    seats: NotRequired[dict[str, list[str]] | None]
    dealer: list[str]
    policy: Literal["CLAW_BACK", "HOUSE_ABSORBS", "HOLD_FOR_REVIEW"]
    reason: str
    approver: NotRequired[str | None]


class ResolveBody(TypedDict):
    """Who bears what players owe."""

    policy: Literal["CLAW_BACK", "HOUSE_ABSORBS"]


class ResumeBody(TypedDict):
    """What was found."""

    reason: NotRequired[str | None]


class ScanBody(TypedDict):
    """The next card of a live table: a seat's number, `player` for the hand of all, or `dealer`, and which of its
    five cards. With `hold` the last card waits for a `deal` with no cards, so that it may be put right before.
    """

    to: str
    number: int
    card: str
    hold: NotRequired[bool]


class ScanCorrectionBody(TypedDict):
    """The card that lies there in place of the one that was read, and why. The reason names no card."""

    to: str
    number: int
    card: str
    reason: str


class SettleBody(TypedDict):
    """The dealer's cards where the live feed has not named them yet: all five, or the other four."""

    dealer: NotRequired[list[str] | None]


class SideBody(TypedDict):
    """Side wagers, by name."""

    five_plus_one: NotRequired[int | None]
    progressive: NotRequired[int | None]


class VoidBody(TypedDict):
    """Why, who bears what players owe, and who else stands for it: once the round is settled all are required, but
    for `approver` with `four_eyes` `strict`, where another person's key approves. A `dry_run` of more than
    1,000 players is listed in pages: `after` names the last player of the page before.
    """

    reason: NotRequired[str | None]
    policy: NotRequired[Literal["CLAW_BACK", "HOUSE_ABSORBS", "HOLD_FOR_REVIEW"] | None]
    approver: NotRequired[str | None]
    evidence: NotRequired[str | None]
    dry_run: NotRequired[bool]
    after: NotRequired[str | None]
    wagers: NotRequired[list[str] | None]


class WagerBody(TypedDict):
    """Stakes on a player's spots; a further call adds to the same spots."""

    player: str
    seat: NotRequired[int | None]
    ante: NotRequired[int | None]
    side: NotRequired[SideBody | None]
    session: NotRequired[str | None]


class WagerItem(TypedDict):
    """A wager, with the Idempotency-Key that it would have alone."""

    player: str
    seat: NotRequired[int | None]
    ante: NotRequired[int | None]
    side: NotRequired[SideBody | None]
    session: NotRequired[str | None]
    key: NotRequired[str | None]


class WagersBulkBody(TypedDict):
    """Up to 5,000 wagers."""

    atomic: NotRequired[bool]
    wagers: list[WagerItem]


class WhoBody(TypedDict):
    """A player, and the session of the device that asks; one that was replaced is refused."""

    player: str
    session: NotRequired[str | None]
