"""The deliverer's process."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
from collections.abc import Callable, Mapping
from typing import Final

import orjson

from adapters.clock import SystemClock
from adapters.codec import CODEC
from adapters.database.errors import StartRefused
from adapters.database.settings import Role
from adapters.deliverer import Deliverer, Flight, Names, Row, Sending
from adapters.event_store.rows import recorded
from adapters.vault import Vault
from adapters.vault_keys import WEBHOOK_KEY_VARIABLE
from api.logs.setup import configure
from api.main.environment import Environment, environment, software_version, started_by, webhook_networks
from api.main.faults import told
from api.main.garbage import settle_down
from api.main.leaving import LOOK_SECONDS, ORPHAN_SECONDS
from domain.errors import Invalid
from domain.views.model import time_text
from domain.webhooks import PING_TYPE, Network
from services.queries import cloud_event
from services.queries.events import SEQUENCE_DIGITS

NOT_FOR_IT: Final = (
    "STUDBOOK_CARD_KEY", "STUDBOOK_TOKEN_KEY", "STUDBOOK_ANCHOR_KEY",
    "STUDBOOK_EVIDENCE_KEY",
    "STUDBOOK_BOOTSTRAP_KEY", "STUDBOOK_METRICS_TOKEN",
    *(role.password_variable for role in Role if role is not Role.PROJECTOR),
)  # fmt: skip
"""What `serve` keeps from this process, which talks to the world."""


def own_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a deliverer that `serve` starts."""
    return {name: value for name, value in environ.items() if name not in NOT_FOR_IT}


@told()
def deliver() -> None:
    """Run the deliverer until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("deliver")
    env = environment()
    networks = webhook_networks()
    vault = env.webhook_vault()
    if vault is None:
        raise StartRefused(f"{WEBHOOK_KEY_VARIABLE} is not set; the secrets of webhooks cannot be opened without it")
    settle_down()
    asyncio.run(_run(env, vault, networks))


def secret_context(operator: str, webhook: str) -> str:
    """What a webhook's secret is sealed for."""
    return f"{operator}/webhook/{webhook}"


def sealing(vault: Vault | None) -> Callable[[str, str, str], str]:
    """Seals a secret for an operator's webhook (text, operator, webhook); Invalid where there is no key for that."""

    def seal(secret: str, operator: str, webhook: str) -> str:
        if vault is None:
            raise Invalid(f"no webhooks can be kept here: {WEBHOOK_KEY_VARIABLE} is not set", field="webhook")
        return vault.seal_text(secret, secret_context(operator, webhook))

    return seal


def sending(vault: Vault, networks: tuple[Network, ...]) -> Sending:
    """How calls are made, with the process's own certificates and version."""
    return Sending(
        render=_rendered,
        opened=lambda sealed, operator, webhook: vault.open_text(sealed, secret_context(operator, webhook)),
        allowed=networks,
        tls=ssl.create_default_context(),
        agent=f"studbook/{software_version()}",
        flight=Flight(),
        names=Names(),
    )


async def _run(env: Environment, vault: Vault, networks: tuple[Network, ...]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    watch = asyncio.create_task(_watch_parent(started_by(), stop))
    conninfo = env.settings.conninfo(Role.PROJECTOR, "studbook deliverer")
    await Deliverer(conninfo, sending(vault, networks), ping_body).run(stop)
    watch.cancel()


async def _watch_parent(parent: int, stop: asyncio.Event) -> None:
    while os.getppid() == parent:
        await asyncio.sleep(LOOK_SECONDS)
    stop.set()
    await asyncio.sleep(ORPHAN_SECONDS)
    os._exit(1)  # it waits for a database that hangs; what was not noted is sent again


def _rendered(row: Row) -> bytes:
    """The stored event as its CloudEvent, as the feed has it: cards that are not public are left out."""
    one = recorded(row.position, row.stream, row.version, row.name, row.state)
    return orjson.dumps(cloud_event((CODEC.name(one.event), one)))


def ping_body(message: str, operator: str, webhook: str) -> bytes:
    """The CloudEvent of a test; it stands in no log."""
    return orjson.dumps(
        {
            "specversion": "1.0",
            "id": message,
            "source": f"/studbook/{operator}",
            "type": PING_TYPE,
            "subject": f"webhook/{webhook}",
            "time": time_text(SystemClock().now()),
            "datacontenttype": "application/json",
            "sequence": "0" * SEQUENCE_DIGITS,
            "data": {"webhook": webhook},
        }
    )
