"""`studbook rtp --recompute`: the counting behind a certificate, which needs NumPy."""

from __future__ import annotations

from collections.abc import Callable

from domain.errors import Unavailable
from services.certificates import encoded


def counted(ruleset: str, progress: Callable[[str, int, int], None]) -> bytes:
    """Count every deal of a rule set anew; the file of counts that should ship.

    Raises Unavailable where NumPy is not installed.
    """
    try:
        from adapters.optimal_play import counts_of  # noqa: PLC0415  # NumPy is an extra
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] != "numpy":
            raise
        raise Unavailable("counting needs NumPy (the extra certify): pip install numpy") from None
    progress("tables", 0, 1)
    found = counts_of(ruleset, lambda at, end: progress("deals by up-card", at, end))
    return encoded(ruleset, found)
