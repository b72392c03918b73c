"""The back office of that evening: keys, the log of their use, webhooks. Calls that the document lacks are left out."""

from __future__ import annotations

import time

from domain.reconciliations import PoolTotals
from services.reconcile.totals import state_hash
from tests.contract.record import Recorder


def play(call: Recorder) -> None:
    """Every scene whose calls are there."""
    scenes = (
        ("/v1/keys", keys), ("/v1/webhooks", webhooks), ("/v1/reconciliations", days), ("/v1/exports", books),
    )  # fmt: skip
    for path, scene in scenes:
        if call.contract.operation_at("POST", path) is not None:
            scene(call)


def keys(call: Recorder) -> None:
    """A key is made, doubled and ended."""
    wish = {"subject": "back-office", "roles": ["operator"], "label": "main site"}
    made = call("POST", "/v1/keys", wish)
    call("POST", "/v1/keys", {**wish, "roles": ["king"]})
    path = f"/v1/keys/{made['key_id']}"
    call("POST", f"{path}/rotate")
    call("POST", f"{path}/rotate")
    call("POST", f"{path}/revoke")
    call("GET", "/v1/keys", limit=2)
    call("GET", "/v1/access-log", limit=2)


def webhooks(call: Recorder) -> None:
    """An address that events are sent to."""
    wish = {"webhook": "back-office", "url": "https://casino.example/events", "types": ["studbook.round."]}
    call("POST", "/v1/webhooks", wish)
    call("POST", "/v1/webhooks", {**wish, "url": "http://casino.example/events"})
    path = "/v1/webhooks/back-office"
    call("PATCH", path, {"types": ["studbook.round.", "studbook.wallet."]})
    call("GET", "/v1/webhooks")
    call("GET", path)
    for what in ("ping", "rotate"):
        call("POST", f"{path}/{what}")
    call("POST", f"{path}/replay", {"after": 0})
    call("GET", f"{path}/deliveries")
    call("DELETE", path)


def days(call: Recorder) -> None:
    """A day of one pool is prepared with a break, which is resolved; a second person seals it."""
    zero = dict.fromkeys(("resets", "corrections", "transfers", "shortfall", "awards", "overflow", "pay"), "0")
    moved = {"opening": "100000000000", "seed": "0", "contributions": "25000000", **zero}
    left = {"meter": "100020000000", "reserve": "5000000", "con": "-25000000", "fund": "-100000000000"}
    pool = {"jackpot": "euro", "currency": "EUR", **{f"{name}_micro": micro for name, micro in (moved | left).items()}}
    totals = PoolTotals(**{name: int(of) if name.endswith("_micro") else of for name, of in pool.items()})
    day, head = "2026-01-02", "5d" * 32
    found = {"id": "b-0123456789abcdef", "kind": "MODEL", "about": "euro res", "position": 7, "expected": "5000000",
             "found": "5000007", "reason": "the stored row at position 9"}  # fmt: skip
    sheet = {"day": day, "log_position": 7, "chain_head": head, "state_hash": state_hash(day, 7, (totals,))}
    call("POST", "/v1/reconciliations", {**sheet, "pools": [pool], "breaks": [found]})
    call("POST", "/v1/reconciliations", {**sheet, "state_hash": head, "pools": [pool], "breaks": [found]})
    at = f"/v1/reconciliations/{day}"
    signed = {"reason": "seen and agreed", "approver": "kim"}
    call("POST", f"{at}/sign-off", signed)
    done = {"resolution": "CORRECTED", "reference": "10", "note": "the model was rebuilt"}
    call("POST", f"{at}/breaks/{found['id']}/resolve", done)
    call("POST", f"{at}/breaks/{found['id']}/resolve", done)
    call("POST", f"{at}/sign-off", signed)
    call("GET", at)


def books(call: Recorder) -> None:
    """Reports and files for finance."""
    call("GET", "/v1/reports")
    asked = {"currency": "EUR", "to": "2120-01-01T00:00:00Z"}
    call("GET", "/v1/reports/trial-balance", **asked)
    call("GET", "/v1/reports/trial-balance", explain="accounts:closing:EUR:cash", **asked)
    call("GET", "/v1/reports/statement")
    call("GET", "/v1/reports/horoscope")
    body = {"kind": "trial-balance", "format": "csv", **asked}
    path = f"/v1/exports/{call('POST', '/v1/exports', body)['export']}"
    call("POST", "/v1/exports", {**body, "kind": "horoscope"})
    while call("GET", path)["status"] in {"WAITING", "RUNNING"}:
        time.sleep(0.1)
    call("GET", f"{path}/file")
