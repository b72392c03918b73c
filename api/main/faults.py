"""Faults of adapters as refusals, so that the command line tells them in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from adapters.database.errors import StartRefused
from adapters.projector import RebuildRefused, SkipRefused
from domain.errors import Unavailable
from services.ports import LogUnavailable


@contextmanager
def told() -> Iterator[None]:
    """A decorator or a `with`: what an adapter refuses becomes Unavailable with the same one line, and so does what the
    database refuses or a connection that is lost.
    """
    try:
        yield
    except (StartRefused, RebuildRefused, SkipRefused, LogUnavailable) as fault:
        raise Unavailable(str(fault)) from None
    except psycopg.Error as fault:
        raise Unavailable(f"the database does not do what is asked: {' '.join(str(fault).split())}") from None
