"""Bulk calls: many requests of one kind in one body, each of them what it would be alone.

An item is the single call: its key lives among the keys of the header, its fingerprint is that of the single call
with the item's other fields as body. So an item may be sent again by the single call, and the other way round.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError, create_model

from api import intake, metrics
from api.bulk_answer import Outcome, bulk_answer
from api.errors import BadRequest
from api.orders import Orders
from api.route_table import Answer, Call
from api.schemas.bulk import ITEMS_MAX, KEY_CHARS_MAX, BulkBody
from api.validation import refusal_of
from domain.errors import IdempotencyMismatch, Invalid, Refusal, Unavailable
from services.atomic import PartRefused
from services.batch import Bundle, Order, Result
from services.commands import Command
from services.house import BATCH_MAX
from services.states import Unreadable

ATOMIC_MAX: Final = 500
"""Items of one append."""

SLICE: Final = BATCH_MAX
"""Items that are handed to the house at once: one turn of it, so that single calls get turns in between."""

AWAY: Final = "the store went away before this item's turn; nothing happened, send the same request again"


@dataclass(frozen=True, slots=True)
class Items:
    """A bulk body: its items as they came, and checked; `checked` is None when one at least does not fit its schema."""

    raw: list[dict[str, Any]]
    checked: Sequence[Any] | None
    is_atomic: bool


class Reader:
    """Reads the body of a bulk call: one pass over all of it, and item by item only where that fails."""

    def __init__(self, body: type[BulkBody], item: type[Any], name: str) -> None:
        self.name = name
        self._item: TypeAdapter[Any] = TypeAdapter(item)
        self._whole: TypeAdapter[BulkBody] = TypeAdapter(body)
        some = Annotated[list[dict[str, Any]], Field(min_length=1, max_length=ITEMS_MAX)]
        loose: Any = {name: (some, ...)}
        self._loose = create_model(f"Loose{body.__name__}", __base__=BulkBody, **loose)

    def __call__(self, raw: bytes, parsed: dict[str, Any]) -> Items:
        """The items; InvalidFields for what is no list of objects, and for any item of an atomic call."""
        items, is_atomic = parsed.get(self.name), parsed.get("atomic", False)
        if is_atomic is True and isinstance(items, list) and ATOMIC_MAX < len(items) <= ITEMS_MAX:
            raise Invalid(f"an atomic call has at most {ATOMIC_MAX} items", field="atomic")
        checked: Sequence[Any] | None = None
        try:
            checked = getattr(self._whole.validate_json(raw, strict=True), self.name)
        except ValidationError as findings:
            if is_atomic is True:
                raise refusal_of(findings) from None
            try:
                self._loose.model_validate(parsed, strict=True)
            except ValidationError as found:
                raise refusal_of(found) from None
        return Items(parsed[self.name], checked, is_atomic)

    def item(self, items: Items, nth: int) -> Any:
        """An item that fits its schema, or its refusal."""
        if items.checked is not None:
            return items.checked[nth]
        try:
            return self._item.validate_python(items.raw[nth], strict=True)
        except ValidationError as findings:
            return refusal_of(findings)


@dataclass(frozen=True, slots=True)
class Bulk:
    """A bulk call's way to the house.

    `single` is the path of the single call, `in_path` the field of an item that stands in it rather than in its body,
    `command` and `status` are those of the single call.
    """

    orders: Orders
    reader: Reader
    command: Callable[[Call[Any]], Command]
    status: int
    single: str
    in_path: str | None

    async def handle(self, call: Call[Items]) -> Answer:
        """Every item's answer or problem, in order. Raises Refusal for what concerns the call as a whole."""
        keys = self._keys(call)
        found = await (self._together(call, keys) if call.body.is_atomic else self._in_slices(call, keys))
        return bulk_answer(keys, found, call.request_id)

    def _keys(self, call: Call[Items]) -> list[str]:
        """Each item's key, as it came or made from the header's."""
        keys: list[str] = []
        for nth, item in enumerate(call.body.raw):
            key = item.get("key")
            if key is None and call.key is None:
                detail = "is required where no Idempotency-Key header is sent"
                raise Invalid(detail, field=f"{self.reader.name}[{nth}].key")
            if key is None:
                key = f"{call.key}/{nth}"
                if len(key) > KEY_CHARS_MAX:
                    detail = f"with an item's number behind it a key has at most {KEY_CHARS_MAX} characters"
                    raise BadRequest(detail, field="idempotency-key")
            keys.append(key)
        return keys

    async def _in_slices(self, call: Call[Items], keys: Sequence[str]) -> list[Outcome]:
        found: list[Outcome] = []
        while len(found) < len(keys):
            asked = self._requests(call, keys, len(found), min(len(found) + SLICE, len(keys)))
            done = await self._carried_out([one for one in asked if isinstance(one, Order)])
            await asyncio.sleep(0)  # a slice in which no item fits its schema waits for nobody
            answers = iter(done)
            found += [next(answers) if isinstance(one, Order) else one for one in asked]
            if done and all(isinstance(one, Unavailable) and not isinstance(one, Unreadable) for one in done):
                found += [Unavailable(AWAY)] * (len(keys) - len(found))
        return found

    async def _carried_out(self, orders: Sequence[Order]) -> list[Result | Exception]:
        """One slice, in turns that others may share."""
        with metrics.SECONDS.time():
            found = await self.orders.house.submit_all(orders)
        _count(orders, found)
        for one in found:
            if isinstance(one, IdempotencyMismatch):
                one.field = _own_name(one)
        return found

    async def _together(self, call: Call[Items], keys: Sequence[str]) -> list[Outcome]:
        """All in one append, or the refusal of the first that is refused, its field led to the item."""
        orders = [one for one in self._requests(call, keys, 0, len(keys)) if isinstance(one, Order)]
        try:
            with metrics.SECONDS.time():
                parts = await self.orders.house.submit_together(Bundle(tuple(orders)))
        except PartRefused as part:
            _count(orders, [part.fault] * len(orders))
            if isinstance(part.fault, Refusal):
                own = _own_name(part.fault)
                part.fault.field = f"{self.reader.name}[{part.nth}]" + (f".{own}" if own else "")
            raise part.fault from None
        except Refusal as refusal:
            _count(orders, [refusal] * len(orders))
            raise
        _count(orders, parts)
        return list(parts)

    def _requests(self, call: Call[Items], keys: Sequence[str], start: int, stop: int) -> list[Order | Refusal]:
        """The items from one to before another, each as the order of the single call, or its refusal."""
        made: list[Order | Refusal] = []
        same = None if self.in_path is not None else self._fingerprints(call.path)
        for nth in range(start, stop):
            item = self.reader.item(call.body, nth)
            if isinstance(item, Refusal):
                made.append(item)
                continue
            body = call.body.raw[nth].copy()
            body.pop("key", None)
            path = call.path if self.in_path is None else {self.in_path: body.pop(self.in_path)}
            fingerprint = (same or self._fingerprints(path))(body)
            alone = Call(call.principal, path, item, keys[nth], fingerprint, call.request_id, call.traceparent)
            made.append(self.orders.order(alone, self.command(alone), self.status))
        return made

    def _fingerprints(self, path: Mapping[str, str]) -> Callable[[dict[str, Any]], bytes]:
        """Of the single call at this path."""
        return intake.fingerprints("POST", self.single.format_map(path))


def _own_name(refusal: Refusal) -> str | None:
    """The field of an item that a refusal of the single call is about: what is a header there is `key` here."""
    return "key" if refusal.field == "Idempotency-Key" else refusal.field


def _count(orders: Sequence[Order], found: Sequence[Result | Exception]) -> None:
    """Each item counts as a single command would."""
    outcomes: Counter[str] = Counter()
    for one in found:
        if isinstance(one, Result):
            outcomes["replayed" if one.replayed else "done"] += 1
        elif isinstance(one, Refusal):
            outcomes[one.code] += 1
    for outcome, times in outcomes.items():
        metrics.COMMANDS.labels(type(orders[0].command).__name__, outcome).inc(times)
