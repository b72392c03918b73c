"""What the demo reports, as plain JSON values. Amounts: minor units; `_micro` millionths of them."""

from __future__ import annotations

from collections import Counter

from api.demo.books import Books, PoolBook, Tally
from api.demo.proofs import Proof
from api.demo.run import Outcome

Facts = dict[str, object]


def report(outcome: Outcome, proof: Proof) -> Facts:
    """The whole report; `ok` is False only where a proof failed (all else has ended the demo before)."""
    books, service = outcome.books, outcome.service
    return {
        "ok": not proof.failed,
        "url": service.url,
        "run": service.run,
        "seed": outcome.seed,
        "rounds": outcome.rounds,
        "seconds": round(outcome.seconds, 1),
        "calls": service.calls,
        "retries": service.retries,
        "games": [_game(*key, tally) for key, tally in sorted(books.tallies.items())],
        "currencies": currencies(books),
        "jackpots": [_jackpot(pool) for pool in books.pools.values()],
        "voids": {
            "before_settlement": books.seen["voids before settlement"],
            "after_settlement": books.seen["voids after settlement"],
        },
        "timeouts": books.seen["decided by SYSTEM"],
        "rejected_at_close": books.seen["rejected"],
        "raised_to_minimum": books.seen["raised"],
        "refusals": dict(sorted(books.refusals.items())),
        "replays": books.seen["replays"],
        "scenes": [{"title": one.title, **one.facts} for one in outcome.scenes],
        "proofs": {
            "balances_equal_own_books": True,
            "players_compared": len(books.accounts),
            "ledger_sums_to_zero": proof.ledger_sums_to_zero,
            "read_models_equal_events": proof.read_models_equal_events,
            "events": proof.events,
            "entries": proof.entries,
            "note": proof.note,
        },
    }


def currencies(books: Books) -> list[Facts]:
    """Each currency's sums over its games, and what came in and went out at the cashier."""
    sums: dict[str, Tally] = {}
    for (_, currency), tally in books.tallies.items():
        sums.setdefault(currency, Tally()).add(tally)
    held = Counter[str]()
    for account in books.accounts.values():
        held[account.currency] += account.available
    return [
        {
            "currency": currency,
            **_sums(tally),
            "deposits": books.deposited[currency],
            "withdrawals": books.withdrawn[currency],
            "players_hold": held[currency],
        }
        for currency, tally in sorted(sums.items())
    ]


def _sums(tally: Tally) -> Facts:
    return {
        "rounds": tally.rounds,
        "hands": tally.hands,
        "handle": tally.handle,
        "returned": tally.returned,
        "prizes": tally.prizes,
        "ggr": tally.ggr,
    }


def _game(ruleset: str, currency: str, tally: Tally) -> Facts:
    return {"ruleset": ruleset, "currency": currency, **_sums(tally)}


def _jackpot(pool: PoolBook) -> Facts:
    return {
        "jackpot": pool.jackpot,
        "ruleset": pool.ruleset,
        "currency": pool.currency,
        "seed": pool.seed,
        "reset": pool.reset,
        "contributed_micro": pool.contributed_micro,
        "voided_contributions_micro": pool.voided_contributions_micro,
        "prizes": [{"player": one.player, "hand": one.hand, "amount": one.amount} for one in pool.prizes],
        "prizes_total": sum(one.amount for one in pool.prizes),
        "voided_prizes_total": sum(one.amount for one in pool.voided_prizes),
        "meter_micro": pool.course[-1][1],
        "reserve_micro": pool.reserve_micro,
    }
