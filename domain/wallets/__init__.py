"""A player's wallet: available money and funds on game.

Both counts are whole minor units of the wallet's one currency. `available` may be below zero only after a
claw-back; `held` never is (docs/ledger.md, Laws). Every event that moves money carries both balances after it.
"""
