"""Queries: what the house answers without changing anything. Every answer is a frozen dataclass with exactly the
fields that the REST contract names; amounts are minor units unless `_micro` ends the name.
"""

from services.queries.accounts import account_history, balance, balance_as_of, game_history, transaction
from services.queries.approvals import approval, approvals, is_strict
from services.queries.events import cloud_event, events_after, round_events
from services.queries.jackpots import jackpot
from services.queries.journal import JournalFilter, JournalLine, journal
from services.queries.keys import AccessFilter, AccessItem, KeyItem, access_log, keys
from services.queries.lobby import tables
from services.queries.pages import LIMIT_DEFAULT, LIMIT_MAX, Page, Turn
from services.queries.reads import Reads
from services.queries.reconciliations import reconciliation
from services.queries.rounds import open_rounds, round_view, rounds_by_game_number, rounds_by_table

__all__ = [
    "LIMIT_DEFAULT",
    "LIMIT_MAX",
    "AccessFilter",
    "AccessItem",
    "JournalFilter",
    "JournalLine",
    "KeyItem",
    "Page",
    "Reads",
    "Turn",
    "access_log",
    "account_history",
    "approval",
    "approvals",
    "balance",
    "balance_as_of",
    "cloud_event",
    "events_after",
    "game_history",
    "is_strict",
    "jackpot",
    "journal",
    "keys",
    "open_rounds",
    "reconciliation",
    "round_events",
    "round_view",
    "rounds_by_game_number",
    "rounds_by_table",
    "tables",
    "transaction",
]
