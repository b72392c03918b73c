"""The time and fresh ids, as the services get them: two things that the domain never makes itself."""

from __future__ import annotations

from datetime import UTC, datetime

import uuid_utils

from adapters.steady import STEADY


class SystemClock:
    """The machine's clock, without its jumps (`adapters.steady`)."""

    __slots__ = ()

    def now(self) -> datetime:
        """The time now, aware, in UTC, to the microsecond."""
        return datetime.fromtimestamp(STEADY.seconds(), UTC)


class SystemIds:
    """Fresh ids of rounds, wagers, postings and requests."""

    __slots__ = ()

    def new(self) -> str:
        """A new UUID of version 7: unique, and later ones sort later."""
        return new_id()


def new_id() -> str:
    """A new UUID of version 7 as text of 36 characters, `0190...-....-7...`."""
    return str(uuid_utils.uuid7())
