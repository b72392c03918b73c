"""Outcomes of jobs: how callers get them, and what became of a job whose commit got no answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from domain.changing import replace
from domain.errors import Unavailable
from services.atomic import together
from services.batch import OK, TRANSACTION, Job, Order, Result
from services.commands import PayOn
from services.ports import Key, KeyRecord

HAS_BEGUN: Final = "this has begun and will be carried on; send the same request again for its answer"
"""What is told of an order of which slices are done already."""

MAY_HAVE_BEGUN: Final = "seats may have been decided for already; send the same request again"
"""What is told of a settlement that was to come after decisions for many who are absent."""

TurnSeen = Callable[[Sequence[Job], int, float], None]
"""Told after each transaction: its jobs, how many events it appended, the seconds that it took. It may not raise."""


def may_be_repeated(job: Job) -> bool:
    """Its keys would be recorded had it happened; or it goes on from where a round stands."""
    return bool(job.order.keys) or (isinstance(job.order, Order) and isinstance(job.order.command, PayOn))


def renewed(jobs: Sequence[Job], new_id: Callable[[], str]) -> list[Job]:
    """Those that may be repeated. A slice among them may be done: the next is a command of its own."""
    again = [job for job in jobs if may_be_repeated(job)]
    for job in again:
        order = job.order
        if isinstance(order, Order) and isinstance(order.command, PayOn):
            job.order = replace(order, meta=replace(order.meta, causation=new_id()))
    return again


def truth(job: Job, records: Mapping[Key, KeyRecord]) -> Result | Exception:
    """The result when it happened, before or now; else Unavailable. Of a bundle all happened in one append, or none."""
    thought = job.outcome if isinstance(job.outcome, Result) else None
    if isinstance(job.order, Order):
        return _of_order(job.order, thought, records)
    parts: list[Result] = []
    for nth, order in enumerate(job.order.orders):
        part = _of_order(order, None if thought is None else thought.parts[nth], records)
        if not isinstance(part, Result):
            return part
        parts.append(part)
    return together(parts)


def _of_order(order: Order, thought: Result | None, records: Mapping[Key, KeyRecord]) -> Result | Unavailable:
    """`thought` is what the order would have been answered had its commit been seen."""
    for key, fingerprint in order.keys:
        record = records.get(key)
        if record is None or record.fingerprint != fingerprint:
            continue
        if record.body is None:
            if thought is not None and thought.begun and thought.position == record.position:
                return thought  # its first slice is done, the others follow
        else:
            if key[1] == TRANSACTION:  # an earlier request's: this one's own key was not recorded
                return Result(OK, record.body, record.position, replayed=True)
            return Result(record.status, record.body, record.position, thought is not None and thought.replayed)
    return Unavailable("the connection to the store was lost; send the same request again")


def fail_all(jobs: Sequence[Job], fault: Exception) -> None:
    """The same fault for each."""
    for job in jobs:
        job.outcome = fault


def answer_all(jobs: Sequence[Job]) -> None:
    """Tell each caller."""
    for job in jobs:
        if job.future.done():  # a caller that has gone away
            continue
        if isinstance(job.outcome, Result):
            job.future.set_result(job.outcome)
        else:
            job.future.set_exception(job.outcome or Unavailable("the command was not reached"))


async def outcome_of(result: Awaitable[Result]) -> Result | Exception:
    """The result when it is there, or the exception in its place."""
    try:
        return await result
    except Exception as fault:
        return fault


def nothing_happened() -> Unavailable:
    """Of orders whose turn surely did not commit."""
    return Unavailable("the store cannot be written now; nothing happened, send the same request again")


def without(jobs: Sequence[Job], others: Sequence[Job]) -> list[Job]:
    """Those that are not among the others."""
    names = {id(one) for one in others}
    return [one for one in jobs if id(one) not in names]
