"""What must hold for figures to count. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from api.bench.faults import BenchFailed


def wagers_equal(answered: int, ledger: int, store: str) -> dict[str, int]:
    """The calls answered 201, and the wagers that the ledger holds. BenchFailed unless equal."""
    if answered != ledger:
        raise BenchFailed(f"{answered} wagers were answered 201 on {store}, and its ledger holds {ledger}")
    return {"answered_201": answered, "in_ledger": ledger}


def fast_enough(alone: float, noop: Sequence[float], margin: float) -> dict[str, float]:
    """What the client reaches alone, as a multiple of the empty endpoint. BenchFailed below `margin`."""
    times = alone / statistics.median(noop)
    if times < margin:
        raise BenchFailed(
            f"the client is the limit: alone it reaches {alone:.0f} answers a second, {times:.2f} times the empty "
            f"endpoint, and {margin:g} times are needed: run it on a quiet machine"
        )
    return {"client_alone_per_s": round(alone), "times_noop": round(times, 2), "needed": margin}
