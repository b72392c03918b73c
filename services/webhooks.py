"""What an operator may do with webhooks. They are settings, not events: nothing here moves money, and nothing needs the
log but where an endpoint stands in it. Calling them is the deliverer's work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from domain.access import AccessLine
from domain.changing import replace
from domain.errors import AlreadyExists, Conflict, Invalid, LimitReached, NotFound
from domain.frozen import dataclass
from domain.views.model import time_text
from domain.webhooks import SecretInfo, Try, Webhook, message_id
from services.ports import Clock, Ids
from services.ports_webhooks import WebhookStore

WEBHOOKS_MOST: Final = 20
"""Of one operator."""

SECRETS_MOST: Final = 5
"""That sign at once."""

ORDERS_MOST: Final = 100
OVERLAP: Final = timedelta(hours=24)
"""For so long the secret before a rotation signs beside the new one."""


@dataclass(frozen=True, slots=True)
class SecretAnswer:
    """A secret that signs, without the secret; `expires_at` null: until it is rotated."""

    number: int
    created_at: str
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """A webhook. Every event of its `types` up to `position` is delivered; `pending` are the operator's events past it.
    `failures` counts tries in a row since `failing_since`; the next is made at `next_at`. One that is disabled says
    since when and why, and is called again after PATCH with `"active": true`.
    """

    webhook: str
    url: str
    types: tuple[str, ...]
    active: bool
    created_at: str
    position: int
    pending: int
    failures: int
    failing_since: str | None
    next_at: str | None
    disabled_at: str | None
    disabled_reason: str | None
    secrets: tuple[SecretAnswer, ...]


@dataclass(frozen=True, slots=True)
class WebhookSecretAnswer:
    """A webhook and, once, the secret that it signs with; null where it was made before."""

    webhook: str
    position: int
    secret: str | None
    settings: WebhookAnswer


@dataclass(frozen=True, slots=True)
class WebhookList:
    """Every webhook of the operator."""

    items: tuple[WebhookAnswer, ...]
    next: None = None


@dataclass(frozen=True, slots=True)
class SendAnswer:
    """What will be sent: `message` is the `webhook-id` that it comes under, `position` where in the log it begins."""

    webhook: str
    position: int
    message: str | None


@dataclass(frozen=True, slots=True)
class DeliveryAnswer:
    """One try. `position` is null for a ping, `status` where no answer came; `detail` says what went wrong."""

    delivery: int
    message: str
    position: int | None
    type: str
    attempt: int
    at: str
    milliseconds: int
    status: int | None
    delivered: bool
    detail: str


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """Tries, newest first."""

    items: tuple[DeliveryAnswer, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Webhooks:
    """`seal` seals a secret for an operator's webhook (text, operator, webhook), `new_secret` makes one. Each change
    takes the line that tells the access log of it, and is there with that or not at all.
    """

    store: WebhookStore
    clock: Clock
    ids: Ids
    seal: Callable[[str, str, str], str]
    new_secret: Callable[[], str]

    async def create(
        self,
        operator: str,
        webhook: str,
        url: str,
        types: Sequence[str],
        *,
        active: bool,
        after: int | None,
        line: AccessLine,
    ) -> WebhookSecretAnswer:
        """A new webhook, for events past `after` (None: from now on); the same once more is none, and has no secret.
        Raises AlreadyExists for other settings under the same name, LimitReached.
        """
        known = await self.store.get(operator, webhook)
        if known is not None:
            if (known.url, known.types, known.active) != (url, tuple(types), active):
                raise AlreadyExists("there is a webhook of this name with other settings", field="webhook")
            return await self._with_secret(operator, known, None)
        position = await self.store.standing(operator, after)
        one = Webhook(webhook, url, tuple(types), active, self.clock.now(), position)
        secret = self.new_secret()
        if not await self.store.add(operator, one, self.seal(secret, operator, webhook), WEBHOOKS_MOST, line=line):
            raise Conflict("the webhook is being made by another request; read it", field="webhook")
        return await self._with_secret(operator, one, secret)

    async def list(self, operator: str) -> WebhookList:
        """All."""
        return WebhookList(tuple([await self._answer(operator, one) for one in await self.store.all(operator)]))

    async def read(self, operator: str, webhook: str) -> WebhookAnswer:
        """One. Raises NotFound."""
        return await self._answer(operator, await self._known(operator, webhook))

    async def change(
        self,
        operator: str,
        webhook: str,
        url: str | None,
        types: Sequence[str] | None,
        active: bool | None,
        *,
        line: AccessLine,
    ) -> WebhookAnswer:
        """Set what is given; the next try is made at once. `active` true enables one that was disabled. NotFound."""
        known = await self._known(operator, webhook)
        if url is None and types is None and active is None:
            raise Invalid("name at least one of url, types and active", field="url")
        made = replace(
            known,
            url=known.url if url is None else url,
            types=known.types if types is None else tuple(types),
            active=known.active if active is None else active,
        )
        return await self._changed(operator, _afresh(made) if active else replace(made, next_at=None), line=line)

    async def remove(self, operator: str, webhook: str, *, line: AccessLine) -> SendAnswer:
        """Forget it, its secrets and its tries. Raises NotFound."""
        known = await self._known(operator, webhook)
        if not await self.store.remove(operator, webhook, line=line):
            raise _missing()
        return SendAnswer(webhook, known.position, None)

    async def rotate(self, operator: str, webhook: str, *, line: AccessLine) -> WebhookSecretAnswer:
        """A new secret; the one before signs beside it for a day. Raises NotFound, Conflict."""
        known = await self._known(operator, webhook)
        secret = self.new_secret()
        sealed, until = self.seal(secret, operator, webhook), self.clock.now() + OVERLAP
        try:
            if not await self.store.add_secret(operator, webhook, sealed, until, SECRETS_MOST, line=line):
                raise _missing()
        except LimitReached:
            raise Conflict(f"{SECRETS_MOST} secrets sign at once; wait until the oldest has ended") from None
        return await self._with_secret(operator, known, secret)

    async def ping(self, operator: str, webhook: str) -> SendAnswer:
        """Send a test, whether it is active or not. Raises NotFound, LimitReached."""
        known = await self._known(operator, webhook)
        message = f"msg_ping_{self.ids.new()}"
        await self._order(operator, webhook, message, None, line=None)
        return SendAnswer(webhook, known.position, message)

    async def replay(
        self, operator: str, webhook: str, after: int | None, position: int | None, *, line: AccessLine
    ) -> SendAnswer:
        """Send everything past `after` (again, or leave out what lies before it), or the one event at `position`, under
        the ids that they had. Raises NotFound, Invalid, LimitReached.
        """
        known = await self._known(operator, webhook)
        if (after is None) == (position is None):
            raise Invalid("name one of after and position", field="after")
        if position is not None:
            if position == 0 or await self.store.standing(operator, position) != position:
                raise Invalid("you have no event at this position", field="position")
            await self._order(operator, webhook, message_id(position), position, line=line)
            return SendAnswer(webhook, position, message_id(position))
        start = await self.store.standing(operator, after)
        done = await self._changed(operator, _afresh(replace(known, position=start)), line=line)
        return SendAnswer(webhook, done.position, None)

    async def deliveries(self, operator: str, webhook: str, before: int | None, limit: int) -> DeliveryPage:
        """Tries, newest first, those below a number where one is given. Raises NotFound."""
        await self._known(operator, webhook)
        found = await self.store.tries(operator, webhook, before, limit + 1)
        items = tuple(_delivery(number, one) for number, one in found[:limit])
        return DeliveryPage(items, str(items[-1].delivery) if len(found) > limit else None)

    async def _known(self, operator: str, webhook: str) -> Webhook:
        known = await self.store.get(operator, webhook)
        if known is None:
            raise _missing()
        return known

    async def _changed(self, operator: str, one: Webhook, *, line: AccessLine) -> WebhookAnswer:
        if not await self.store.change(operator, one, line=line):
            raise _missing()
        return await self._answer(operator, one)

    async def _order(
        self, operator: str, webhook: str, message: str, position: int | None, *, line: AccessLine | None
    ) -> None:
        if not await self.store.order(operator, webhook, message, position, ORDERS_MOST, line=line):
            raise LimitReached(f"{ORDERS_MOST} orders wait to be sent; is the deliverer running?")

    async def _with_secret(self, operator: str, one: Webhook, secret: str | None) -> WebhookSecretAnswer:
        return WebhookSecretAnswer(one.webhook, one.position, secret, await self._answer(operator, one))

    async def _answer(self, operator: str, one: Webhook) -> WebhookAnswer:
        infos = await self.store.secrets(operator, one.webhook)
        return WebhookAnswer(
            webhook=one.webhook,
            url=one.url,
            types=one.types,
            active=one.active and one.disabled_at is None,
            created_at=time_text(one.created_at),
            position=one.position,
            pending=await self.store.behind(operator, one.position),
            failures=one.failures,
            failing_since=None if one.failing_since is None else time_text(one.failing_since),
            next_at=None if one.next_at is None else time_text(one.next_at),
            disabled_at=None if one.disabled_at is None else time_text(one.disabled_at),
            disabled_reason=one.disabled_reason,
            secrets=tuple(_secret(info) for info in infos if _signs(info, self.clock)),
        )


def _afresh(one: Webhook) -> Webhook:
    """As if it had never failed."""
    return replace(one, failures=0, failing_since=None, next_at=None, disabled_at=None, disabled_reason=None)


def _signs(info: SecretInfo, clock: Clock) -> bool:
    return info.expires_at is None or clock.now() < info.expires_at


def _secret(info: SecretInfo) -> SecretAnswer:
    until = None if info.expires_at is None else time_text(info.expires_at)
    return SecretAnswer(info.number, time_text(info.created_at), until)


def _delivery(number: int, one: Try) -> DeliveryAnswer:
    return DeliveryAnswer(
        number, one.message, one.position, one.type, one.attempt, time_text(one.at), one.milliseconds, one.status,
        one.delivered, one.detail,
    )  # fmt: skip


def _missing() -> NotFound:
    return NotFound("no such webhook", field="webhook")
