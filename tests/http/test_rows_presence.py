"""Tables joined and left, sessions, settings and own limits, over HTTP (S0-43 to S0-51, S3-02, S3-08, S3-21)."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.http.floor import (
    DOLLAR,
    EURO,
    LIVE,
    bet,
    done,
    money,
    open_round,
    open_table,
    read,
    refused,
    register,
    step,
)
from tests.service import Service


def join(service: Service, table: str, player: str, seat: int | None = None, **more: Any) -> httpx2.Response:
    body = {"player": player, "session": "phone", **({"seat": seat} if seat else {}), **more}
    return service.post(f"/v1/tables/{table}/join", body)


def leave(service: Service, table: str, player: str, **more: Any) -> httpx2.Response:
    return service.post(f"/v1/tables/{table}/leave", {"player": player, **more})


def patch(service: Service, path: str, body: Any) -> httpx2.Response:
    return service.send("PATCH", path, body)


def lobby(service: Service, table: str) -> dict[str, Any]:
    """The table's line; the lobby comes in pages."""
    cursor: dict[str, str] = {}
    while True:
        page = read(service, "/v1/tables", limit=1000, **cursor)
        found = [one for one in page["items"] if one["table"] == table]
        if found:
            line: dict[str, Any] = found[0]
            return line
        cursor = {"cursor": page["next"]}


def test_S0_48_over_http_a_seat_is_kept_until_the_new_table_is_joined(service: Service) -> None:
    first, second = (open_table(service, EURO, "EUR") for _ in range(2))
    player, other = register(service, "EUR", 10_000), register(service, "EUR", 10_000)
    joined = done(join(service, first, player, 2))
    assert (joined["seat"], joined["replaced"], joined["waits"]) == (2, False, False)
    assert lobby(service, first)["seats_taken"] == [2]
    done(join(service, second, other, 1))
    refused(join(service, second, player, 1, instead_of=first), 409, "SEAT_TAKEN", "seat")
    refused(join(service, first, other, 2), 409, "SEAT_TAKEN", "seat")
    done(join(service, second, player, 3, instead_of=first))
    assert lobby(service, first)["seats_taken"] == []
    refused(join(service, second, player, 3, instead_of="no-table"), 404, "NOT_FOUND", "instead_of")


def test_S0_49_over_http_a_player_is_at_four_tables_at_most(service: Service) -> None:
    player = register(service, "EUR")
    tables = [open_table(service, LIVE, "EUR") for _ in range(5)]
    for table in tables[:4]:
        done(join(service, table, player))
    refused(join(service, tables[4], player), 409, "TABLE_LIMIT", "table")
    done(leave(service, tables[0], player))
    done(join(service, tables[4], player))


def test_S0_50_C29_over_http_the_newest_session_wins(service: Service) -> None:
    table, player = open_table(service, LIVE, "EUR"), register(service, "EUR", 10_000)
    round_ = open_round(service, table)
    done(join(service, table, player, session="phone"))
    assert done(join(service, table, player, session="desk"))["replaced"] is True
    wager = {"player": player, "ante": 500}
    path = f"/v1/rounds/{round_}/wagers"
    refused(service.post(path, {**wager, "session": "phone"}), 403, "FORBIDDEN", "session")
    refused(leave(service, table, player, session="phone"), 403, "FORBIDDEN", "session")
    assert money(service, player) == (10_000, 0)
    done(service.post(path, {**wager, "session": "desk"}), 201)


def test_S0_02_S3_02_over_http_a_seat_is_changed_between_hands_only(service: Service) -> None:
    table, player = open_table(service, DOLLAR, "USD"), register(service, "USD", 10_000)
    done(join(service, table, player, 1))
    round_ = open_round(service, table)
    refused(bet(service, round_, player, 500, seat=2), 409, "ALREADY_SEATED", "seat")
    done(bet(service, round_, player, 500, seat=1), 201)
    refused(join(service, table, player, 2), 409, "ALREADY_SEATED", "seat")
    for what in ("close", "deal", "settle"):
        done(step(service, round_, what))
    done(join(service, table, player, 2))


def test_S3_08_over_http_who_joins_during_a_hand_is_told_to_wait(service: Service) -> None:
    table, player = open_table(service, EURO, "EUR"), register(service, "EUR", 10_000)
    round_ = open_round(service, table)
    done(step(service, round_, "close"))
    assert done(join(service, table, player, 1))["waits"] is True
    refused(bet(service, round_, player), 409, "BETTING_CLOSED")


def test_S0_31_over_http_leaving_the_table_declines_open_bets(service: Service) -> None:
    table, player = open_table(service, LIVE, "EUR"), register(service, "EUR", 10_000)
    done(join(service, table, player))
    round_ = open_round(service, table)
    done(bet(service, round_, player, 500, seat=None), 201)
    assert done(leave(service, table, player))["declined"] == 1_500
    assert money(service, player) == (10_000, 0)


def test_S0_43_S0_44_over_http_settings_are_the_same_from_any_device(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    path = f"/v1/players/{player}/settings"
    usual = read(service, path)
    assert (usual["hide_chat"], usual["side_bets"]) == (False, True)
    done(patch(service, path, {"hide_chat": True, "side_bets": False, "game_volume": 30}))
    elsewhere = read(service, path)
    assert (elsewhere["hide_chat"], elsewhere["side_bets"], elsewhere["game_volume"]) == (True, False, 30)
    assert elsewhere["dealer_volume"] == usual["dealer_volume"]
    round_ = open_round(service, open_table(service, LIVE, "EUR"))
    refused(bet(service, round_, player, 500, seat=None, five_plus_one=100), 403, "FORBIDDEN", "side")
    refused(patch(service, path, {"game_volume": 101}), 422, "INVALID", "game_volume")
    refused(patch(service, "/v1/players/nobody/settings", {"hide_chat": True}), 404, "NOT_FOUND", "player")


def test_S3_21_over_http_an_own_limit_holds_at_once_at_all_games_and_changes_once_a_week(service: Service) -> None:
    player = register(service, "EUR", 100_000)
    path = f"/v1/players/{player}/limits"
    assert read(service, path)["ante_max"] is None
    assert done(patch(service, path, {"ante_max": 600}))["ante_max"] == 600
    assert read(service, path)["ante_max"] == 600
    refused(patch(service, path, {"ante_max": 700}), 409, "LIMIT_REACHED", "ante_max")
    refused(patch(service, path, {}), 422, "INVALID", "ante_max")
    for ruleset, seat in ((LIVE, None), (EURO, 1)):
        round_ = open_round(service, open_table(service, ruleset, "EUR"))
        refused(bet(service, round_, player, 601, seat=seat), 409, "LIMIT_REACHED", "ante")
        done(bet(service, round_, player, 600, seat=seat), 201)


def test_S0_49_over_http_a_table_without_multi_game_is_played_alone(service: Service) -> None:
    usual, alone = open_table(service, LIVE, "EUR"), open_table(service, LIVE, "EUR", multi_game=False)
    assert [lobby(service, one)["multi_game"] for one in (usual, alone)] == [True, False]
    player = register(service, "EUR", 10_000)
    done(join(service, usual, player))
    refused(join(service, alone, player), 409, "TABLE_LIMIT", "table")
    round_ = open_round(service, alone)
    refused(bet(service, round_, player, 500, seat=None), 409, "TABLE_LIMIT", "player")
    done(join(service, alone, player, instead_of=usual))
    done(bet(service, round_, player, 500, seat=None), 201)
    refused(join(service, usual, player), 409, "TABLE_LIMIT", "table")
    refused(bet(service, open_round(service, usual), player, 500, seat=None), 409, "TABLE_LIMIT", "player")
