"""The evening that the examples of the OpenAPI document are taken from: a small casino, every call made once."""

from __future__ import annotations

from typing import Any

from tests.contract.record import Recorder

EURO, DOLLAR, LAND, LIVE = "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1", "live-5plus1-v1"
PAIR, LOW, ROYAL = (
    ["As", "Ad", "Qh", "7c", "2s"],
    ["Jd", "9h", "8c", "5d", "3h"],
    ["Ts", "Js", "Qs", "Ks", "As"],
)
DEALER, CORRECTED = ["Ac", "Kh", "4d", "3s", "2h"], ["8h", "6s", "5c", "3s", "2h"]
WHY = {"reason": "agreed with the shift manager", "approver": "shift-manager"}


def play(call: Recorder) -> None:
    """Every scene, in order; each leaves what the next needs."""
    for scene in (cashier, pools, lobby, betting, scanned, undone, awards, chat, house, reads):
        scene(call)


def cashier(call: Recorder) -> None:
    """Players, and money in and out."""
    for player, currency in (("ann", "EUR"), ("bob", "EUR"), ("eve", "USD")):
        call("POST", "/v1/players", {"player": player, "currency": currency})
        path = f"/v1/players/{player}/deposits"
        call("POST", path, {"amount": 500_000, "currency": currency, "transaction_id": f"bank-in-{player}"})
    call("POST", "/v1/players", {"player": "ann", "currency": "USD"})
    call("POST", "/v1/players/ann/deposits", {"amount": 500, "currency": "USD", "transaction_id": "bank-in-7"})
    again = {"amount": 500_000, "currency": "EUR", "transaction_id": "bank-in-ann"}
    call("POST", "/v1/players/ann/deposits", again)
    call("POST", "/v1/players/ann/deposits", {**again, "amount": 1})
    for amount, name in ((20_000, "bank-out-1"), (9_000_000, "bank-out-2")):
        body = {"amount": amount, "currency": "EUR", "transaction_id": name}
        call("POST", "/v1/players/ann/withdrawals", body)
    many = [
        {"player": "ann", "amount": 1_000, "currency": "EUR", "transaction_id": "bank-in-8", "key": "night-1/0"},
        {"player": "zed", "amount": 1_000, "currency": "EUR", "transaction_id": "bank-in-9", "key": "night-1/1"},
    ]
    call("POST", "/v1/deposits/bulk", {"deposits": many})
    call("POST", "/v1/deposits/bulk", {"deposits": many[1:], "atomic": True})
    call("POST", "/v1/players/bob/adjustments", {"amount": -250, **WHY})
    call("POST", "/v1/players/bob/adjustments", {"amount": -250, "reason": "alone", "approver": "demo-engineer"})
    call("POST", "/v1/transactions/bank-in-8/rollback")
    call("POST", "/v1/players/zed/withdrawals", {"amount": 1, "currency": "EUR", "transaction_id": "bank-out-3"})
    body = {"amount": 1_000, "currency": "EUR", "transaction_id": "bank-in-10"}
    call("POST", "/v1/players/bob/deposits", body)
    call("POST", "/v1/players/bob/withdrawals", {**body, "amount": 500_750, "transaction_id": "bank-out-4"})
    call("POST", "/v1/transactions/bank-in-10/rollback")
    call("POST", "/v1/players/bob/deposits", {**body, "amount": 500_000, "transaction_id": "bank-in-11"})
    call("PATCH", "/v1/players/ann/settings", {"hide_chat": True, "dealer_volume": 60})
    call("PATCH", "/v1/players/ann/settings", {"dealer_volume": 101})
    call("PATCH", "/v1/players/bob/limits", {"ante_max": 5_000})
    call("PATCH", "/v1/players/bob/limits", {"ante_max": 9_000})


def pools(call: Recorder) -> None:
    """Progressive jackpots."""
    for name, ruleset, currency in (("euro", EURO, "EUR"), ("euro-2", EURO, "EUR"), ("land", LAND, "USD")):
        body = {"jackpot": name, "ruleset": ruleset, "currency": currency, "seed": 10_000_000, "reset": 10_000_000}
        call("POST", "/v1/jackpots", body | ({"handpay_threshold": 100_000} if ruleset == LAND else {}))
    call("POST", "/v1/jackpots", {**body, "jackpot": "euro"})
    call("PATCH", "/v1/jackpots/euro", {"increment_rate": "0.50", "reason": "summer season"})
    call("PATCH", "/v1/jackpots/euro", {"increment_rate": "1.50", "reason": "summer season"})
    call("POST", "/v1/jackpots/euro/corrections", {"amount_micro": "-1500000", "account": "m", **WHY})
    call("POST", "/v1/jackpots/euro/corrections", {"amount_micro": "0", **WHY})
    call("POST", "/v1/jackpots/euro/transfers", {"amount_micro": "2000000000", "to": "euro-2", **WHY})
    call("POST", "/v1/jackpots/euro/transfers", {"amount_micro": "1", "to": "land", **WHY})


def lobby(call: Recorder) -> None:
    """Tables, and who is at them."""
    terms = {"currency": "EUR", "ante_min": 500, "ante_max": 10_000, "card_source": "FEED"}
    call("POST", "/v1/tables", {"table": "salon", "ruleset": EURO, "jackpot": "euro", **terms})
    call("POST", "/v1/tables", {"table": "salon", "ruleset": LIVE, **terms})
    call("POST", "/v1/tables", {"table": "studio", "ruleset": LIVE, **terms})
    call("POST", "/v1/tables", {"table": "pit", "ruleset": LAND, "jackpot": "land", **terms, "currency": "USD"})
    seat = {"player": "ann", "seat": 2, "session": "phone"}
    call("POST", "/v1/tables/salon/join", seat)
    call("POST", "/v1/tables/salon/join", {**seat, "session": "tablet"})
    call("POST", "/v1/tables/salon/join", {"player": "bob", "seat": 2, "session": "pc"})
    call("POST", "/v1/tables/salon/leave", {"player": "ann", "session": "phone"})
    call("POST", "/v1/tables/salon/leave", {"player": "ann", "session": "tablet"})


def betting(call: Recorder) -> None:
    """A round of a live feed, from the first wager to its settlement, and what players do meanwhile."""
    salon = call("POST", "/v1/tables/salon/rounds")["round"]
    call("POST", "/v1/tables/salon/rounds")
    path = f"/v1/rounds/{salon}"
    wager = {"player": "ann", "seat": 2, "ante": 1_000, "side": {"progressive": 50}}
    call("POST", f"{path}/wagers", wager)
    for bad in ({"ante": 900_000}, {"seat": 3}):
        call("POST", f"{path}/wagers", wager | bad)
    call("POST", f"{path}/double", {"player": "ann"})
    call("POST", f"{path}/double", {"player": "ann"})
    call("POST", f"{path}/undo", {"player": "ann"})
    item = {"player": "bob", "seat": 4, "ante": 2_000, "side": {"progressive": 50}, "key": "salon-1/bob"}
    call("POST", f"{path}/wagers/bulk", {"wagers": [item, {**item, "player": "zed", "key": "salon-1/zed"}]})
    call("POST", f"{path}/wagers/bulk", {"wagers": []})
    call("POST", f"{path}/deal")
    call("POST", f"{path}/close")
    for late in ("close", "undo", "pass", "leave"):
        call("POST", f"{path}/{late}", {} if late == "close" else {"player": "ann"})
    call("POST", f"{path}/wagers", wager)
    cards = {"seats": {"2": PAIR, "4": LOW}, "dealer": DEALER}
    call("POST", f"{path}/deal", cards | {"dealer": ["As", *DEALER[1:]]})
    call("POST", f"{path}/deal", cards)
    call("GET", f"{path}/players/ann", min_position=1)
    call("POST", f"{path}/pause", {"reason": "a card fell"})
    call("POST", f"{path}/pause", {"reason": "a card fell"})
    call("POST", f"{path}/resume", {"reason": "it was seen by nobody"})
    call("POST", f"{path}/resume")
    call("POST", f"{path}/decisions", {"player": "ann", "decision": "call"})
    call("POST", f"{path}/decisions", {"player": "ann", "decision": "fold"})
    call("POST", f"{path}/decisions/bulk", {"decisions": [{"player": "bob", "decision": "fold", "key": "salon-1/b"}]})
    call("POST", f"{path}/decisions/bulk", {"decisions": [{"player": "bob", "decision": "raise"}], "atomic": True})
    call("POST", f"{path}/settle")
    call("POST", f"{path}/settle")
    again = call("POST", "/v1/tables/salon/rounds")["round"]
    for what, player in (("repeat", "ann"), ("pass", "bob"), ("leave", "ann")):
        call("POST", f"/v1/rounds/{again}/{what}", {"player": player})
    call("POST", f"/v1/rounds/{again}/void", {"reason": "the table closes for the night"})


def scanned(call: Recorder) -> None:
    """A live table whose cards come one by one."""
    studio = call("POST", "/v1/tables/studio/rounds")["round"]
    path = f"/v1/rounds/{studio}"
    call("POST", f"{path}/wagers", {"player": "ann", "ante": 1_000, "side": {"five_plus_one": 100}})
    call("POST", f"{path}/cards", {"to": "player", "number": 1, "card": "Kd"})
    call("POST", f"{path}/close")
    for number, card in ((1, "Kd"), (2, "7c"), (1, "Kd")):
        call("POST", f"{path}/cards", {"to": "player", "number": number, "card": card})
    fix = {"to": "player", "number": 1, "card": "Kh", "reason": "glare on the scanner"}
    call("POST", f"{path}/cards/corrections", fix)
    call("POST", f"{path}/cards/corrections", {**fix, "number": 3})
    call("POST", f"{path}/void", {"reason": "the scanner failed"})
    call("POST", f"{path}/void", {"reason": "the scanner failed"})


def undone(call: Recorder) -> None:
    """What is put right after settlement."""
    first = _settled(call, "salon", {"1": ("ann", PAIR)}, DEALER, "EUR")
    fix = {"seats": {"1": LOW}, "dealer": CORRECTED, "policy": "HOUSE_ABSORBS", **WHY}
    call("POST", f"{first}/resettle", {**fix, "seats": {"1": ["8h", *LOW[1:]]}})
    call("POST", f"{first}/resettle", fix)
    second = _settled(call, "salon", {"1": ("ann", PAIR)}, DEALER, "EUR")
    call("POST", f"{second}/void/resolve", {"policy": "CLAW_BACK"})
    call("POST", f"{second}/void", {"reason": "wrong deck", "policy": "CLAW_BACK", "approver": "demo-engineer"})
    call("POST", f"{second}/void", {**WHY, "policy": "HOLD_FOR_REVIEW"})
    call("POST", f"{second}/void/resolve", {"policy": "HOUSE_ABSORBS"})


def _settled(call: Recorder, table: str, hands: dict[str, tuple[str, list[str]]], dealer: list[str], _: str) -> str:
    """The path of a settled round; every player called."""
    path = f"/v1/rounds/{call('POST', f'/v1/tables/{table}/rounds')['round']}"
    price = 100 if table == "pit" else 50
    for seat, (player, _hand) in hands.items():
        wager = {"player": player, "seat": int(seat), "ante": 1_000, "side": {"progressive": price}}
        call("POST", f"{path}/wagers", wager)
    call("POST", f"{path}/close")
    call("POST", f"{path}/deal", {"seats": {seat: hand for seat, (_p, hand) in hands.items()}, "dealer": dealer})
    for player, _hand in hands.values():
        call("POST", f"{path}/decisions", {"player": player, "decision": "call"})
    call("POST", f"{path}/settle")
    return path


def awards(call: Recorder) -> None:
    """Two prizes above the hand-pay threshold: one is paid, one is not."""
    for what in ("verify", "refuse"):
        path = _settled(call, "pit", {"3": ("eve", ROYAL)}, DEALER, "USD")
        view = call("GET", path, min_position=_now(call))
        award = next(one["award"] for one in view["awards"])
        for _ in range(2):
            call("POST", f"/v1/jackpots/land/awards/{award}/{what}", WHY)


def _now(call: Recorder) -> int:
    return int(call.client.get("/readyz").json()["position"])


def chat(call: Recorder) -> None:
    """What is said at a table."""
    call("POST", "/v1/tables/studio/join", {"player": "bob", "session": "pc"})
    said = call("POST", "/v1/tables/studio/chat", {"player": "bob", "text": "good evening"})
    call("POST", "/v1/tables/studio/chat", {"player": "ann", "text": "hello"})
    call("POST", "/v1/tables/studio/announcements", {"text": "The next round begins at nine."})
    withdraw = f"/v1/tables/studio/chat/{said['message']}/withdraw"
    for _ in range(2):
        call("POST", withdraw, {"reason": "complaint of a guest"})
    for what in ("remove", "remove", "restore", "restore"):
        call("POST", f"/v1/players/bob/chat/{what}", {"reason": "house rules"})
    call("PATCH", "/v1/tables/studio/chat", {"chat": "SYSTEM_ONLY", "reason": "a tournament night"})
    call("PATCH", "/v1/tables/studio/chat", {"chat": "LOUD", "reason": "a tournament night"})


def house(call: Recorder) -> None:
    """What is out of service."""
    for what in ("disable", "disable", "enable", "enable"):
        call("POST", f"/v1/{what}", {"scope": "TABLE", "id": "studio", "reason": "new felt"})
    for _ in range(2):
        call("POST", "/v1/one-device", {"one_device": True, "reason": "one terminal for each patron"})


def reads(call: Recorder) -> None:
    """Every read, once all of that has happened."""
    now = _now(call)

    def ask(path: str, **query: str | int) -> Any:
        return call("GET", path, min_position=now, **query)

    rounds = ask("/v1/rounds", table="salon", limit=2)["items"]
    for path in ("balance", "account-history", "game-history", "settings", "limits"):
        ask(f"/v1/players/ann/{path}", **({"limit": 3} if "history" in path else {}))
    ask("/v1/transactions/by-reference/bank-in-ann")
    ask("/v1/jackpots/euro")
    ask("/v1/tables", limit=2)
    ask("/v1/rounds", table="salon", limit=2)
    ask(f"/v1/rounds/{rounds[0]['round']}")
    ask(f"/v1/rounds/{rounds[0]['round']}/events")
    ask(f"/v1/rounds/{rounds[0]['round']}/replay")
    ask(f"/v1/rounds/{rounds[0]['round']}/evidence")
    ask("/v1/evidence/keys")
    ask("/v1/tables/studio/chat", limit=3)
    ask("/v1/tables/studio/chat/log", limit=3)
    ask("/v1/events", after=0, limit=2)
    ask("/v1/journal", limit=2)
    ask("/v1/journal", limit=0)
    ask("/v1/rounds")
    for path in ("/livez", "/readyz", "/metrics"):
        call("GET", path)
