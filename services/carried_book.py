"""What the streams with closing entries add up to, event by event, so that each closing entry can be held against it.

Loading begins with a closing entry, so one that says something else would make money out of nothing.
"""

from __future__ import annotations

from dataclasses import fields

from domain.carrying import CARRIED, Carried, carried
from domain.streams import EVOLVE, State
from services.ports import Recorded


class CarriedBook:
    """Take every event of a log in order; a closing entry is compared and then passed over."""

    def __init__(self) -> None:
        self._states: dict[str, State] = {}

    def take(self, one: Recorded, kind: str) -> str | None:
        """The next event, of a stream of one of CARRIED_KINDS. Returns what is wrong where a closing entry does not say
        what came before it.
        """
        stream, event, fault = one.stream, one.event, None
        known = self._states.get(stream)
        if isinstance(event, CARRIED):
            told, event = event, carried(known)  # type: ignore[assignment]  # None is refused in the next line
            if event is None:
                return f"{stream}: a closing entry, and nothing before it"
            if told != event:
                fault = f"{stream}: a closing entry says {_difference(told, event)}"
        self._states[stream] = EVOLVE[kind](known, event)
        return fault


def _difference(told: Carried, true: Carried) -> str:
    names = [one.name for one in fields(true) if getattr(told, one.name, None) != getattr(true, one.name)]
    return ", ".join(
        f"{name} {getattr(told, name, None)!r}, the events before it {getattr(true, name)!r}" for name in names
    )
