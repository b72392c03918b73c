"""Exports that an operator asks for: ordered, looked at, fetched. They are made by a process of its own.

A report that is asked for in one call is an export too, for which the call waits a little.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.access import EXPORT, Visit
from domain.errors import Conflict, Forbidden, Invalid, LimitReached, NotFound
from domain.exports import KEPT, KEPT_REPORT, OPEN_MOST, Export, Status
from domain.frozen import dataclass
from domain.views.model import time_text
from services.exports.asking import Wish, order_of, wish_json
from services.exports.kinds import Exportable, exportable, exportables
from services.keys import Caller
from services.ports import Clock, Ids
from services.ports_exports import ExportStore
from services.reports.known import asked_about

WAIT_SECONDS: Final = 5.0
"""How long a call waits for its report."""

LOOKS: Final = (0.02, 0.05, 0.1, 0.2)
"""Between two looks whether it is there, the last again and again."""


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """An export. `asked` is what was asked for. `status`: `WAITING`, `RUNNING`, `DONE` or `FAILED`, with `failure`.

    `events_read` of `events` of the log are read. Once it is done: `file` is where the file is, with name, size in
    bytes and SHA-256, and `totals` has the rows of each table and the sum of each column by currency, in its own unit.
    It is forgotten after `expires_at`.
    """

    export: str
    kind: str
    format: str
    asked: Mapping[str, Any]
    subject: str
    status: str
    asked_at: str
    finished_at: str | None
    expires_at: str
    events_read: int
    events: int
    failure: str | None
    file: str | None
    file_name: str | None
    bytes: int | None
    sha256: str | None
    totals: Mapping[str, Any] | None
    position: int


@dataclass(frozen=True, slots=True)
class ExportFile:
    """The file of an export that is done."""

    name: str
    format: str
    size: int
    sha256: str
    chunks: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class ExportDesk:
    """The one way in which exports are asked for. `note` writes a line of the access log."""

    store: ExportStore
    clock: Clock
    ids: Ids
    zone: ZoneInfo
    note: Callable[[Visit, str | None], None]

    async def order(self, who: Caller, wish: Wish) -> ExportAnswer:
        """Ask for a file. Raises Invalid that names the field, Forbidden, LimitReached."""
        return answered(await self._ask(who, wish, KEPT, hurry=False))

    async def read(self, who: Caller, export: str) -> ExportAnswer:
        """How far it is. Raises NotFound, Forbidden."""
        return answered(await self._known(who, export))

    async def file(self, who: Caller, export: str) -> ExportFile:
        """Its file. Raises NotFound, Forbidden, Conflict while there is none."""
        one = await self._known(who, export)
        if one.status is not Status.DONE or one.manifest is None:
            raise Conflict(f"the export is {one.status}: {one.failure or 'there is no file yet'}")
        self._tell(who, one, "fetched")
        made = json.loads(one.manifest)
        return ExportFile(
            made["file"], one.format, made["bytes"], made["sha256"], self.store.chunks(who.operator, export)
        )

    async def report(self, who: Caller, wish: Wish, seconds: float = WAIT_SECONDS) -> Export:
        """Ask for a report and wait a little; it may not be over yet. Raises NotFound, Invalid, LimitReached."""
        if wish.kind not in exportables() or not exportable(wish.kind).is_report:
            raise NotFound("no such report", field="name")
        one = await self._ask(who, wish, KEPT_REPORT, hurry=True)
        looks = iter(LOOKS)
        until = asyncio.get_running_loop().time() + seconds
        while not one.is_over and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(next(looks, LOOKS[-1]))
            one = await self._known(who, one.export)
        if one.status is Status.FAILED:
            raise Conflict(str(one.failure))
        return one

    async def content(self, one: Export) -> bytes:
        """The whole file of a report."""
        return b"".join([chunk async for chunk in self.store.chunks(one.operator, one.export)])

    async def _ask(self, who: Caller, wish: Wish, kept: timedelta, *, hurry: bool) -> Export:
        now = self.clock.now()
        order = order_of(who.operator, self.zone, wish, now)
        _check_role(who, order.what)
        for field, stream, shown in asked_about(order.scope):
            if not await self.store.has_stream(who.operator, stream):
                raise Invalid(f"there is no {shown}", field=field)
        one = Export(
            operator=who.operator,
            export=self.ids.new(),
            kind=wish.kind,
            format=wish.form,
            wish=json.dumps(wish_json(wish)),
            subject=who.subject,
            hurry=hurry,
            asked_at=now,
            expires_at=now + kept,
            position=await self.store.standing(who.operator),
        )
        if not await self.store.add(who.operator, one, OPEN_MOST):
            raise LimitReached(f"{OPEN_MOST} exports are unfinished; wait for one of them")
        self._tell(who, one, "asked for")
        return one

    async def _known(self, who: Caller, export: str) -> Export:
        one = await self.store.get(who.operator, export)
        if one is None:
            raise NotFound("no such export", field="export")
        _check_role(who, exportable(one.kind))
        return one

    def _tell(self, who: Caller, one: Export, what: str) -> None:
        method = "GET" if one.hurry or what == "fetched" else "POST"
        detail = f"{one.kind} as {one.format}, export {one.export}, {what}"
        self.note(
            Visit(EXPORT, who.operator, who.subject, who.key_id, who.address, method, who.route, None, detail),
            who.request_id,
        )


def answered(one: Export) -> ExportAnswer:
    """An export as it is told."""
    made = {} if one.manifest is None else json.loads(one.manifest)
    wish = json.loads(one.wish)
    return ExportAnswer(
        export=one.export,
        kind=one.kind,
        format=one.format,
        asked={
            "from": wish["begin"], "to": wish["end"], "currency": wish["currency"], "clock": wish["clock"],
            "table": wish["table"], "parameters": wish["parameters"], "explain": wish["explain"],
        },
        subject=one.subject,
        status=one.status.value,
        asked_at=time_text(one.asked_at),
        finished_at=None if one.finished_at is None else time_text(one.finished_at),
        expires_at=time_text(one.expires_at),
        events_read=one.events_read,
        events=one.events,
        failure=one.failure,
        file=f"/v1/exports/{one.export}/file" if made else None,
        file_name=made.get("file"),
        bytes=made.get("bytes"),
        sha256=made.get("sha256"),
        totals=made.get("totals"),
        position=one.position,
    )  # fmt: skip


def _check_role(who: Caller, what: Exportable) -> None:
    if not who.roles & what.roles:
        raise Forbidden(f"{what.name} is for {', '.join(sorted(what.roles))}")
