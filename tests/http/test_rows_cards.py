"""Whose cards are whose: no player learns another's before the showdown (S2-02)."""

from __future__ import annotations

from tests.http.floor import ACES, DEALER, EURO, bet, decide, done, new_round, read, refused, register, step
from tests.service import Service

KINGS = ["Ks", "Kd", "9h", "7d", "2c"]


def test_S2_02_over_http_no_answer_shows_another_players_cards_before_the_showdown(service: Service) -> None:
    round_ = new_round(service, EURO, card_source="FEED")
    players = [register(service, "EUR", 10_000) for _ in range(2)]
    for seat, player in enumerate(players, 1):
        done(bet(service, round_, player, 500, seat=seat), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": ACES, "2": KINGS}, "dealer": DEALER}))
    for player, cards in zip(players, (ACES, KINGS), strict=True):
        own = service.get(f"/v1/rounds/{round_}/players/{player}")
        shown = {card for card in (*ACES, *KINGS) if f'"{card}"' in own.text}
        assert shown == set(cards)
    refused(service.get(f"/v1/rounds/{round_}/players/{register(service, 'EUR')}"), 404, "NOT_FOUND", "player")
    everybody = service.get(f"/v1/rounds/{round_}", params={"min_position": 1})
    assert [card for card in (*ACES, *KINGS, *DEALER[:4]) if f'"{card}"' in everybody.text] == []
    for player in players:
        done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    shown_to_all = read(service, f"/v1/rounds/{round_}")
    assert [one["cards"] for one in shown_to_all["seats"]] == [ACES, KINGS]
