"""Keys of the advisory locks, in one place so that no two of them meet (they are scoped to the database)."""

from __future__ import annotations

from typing import Final

_FAMILY: Final = 0x5354_5544 << 32  # "STUD"

WRITER_LOCK: Final = _FAMILY | 1
"""Transaction-scoped: held by whoever appends events."""

MIGRATION_LOCK: Final = _FAMILY | 2
"""Session-scoped: held while steps are applied."""

PROJECTOR_LOCK: Final = _FAMILY | 3
"""Session-scoped: held by the one process that runs the projections."""

TIMERS_LOCK: Final = _FAMILY | 4
"""Session-scoped: held by the one process that runs the timers."""
