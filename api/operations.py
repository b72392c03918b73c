"""What each call is named in the OpenAPI document, and under which heading it stands.

The name is the operationId, and the method of our Python client (api/client). It is chosen by hand here and never
changed once published: docs/openapi.json is compared by a test. A call without a row keeps the name that its path
makes, such as `post_rounds_wagers`, and that is then published.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NAMES: Final[Mapping[str, str]] = {
    "POST /v1/players": "register_player",
    "POST /v1/players/{player}/deposits": "deposit",
    "POST /v1/players/{player}/withdrawals": "withdraw",
    "POST /v1/players/{player}/adjustments": "adjust_balance",
    "POST /v1/deposits/bulk": "deposit_many",
    "GET /v1/players/{player}/balance": "get_balance",
    "GET /v1/players/{player}/account-history": "list_account_history",
    "GET /v1/players/{player}/game-history": "list_game_history",
    "GET /v1/players/{player}/settings": "get_settings",
    "PATCH /v1/players/{player}/settings": "change_settings",
    "GET /v1/players/{player}/limits": "get_limits",
    "PATCH /v1/players/{player}/limits": "change_limits",
    "GET /v1/transactions/by-reference/{transaction_id}": "get_transaction",
    "POST /v1/transactions/{transaction_id}/rollback": "roll_back_transaction",
    "POST /v1/jackpots": "open_jackpot",
    "GET /v1/jackpots/{jackpot}": "get_jackpot",
    "PATCH /v1/jackpots/{jackpot}": "change_jackpot",
    "POST /v1/jackpots/{jackpot}/corrections": "correct_jackpot",
    "POST /v1/jackpots/{jackpot}/transfers": "transfer_between_jackpots",
    "POST /v1/jackpots/{jackpot}/awards/{award}/verify": "verify_award",
    "POST /v1/jackpots/{jackpot}/awards/{award}/refuse": "refuse_award",
    "POST /v1/tables": "open_table",
    "GET /v1/tables": "list_tables",
    "POST /v1/tables/{table}/rounds": "open_round",
    "POST /v1/tables/{table}/join": "join_table",
    "POST /v1/tables/{table}/leave": "leave_table",
    "GET /v1/tables/{table}/chat": "list_chat",
    "GET /v1/tables/{table}/chat/log": "list_chat_log",
    "POST /v1/tables/{table}/chat": "post_message",
    "PATCH /v1/tables/{table}/chat": "change_chat",
    "POST /v1/tables/{table}/announcements": "announce",
    "POST /v1/tables/{table}/chat/{message}/withdraw": "withdraw_message",
    "POST /v1/players/{player}/chat/remove": "remove_from_chat",
    "POST /v1/players/{player}/chat/restore": "restore_to_chat",
    "POST /v1/rounds/{round}/wagers": "place_wagers",
    "POST /v1/rounds/{round}/wagers/bulk": "place_many_wagers",
    "POST /v1/rounds/{round}/undo": "undo_wagers",
    "POST /v1/rounds/{round}/double": "double_wagers",
    "POST /v1/rounds/{round}/repeat": "repeat_wagers",
    "POST /v1/rounds/{round}/pass": "pass_round",
    "POST /v1/rounds/{round}/leave": "leave_round",
    "POST /v1/rounds/{round}/close": "close_betting",
    "POST /v1/rounds/{round}/deal": "deal",
    "POST /v1/rounds/{round}/cards": "scan_card",
    "POST /v1/rounds/{round}/cards/corrections": "correct_scan",
    "POST /v1/rounds/{round}/decisions": "decide",
    "POST /v1/rounds/{round}/decisions/bulk": "decide_many",
    "POST /v1/rounds/{round}/settle": "settle_round",
    "POST /v1/rounds/{round}/pause": "pause_round",
    "POST /v1/rounds/{round}/resume": "resume_round",
    "POST /v1/rounds/{round}/void": "void_round",
    "POST /v1/rounds/{round}/void/resolve": "resolve_void",
    "POST /v1/rounds/{round}/resettle": "resettle_round",
    "GET /v1/rounds": "find_rounds",
    "GET /v1/rounds/{round}": "get_round",
    "GET /v1/rounds/{round}/events": "list_round_events",
    "GET /v1/rounds/{round}/replay": "replay_round",
    "GET /v1/rounds/{round}/evidence": "get_round_evidence",
    "GET /v1/evidence/keys": "list_evidence_keys",
    "GET /v1/rounds/{round}/players/{player}": "get_own_view",
    "GET /v1/events": "list_events",
    "GET /v1/events/stream": "stream_events",
    "GET /v1/jackpots/{jackpot}/stream": "stream_jackpot",
    "POST /v1/webhooks": "add_webhook",
    "GET /v1/webhooks": "list_webhooks",
    "GET /v1/webhooks/{webhook}": "get_webhook",
    "PATCH /v1/webhooks/{webhook}": "change_webhook",
    "DELETE /v1/webhooks/{webhook}": "remove_webhook",
    "POST /v1/webhooks/{webhook}/rotate": "rotate_webhook_secret",
    "POST /v1/webhooks/{webhook}/ping": "ping_webhook",
    "POST /v1/webhooks/{webhook}/replay": "replay_webhook",
    "GET /v1/webhooks/{webhook}/deliveries": "list_deliveries",
    "GET /v1/approvals": "list_approvals",
    "GET /v1/approvals/{approval}": "get_approval",
    "POST /v1/approvals/{approval}": "decide_approval",
    "POST /v1/reconciliations": "prepare_reconciliation",
    "GET /v1/reconciliations/{day}": "get_reconciliation",
    "POST /v1/reconciliations/{day}/breaks/{break_id}/resolve": "resolve_break",
    "POST /v1/reconciliations/{day}/sign-off": "sign_off_reconciliation",
    "POST /v1/keys": "add_key",
    "GET /v1/keys": "list_keys",
    "POST /v1/keys/{key_id}/rotate": "rotate_key",
    "POST /v1/keys/{key_id}/revoke": "revoke_key",
    "GET /v1/access-log": "list_access_log",
    "GET /v1/journal": "list_journal",
    "GET /v1/reports": "list_reports",
    "GET /v1/reports/{name}": "get_report",
    "POST /v1/exports": "ask_for_export",
    "GET /v1/exports/{export}": "get_export",
    "GET /v1/exports/{export}/file": "get_export_file",
    "POST /v1/disable": "disable",
    "POST /v1/enable": "enable",
    "POST /v1/one-device": "set_one_device",
    "GET /livez": "get_livez",
    "GET /readyz": "get_readyz",
    "GET /metrics": "get_metrics",
}
"""Method and path to name."""

ABOUT: Final = """\
Players, wallets, tables, rounds, wagers and progressive jackpots of Caribbean Stud Poker.

- `Authorization: Bearer <key>`; each call names the roles that may make it.
- Every command has an `Idempotency-Key` of your own, one for each intention. Sent again, it has its effect once and \
gets its first answer. After a time-out, 408, 429, 500 or 503 send the same request again.
- Amounts are whole minor units: 1250 with exponent 2 is 12.50. Unknown fields are refused.
- Errors are [problem documents](/docs/problems): build on `code`, retry where `retryable` is true.
- Examples were played against a running service.
"""
"""What stands above all calls."""

TAGS: Final[Mapping[str, str]] = {
    "players": "Wallets, money in and out, histories, settings and limits of a player's own.",
    "jackpots": "Progressive pools: their meters, parameters, awards and corrections.",
    "tables": "The lobby, tables, and who is at them.",
    "rounds": "A round from betting to settlement, and what undoes it.",
    "audit": "A round replayed, settled a second time and proved, for auditors.",
    "chat": "What is said at tables, and its moderation.",
    "books": "Events for followers, the journal for finance.",
    "reports": "For finance and auditors, worked out from the events when they are asked for.",
    "exports": "The same, the journal and the events as files.",
    "approvals": "What needs a second person, where `four_eyes` is `strict`.",
    "reconciliations": "A gaming day prepared, its breaks resolved, signed off by a second person, sealed.",
    "keys": "Keys of an operator, and the log of their use.",
    "webhooks": "Events sent to an address of yours.",
    "service": "What is out of service, and rules of the whole house.",
    "health": "Of the process; no key needed.",
}
"""Heading to what stands under it, in the order of the page /docs."""

_UNDER: Final = {
    "transactions": "players", "deposits": "players", "disable": "service", "enable": "service",
    "one-device": "service", "events": "books", "journal": "books", "access-log": "keys",
    "evidence": "audit",
}  # fmt: skip
"""The first word of a path to its heading, where that is not the word itself."""

_OF_AUDITORS: Final = frozenset({"replay", "evidence"})
"""What of a round is for auditors: the last word of its path."""


def name_all(document: dict[str, Any]) -> None:
    """Give every operation of the document its name and heading, and the headings their texts."""
    document["info"]["description"] = ABOUT
    used = set()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            operation["operationId"] = NAMES.get(f"{method.upper()} {path}", operation["operationId"])
            operation["tags"] = [_tag(path)] if path.startswith("/v1/") else operation["tags"]
            used.update(operation["tags"])
    order = [*TAGS, *sorted(used - TAGS.keys())]
    document["tags"] = [
        {"name": tag} | ({"description": TAGS[tag]} if tag in TAGS else {}) for tag in order if tag in used
    ]


def _tag(path: str) -> str:
    words = path.split("/")[2:]
    if words[0] == "rounds" and words[-1] in _OF_AUDITORS:
        return "audit"
    if "chat" in words or "announcements" in words:
        return "chat"
    return _UNDER.get(words[0], words[0])
