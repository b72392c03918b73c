"""All checks in order. One that fails ends the run: the later ones need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import httpx2

from api.client import StudbookError
from api.conformance import games, money, network
from api.conformance.world import Failed, World

Check = Callable[[World], None]

CHECKS: Final[tuple[Check, ...]] = (
    network.is_there,
    network.clock,
    network.without_key,
    network.key,
    network.headers,
    network.large_body,
    money.wallet,
    money.repeated,
    money.asked_about,
    money.kept_out,
    games.rounds,
    games.feed,
    games.history,
    money.paid_out,
)


@dataclass(frozen=True, slots=True)
class Result:
    """What a check says of itself, and if it failed what was seen and what to do."""

    check: str
    seen: str | None = None
    remedy: str | None = None


def results(world: World) -> Iterator[Result]:
    """Each check's result as it comes, up to the first that failed."""
    for check in CHECKS:
        name = (check.__doc__ or "").strip()
        try:
            check(world)
        except Failed as fault:
            yield Result(name, fault.seen, fault.remedy)
            return
        except StudbookError as fault:
            yield Result(name, str(fault), "docs/errors.md says what to do about each code")
            return
        except (httpx2.HTTPError, ValueError) as fault:
            yield Result(name, f"no answer of this service: {type(fault).__name__} {fault}".strip(), network.PROXY)
            return
        yield Result(name)
