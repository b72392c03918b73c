"""The day's reconciliation: what each pool holds, worked out three ways, and the cashier's statement matched against
deposits, withdrawals and rollbacks (R4, R8, R16 to R18; docs/for-finance-reconcile.md).

A run changes nothing. What it finds is prepared, resolved and signed off by events (domain/reconciliations.py).
"""
