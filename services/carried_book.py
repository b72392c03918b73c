"""What the streams with closing entries add up to, event by event, so that each closing entry can be held against it.

Loading begins with a closing entry, so one that says something else would make money out of nothing.
"""

from __future__ import annotations

from dataclasses import fields

from domain.carrying import CARRIED, CARRIED_KINDS, Carried, carried
from domain.ids import stream_kind
from domain.streams import State, evolve
from services.ports import Recorded


class CarriedBook:
    """Take every event of a log in order; a closing entry is compared and then passed over."""

    def __init__(self) -> None:
        self._states: dict[str, State] = {}

    def take(self, one: Recorded) -> str | None:
        """The next event. Returns what is wrong where a closing entry does not say what came before it."""
        if stream_kind(one.stream) not in CARRIED_KINDS:
            return None
        known = self._states.get(one.stream)
        event = one.event
        if isinstance(event, CARRIED):
            told, event = event, carried(known)  # type: ignore[assignment]  # None is refused in the next line
            if event is None:
                return f"{one.stream}: a closing entry, and nothing before it"
            if told != event:
                self._states[one.stream] = evolve(one.stream, known, event)
                return f"{one.stream}: a closing entry says {_difference(told, event)}"
        self._states[one.stream] = evolve(one.stream, known, event)
        return None


def _difference(told: Carried, true: Carried) -> str:
    names = [one.name for one in fields(true) if getattr(told, one.name, None) != getattr(true, one.name)]
    return ", ".join(
        f"{name} {getattr(told, name, None)!r}, the events before it {getattr(true, name)!r}" for name in names
    )
