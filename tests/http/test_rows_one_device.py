"""One device of a player overall, over HTTP, by an operator of its own: the switch is the whole operator's (C29)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, make_key
from tests.http.floor import EURO, bet, done, money, open_round, open_table, read, refused, register, step
from tests.service import Service

ON = {"one_device": True, "reason": "one terminal for each patron"}
OFF = {**ON, "one_device": False}


@pytest.fixture(scope="module")
def house(service: Service) -> Iterator[Service]:
    """The service as an operator calls it that allows one device; the other tests' operator is not disturbed."""
    key = make_key()
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, "strict", "named")
        assert add_key(conn, KeyRow(key.key_id, "strict", "pit", ROLES, key.hash))
    with httpx2.Client(base_url=service.url, headers={"Authorization": f"Bearer {key.key}"}, timeout=120) as client:
        strict = replace(service, key=key.key, client=client)
        assert done(strict.post("/v1/one-device", ON))["one_device"] is True
        yield strict


def join(service: Service, table: str, player: str, session: str) -> httpx2.Response:
    return service.post(f"/v1/tables/{table}/join", {"player": player, "seat": 1, "session": session})


def test_C29_over_http_with_one_device_another_ones_join_ends_the_older_sessions_everywhere(house: Service) -> None:
    first, second = open_table(house, EURO, "EUR"), open_table(house, EURO, "EUR")
    player, other = register(house, "EUR", 100_000), register(house, "EUR", 100_000)
    round_ = open_round(house, first)
    done(join(house, first, player, "phone"))
    done(bet(house, round_, player), 201)
    assert money(house, player)[1] > 0
    done(join(house, second, player, "desk"))
    assert money(house, player) == (100_000, 0)  # declined: betting is open
    old = {"player": player, "session": "phone"}
    for act in ("pass", "leave"):
        refused(step(house, round_, act, old), 403, "FORBIDDEN", "session")
    refused(house.post(f"/v1/rounds/{round_}/wagers", {**old, "seat": 1, "ante": 500}), 403, "FORBIDDEN", "session")
    refused(house.post(f"/v1/tables/{first}/leave", old), 403, "FORBIDDEN", "session")
    seats = {one["table"]: one["seats_taken"] for one in read(house, "/v1/tables")["items"]}
    assert (seats[first], seats[second]) == ([], [1])
    done(join(house, first, other, "phone"))


def test_C29_over_http_one_operators_switch_is_not_anothers(house: Service, service: Service) -> None:
    refused(house.post("/v1/one-device", ON), 409, "WRONG_PHASE", "one_device")
    tables, player = [open_table(service, EURO, "EUR") for _ in range(2)], register(service, "EUR", 100_000)
    round_ = open_round(service, tables[0])
    for table, session in zip(tables, ("phone", "desk"), strict=True):
        done(join(service, table, player, session))
    body = {"player": player, "seat": 1, "ante": 500, "session": "phone"}
    done(service.post(f"/v1/rounds/{round_}/wagers", body), 201)


def test_C29_over_http_off_again_a_player_is_at_two_tables_by_two_devices(house: Service) -> None:
    tables, player = [open_table(house, EURO, "EUR") for _ in range(2)], register(house, "EUR", 100_000)
    assert done(house.post("/v1/one-device", OFF))["one_device"] is False
    refused(house.post("/v1/one-device", OFF), 409, "WRONG_PHASE", "one_device")
    for table, session in zip(tables, ("phone", "desk"), strict=True):
        done(join(house, table, player, session))
    seats = {one["table"]: one["seats_taken"] for one in read(house, "/v1/tables")["items"]}
    assert [seats[table] for table in tables] == [[1], [1]]
    done(house.post("/v1/one-device", ON))
