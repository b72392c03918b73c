"""What a scripted round has shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from api.demo.faults import DemoFailed


@dataclass(frozen=True, slots=True)
class Scene:
    """A title, and lines for people; `facts` are the same for programs."""

    title: str
    lines: list[str] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)


def should_be(what: str, found: object, expected: object) -> None:
    """DemoFailed unless the service shows what the demo's own reckoning says."""
    if found != expected:
        raise DemoFailed(f"{what}: the service says {found}, the demo's own reckoning {expected}")
