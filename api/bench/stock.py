"""The `eventsourcing` library as its documentation shows it: load the wallet, change it, save it with a new bet.

    python -m api.bench.stock --wallets 5000 --threads 8

Each line {"seconds": 5} on standard input is answered by a line {"per_s": ...}. The environment names the
database (POSTGRES_DBNAME and so on). The library's SQL-function path stays off: it lets followers pass over
events.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import threading
import time
from typing import Final
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import IntegrityError

WARM_SECONDS: Final = 0.5
STAKE: Final = 100
OPENED_TOGETHER: Final = 100


class Wallet(Aggregate):
    """A player's money."""

    @event("Opened")
    def __init__(self, balance: int) -> None:
        self.balance = balance

    @event("StakeTaken")
    def take(self, stake: int) -> None:
        """Put a stake on game."""
        if stake > self.balance:
            raise ValueError("not enough money")
        self.balance -= stake


class Bet(Aggregate):
    """A bet of a player."""

    @event("Placed")
    def __init__(self, wallet: UUID, stake: int) -> None:
        self.wallet = wallet
        self.stake = stake


class Betting(Application[UUID]):
    """Wallets and bets."""

    def open_wallets(self, count: int, balance: int) -> list[UUID]:
        """The ids of new wallets."""
        wallets = [Wallet(balance) for _ in range(count)]
        self.save(*wallets)
        return [one.id for one in wallets]

    def place_bet(self, wallet_id: UUID, stake: int) -> UUID:
        """Take the stake and note the bet, in one transaction; the bet's id."""
        wallet: Wallet = self.repository.get(wallet_id)
        wallet.take(stake)
        bet = Bet(wallet_id, stake)
        self.save(wallet, bet)
        return bet.id


def measure(app: Betting, wallets: list[UUID], threads: int, seconds: float) -> float:
    """Bets per second of so many threads; a bet that met another one on its wallet is made again, as one would."""
    start = time.perf_counter()
    window = (start + WARM_SECONDS, start + WARM_SECONDS + seconds)
    counts = [0] * threads
    faults: list[Exception] = []

    def work(nth: int) -> None:
        try:
            while time.perf_counter() < window[1]:
                if _placed(app, secrets.choice(wallets)) and window[0] <= time.perf_counter() < window[1]:
                    counts[nth] += 1
        except Exception as fault:  # told by the thread that waits
            faults.append(fault)

    running = [threading.Thread(target=work, args=(nth,)) for nth in range(threads)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    if faults:
        raise faults[0]
    return sum(counts) / seconds


def _placed(app: Betting, wallet: UUID) -> bool:
    try:
        app.place_bet(wallet, STAKE)
    except IntegrityError:
        return False
    return True


def main() -> None:
    """Open the wallets, then measure as often as asked."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--wallets", type=int, required=True)
    asked.add_argument("--threads", type=int, required=True)
    told = asked.parse_args()
    app = Betting()
    try:
        wallets: list[UUID] = []
        while len(wallets) < told.wallets:
            wallets += app.open_wallets(min(OPENED_TOGETHER, told.wallets - len(wallets)), 1_000_000_000)
        for line in sys.stdin:
            found = measure(app, wallets, told.threads, json.loads(line)["seconds"])
            print(json.dumps({"per_s": found}), flush=True)
    finally:
        app.close()


if __name__ == "__main__":
    main()
