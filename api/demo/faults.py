"""How a demo ends early: one clear line."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


class DemoFailed(Exception):
    """The service answered otherwise than it should, or does not answer; the text is one line for people."""


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all at once; what they return, in order. The first fault stops the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in work]
    except BaseExceptionGroup as several:
        raise first_of(several) from None
    return [task.result() for task in tasks]


def first_of(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first fault within a group of them."""
    first = several.exceptions[0]
    return first_of(first) if isinstance(first, BaseExceptionGroup) else first
