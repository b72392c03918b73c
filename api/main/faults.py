"""Faults of adapters as refusals, so that the command line tells them in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from adapters.codec import CodecError
from adapters.database.errors import StartRefused
from adapters.event_store import UnreadableEvent
from adapters.event_store.rounds import UnreadableStory
from adapters.projector import RebuildRefused, SkipRefused
from domain.errors import Unavailable
from services.ports import LogUnavailable, NewerEvent


@contextmanager
def told() -> Iterator[None]:
    """A decorator or a `with`: what an adapter refuses becomes Unavailable with the same one line, and so does what the
    database refuses, a connection that is lost, or an event that cannot be read.
    """
    try:
        yield
    except (StartRefused, RebuildRefused, SkipRefused, LogUnavailable) as fault:
        raise Unavailable(str(fault)) from None
    except (CodecError, NewerEvent, UnreadableEvent, UnreadableStory) as fault:
        raise Unavailable(f"the log cannot be read, run `studbook verify`: {' '.join(str(fault).split())}") from None
    except psycopg.Error as fault:
        raise Unavailable(f"the database does not do what is asked: {' '.join(str(fault).split())}") from None
