"""A whole evening of all four games through the client, over a network that loses answers: exact to the cent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from api.client import Client
from tests.client.network import often, through
from tests.http.floor import DOLLAR, EURO, LAND, LIVE, currency_of
from tests.service import Service

MONEY = 1_000_000
ACES, LOW = ["As", "Ad", "Qh", "7c", "2s"], ["Jd", "9h", "8c", "5d", "3h"]
DEALER = ["4d", "3s", "2h", "Kh", "Ac"]
"""Plays with ace and king: a pair of aces wins ante and call at even money, and no side wager wins."""

PRICE = {LIVE: 500, EURO: 50, DOLLAR: 100, LAND: 100}
SEED = 20261130


@dataclass(frozen=True, slots=True)
class Guest:
    """A player, where he sits, the hand that he gets and what he does with it."""

    player: str
    seat: int | None
    hand: list[str]
    decision: str
    ante: int
    net: int


def guests(service: Service, game: str) -> list[Guest]:
    """One who wins three antes and one who folds; both lose the side wager. On the shared hand both hold aces."""
    first, second = (service.name("guest") for _ in range(2))
    seats = (None, None) if game == LIVE else (1, 3)
    second_hand = ACES if game == LIVE else LOW
    return [
        Guest(first, seats[0], ACES, "call", 1_000, 3 * 1_000 - PRICE[game]),
        Guest(second, seats[1], second_hand, "fold", 700, -700 - PRICE[game]),
    ]


def welcome(casino: Client, service: Service, game: str, there: list[Guest]) -> str:
    """Players with money, and a table for cards of a live feed."""
    currency, table = currency_of(game), service.name("table")
    for one in there:
        casino.register_player(player=one.player, currency=currency)
        casino.deposit(one.player, amount=MONEY, currency=currency, transaction_id=f"in-{one.player}")
    terms = {"ruleset": game, "currency": currency}
    if game != LIVE:
        pool = service.name("pool")
        casino.open_jackpot(jackpot=pool, seed=5_000_000, reset=5_000_000, handpay_threshold=None, **terms)
        casino.open_table(table=table, ante_min=500, ante_max=5_000, jackpot=pool, card_source="FEED", **terms)
    else:
        casino.open_table(table=table, ante_min=500, ante_max=5_000, card_source="FEED", **terms)
    return table


def played(casino: Client, table: str, game: str, there: list[Guest]) -> str:
    """A round from the first wager to its settlement."""
    round_ = casino.open_round(table).round
    for one in there:
        side = {"five_plus_one": PRICE[game]} if game == LIVE else {"progressive": PRICE[game]}
        casino.place_wagers(round_, player=one.player, seat=one.seat, ante=one.ante, side=side)
    casino.close_betting(round_)
    if game == LIVE:
        casino.deal(round_, player=ACES, dealer=DEALER)
    else:
        casino.deal(round_, seats={str(one.seat): one.hand for one in there}, dealer=DEALER)
    for one in there:
        casino.decide(round_, player=one.player, decision=one.decision)
    assert casino.settle_round(round_).phase == "SETTLED"
    return round_


@pytest.mark.parametrize("game", [LIVE, EURO, DOLLAR, LAND])
def test_an_evening_over_a_network_that_loses_answers_is_exact_to_the_cent(service: Service, game: str) -> None:
    there, rounds = guests(service, game), 3
    # given a client whose network breaks at every third call
    with through(service, often(SEED, 33), attempts=12) as (casino, proxy):
        # when an evening is played
        table = welcome(casino, service, game, there)
        for _ in range(rounds):
            played(casino, table, game, there)
        for one in there:
            casino.withdraw(one.player, amount=10_000, currency=currency_of(game), transaction_id=f"out-{one.player}")
        # then every effect has happened once, and the money is right
        for one in there:
            balance = casino.get_balance(one.player)
            assert (balance.available, balance.held) == (MONEY - 10_000 + rounds * one.net, 0)
            lines = list(casino.each_account_history(one.player, limit=2))
            assert Counter(line.kind for line in lines) == {"DEPOSIT": 1, "WITHDRAWAL": 1, "ROUND": rounds}
            assert sum(line.amount for line in lines) == balance.available
        assert len(list(casino.each_rounds(table=table))) == rounds
        assert proxy.cuts > 10
        assert casino.retries >= proxy.cuts // 2
