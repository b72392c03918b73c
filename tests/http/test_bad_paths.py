"""Ids in paths and headers that no request may have: refused at every call, without effect, never repeated."""

from __future__ import annotations

import pytest

from tests.api.bad_bodies import MARK
from tests.http.contract import Contract, Operation
from tests.http.floor import EURO, LIVE, done, refused, register
from tests.http.raw import RawAnswer, ask
from tests.http.scene import Scene, new_scene
from tests.service import Service

IDS = {
    "NUL": b"%00",
    "NUL behind": b"alice%00",
    "65 characters": b"p" * 65,
    "5,000 characters": b"p" * 5000,
    "slash": b"a%2Fb",
    "parent": b"..%2F..%2Fetc",
    "dots": b"%2e%2e",
    "blank": b"a%20b",
    "quote": b"o'--",
    "SQL": b"x';drop%20table%20x--",
    "percent": b"%25",
    "half an escape": b"%E4%BD",
    "no UTF-8": b"%ff%fe",
    "surrogate": b"%ED%A0%80",
    "unicode": "\u00e9\U0001f0a1".encode(),
    "unicode escaped": b"%C3%A9",
    "line feed": b"a%0d%0aX-Injected:%201",
    "mark": MARK.encode().replace(b"<>", b"%3C%3E"),
    "semicolon": b"a;b",
    "braces": b"%7Bplayer%7D",
    "empty": b"",
}


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    return new_scene(service)


def targets(call: Operation, scene: Scene, bad: bytes) -> list[bytes]:
    """The call's path with each of its parameters bad in turn."""
    found = []
    for name in call.named("path"):
        path = call.url({**scene.ids, name: "\0"}).encode()
        found.append(path.replace(b"\0", bad))
    return found


def checked(contract: Contract, call: Operation, name: str, answer: RawAnswer) -> RawAnswer:
    contract.check_problem(f"{call}, {name}", answer.status, answer.headers, answer.body)
    assert "x-injected" not in answer.headers
    return answer


def test_F17_an_id_of_no_form_is_refused_by_every_call(contract: Contract, scene: Scene) -> None:
    before = scene.state()
    for call in contract.operations():
        more = () if call.method == "GET" else ("Idempotency-Key: bad-path",)
        for name, bad in IDS.items():
            for target in targets(call, scene, bad):
                body = b"{}" if more else b""
                if name == "dots" and call.path.endswith("/rollback"):
                    continue  # and an id unheard of is kept from coming later
                answer = checked(contract, call, name, ask(scene.service, call.method, target, *more, body=body))
                if name == "dots" and more:
                    continue  # two dots are a good id; there is no such object, or the empty body is refused
                wanted = {400} if name == "unicode" else {404, 422}  # bytes beyond ASCII are no HTTP at all
                assert answer.status in wanted, f"{call}, {name}: {answer}"
    assert scene.state() == before


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/", "//", "/v2/players", "/v1/players/", "/v1//players",
                                  "/V1/players", "/v1/players/x", "/redoc", "/docs/static/../../auth.py", "/.env",
                                  "/docs/static/%2e%2e/%2e%2e/auth.py", "/v1/tables/../players"])  # fmt: skip
def test_a_path_that_is_not_there_is_a_problem_document(contract: Contract, service: Service, path: str) -> None:
    for method in ("GET", "POST"):
        answer = ask(service, method, path, "Idempotency-Key: no-path")
        contract.check_problem(path, answer.status, answer.headers, answer.body)
        assert answer.status in {404, 405}, answer


KEYS: dict[str, tuple[str | bytes, ...]] = {
    "missing": (),
    "empty": ("Idempotency-Key:",),
    "blank": ("Idempotency-Key:    ",),
    "256 characters": ("Idempotency-Key: " + "k" * 256,),
    "unicode": ("Idempotency-Key: \u00e9",),
    "tab": ("Idempotency-Key: a\tb",),
    "no UTF-8": (b"Idempotency-Key: \xff\xfe",),
    "two": ("Idempotency-Key: a", "Idempotency-Key: b"),
}


def test_F17_without_a_good_idempotency_key_no_call_has_an_effect(contract: Contract, scene: Scene) -> None:
    before = scene.state()
    for call in contract.operations("POST", "PATCH"):
        for name, lines in KEYS.items():
            answer = ask(scene.service, call.method, call.url(scene.ids), *lines, body=b"{}")
            checked(contract, call, name, answer)
            if call.path.endswith("/bulk") and name == "missing":  # the items' own keys will do, and here are no items
                assert (answer.status, answer.code) == (422, "INVALID"), f"{call}, {name}: {answer}"
                continue
            assert (answer.status, answer.code) == (400, "INVALID"), f"{call}, {name}: {answer}"
            assert b'"field":"idempotency-key"' in answer.body
    assert scene.state() == before


def test_a_key_of_255_characters_serves(service: Service) -> None:
    player = service.name("player")
    body = {"player": player, "currency": "EUR"}
    key = (player + "k" * 255)[:255]
    assert done(service.post("/v1/players", body, key=key), 201) == done(
        service.post("/v1/players", body, key=key), 201
    )


def test_bug_021_a_command_takes_no_query(contract: Contract, scene: Scene) -> None:
    before = scene.state()
    for call in contract.operations("POST", "PATCH"):
        for query in ("dry_run=true", f"{MARK}=1", "x", "=", "a=%00", "a;b"):
            answer = scene.service.send(call.method, f"{call.url(scene.ids)}?{query}", {})
            assert answer.status_code == 422, f"{call}: {answer.text}"
    assert scene.state() == before


def test_a_request_id_of_the_caller_comes_back_only_in_the_form_of_an_id(service: Service) -> None:
    for sent, kept in (("ticket-17", True), (MARK, False), ("a" * 65, False), ("a b", False)):
        answer = service.get("/v1/players/nobody/balance", headers={"X-Request-Id": sent})
        refused(answer, 404, "NOT_FOUND", "player")
        assert (answer.headers["x-request-id"] == sent) is kept


@pytest.mark.parametrize("amount", ["100", 10.5, "10.5", "1.005", True, 0, -500, 0.4, 10**15 + 1, 2**63, None, [1]])
@pytest.mark.parametrize("currency", ["JPY", "KWD", "EUR"])
def test_bug_031_bug_033_amounts_are_whole_minor_units_in_every_currency(
    service: Service, currency: str, amount: object
) -> None:
    player = register(service, currency, 100)
    for kind in ("deposits", "withdrawals"):
        body = {"amount": amount, "currency": currency, "transaction_id": service.name("bad")}
        refused(service.post(f"/v1/players/{player}/{kind}", body), 422, "INVALID", "amount")


def test_bug_027_amounts_past_2_to_the_31_and_50_million_are_exact(service: Service) -> None:
    player = register(service, "KWD", 5_000_000_000)
    body = {"amount": 10**15 - 5_000_000_000, "currency": "KWD", "transaction_id": service.name("much")}
    found = done(service.post(f"/v1/players/{player}/deposits", body), 201)["balance"]
    assert found == {"available": 10**15, "held": 0, "currency": "KWD", "exponent": 3}
    one = {"amount": 1, "currency": "KWD", "transaction_id": service.name("more")}
    refused(service.post(f"/v1/players/{player}/deposits", one), 422, "INVALID", "amount")


@pytest.mark.parametrize(("ruleset", "largest"), [(EURO, 10**15 // 404), (LIVE, 10**15 // (204 + 1001))])
def test_bug_027_no_tables_limits_allow_a_payout_above_10_to_the_15(
    service: Service, ruleset: str, largest: int
) -> None:
    body = {"table": service.name("table"), "ruleset": ruleset, "currency": "EUR", "ante_min": 1}
    refused(service.post("/v1/tables", {**body, "ante_max": largest + 1}), 422, "INVALID", "ante_max")
    done(service.post("/v1/tables", {**body, "ante_max": largest}), 201)
