"""Rounds that are played over HTTP, for reads that tell all of a round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.http.floor import DEALER, EURO, LIVE, bet, decide, done, new_round, open_jackpot, register, step
from tests.http.test_reads_rounds import HANDS
from tests.service import Service


def round_of_one(service: Service) -> tuple[str, str]:
    """A round of a feed with a pool, settled: ann on seat 1 calls, with a progressive wager. The round and ann."""
    jackpot = open_jackpot(service, EURO, "EUR")
    round_, ann = new_round(service, jackpot=jackpot, card_source="FEED"), register(service, "EUR", 100_000)
    done(bet(service, round_, ann, progressive=50), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": HANDS["1"]}, "dealer": DEALER}))
    done(decide(service, round_, ann))
    done(step(service, round_, "settle"))
    return round_, ann


def round_of_five(service: Service) -> tuple[str, list[str]]:
    """A round with one hand for all, settled. The round and its players, in order."""
    round_ = new_round(service, LIVE, card_source="FEED")
    players = sorted(register(service, "EUR", 10_000) for _ in range(5))
    for player in players:
        done(bet(service, round_, player, 500, seat=None), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"player": HANDS["1"], "dealer": DEALER}))
    done(step(service, round_, "settle"))
    return round_, players


def pages(
    read: Callable[..., dict[str, Any]], following: Callable[[dict[str, Any]], str | None]
) -> list[dict[str, Any]]:
    """All pages of two seats each; `following` finds a page's cursor of the next one."""
    found = [read(limit=2)]
    while (cursor := following(found[-1])) is not None:
        found.append(read(limit=2, cursor=cursor))
    return found
