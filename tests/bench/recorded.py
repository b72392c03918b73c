"""A run with few figures, as if it had been recorded."""

from __future__ import annotations

from typing import Any

from api.bench.figures import medians, ratios

MEASURED = {
    "http_wagers_per_s": [3_000.0, 4_000.0, 2_000.0],
    "http_noop_per_s": [6_000.0, 5_000.0, 8_000.0],
    "tpcb_tps": [5_000.0, 5_000.0, 5_000.0],
    "round_replay_ms": [2.0, 2.0, 2.0],
    "round_replay_ms_large": [5.0, 3.0, 2.2],
    "projection_lag_p99_ms": [90.0, 1_500.0, 120.0],
}


def result() -> dict[str, Any]:
    return {
        **medians(MEASURED),
        "ratios": {one.bar.name: one.as_json() for one in ratios(MEASURED)},
        "machine": {"cpu": "A", "cores": 2, "memory_gb": 8.0, "system": "Linux", "python": "3.11"},
        "method": {
            "quick": False,
            "repeats": 3,
            "seconds": 600.0,
            "postgresql": {"server_version": "18.4"},
            "notes": {"http": [{"cpu_ms_per_wager": {"serve": one}} for one in (0.3, 0.1, 0.2)]},
        },
        "repeats": MEASURED,
    }
