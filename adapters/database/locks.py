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

REBUILD_LOCK: Final = (0x5354_0002, 0)
"""A key of two parts, which never meets the others. Session-scoped: held while read models are folded anew. A step of
the schema takes it too, so that no rows of an older program come to stand beside those that the step has moved.
"""

REBUILD_PART_LOCK: Final = (0x5354_0002, 1)
"""A key of two parts. Session-scoped and shared: held by a process that folds for a rebuild of another process, so that
what it wrote is removed by nobody before it has ended.
"""

DELIVERER_LOCK: Final = _FAMILY | 5
"""Session-scoped: held by the one process that calls webhooks."""

EXPORTER_LOCK: Final = _FAMILY | 6
"""Session-scoped: held by the one process that makes exports."""

SET_UP_LOCK: Final = _FAMILY | 7
"""Session-scoped: held by who makes logins and database."""
