"""Bodies of the calls about webhooks."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlsplit

import httpx2
from pydantic import AfterValidator, Field, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.fields import Body, ClientId
from api.validation import OWN_ERROR

URL_CHARS_MAX: Final = 2000
TYPES_MOST: Final = 50
ANY_TYPE: Final = "studbook."
_URL: Final = r"^https?://[A-Za-z0-9_.:\[\]-]+(/[!-~]*)?$"
POSITION_MAX: Final = 2**63 - 1


def _url(text: str) -> str:
    """An absolute address without a name, a password or a fragment."""
    try:
        urlsplit(text)  # it also refuses half an IPv6 address, which nobody who reads the settings could parse
        found = httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError):
        raise PydanticCustomError(OWN_ERROR, "is no address of the web") from None
    if found.port is not None and not 0 < found.port < 65_536:
        raise PydanticCustomError(OWN_ERROR, "has a port that there is none of")
    if found.userinfo or found.fragment or "#" in text or not found.host:
        raise PydanticCustomError(OWN_ERROR, "must have a host, and no user, password or fragment")
    return text


Url = Annotated[
    str,
    Field(max_length=URL_CHARS_MAX, pattern=_URL),
    AfterValidator(_url),
    WithJsonSchema(
        {"type": "string", "maxLength": URL_CHARS_MAX, "pattern": _URL, "examples": ["https://casino.example/events"]}
    ),
]
"""Where events are sent: https, or http into a network that the installation allows."""

EventType = Annotated[
    str,
    Field(pattern=r"^studbook\.[a-z0-9_.]{0,100}$"),
    WithJsonSchema(
        {"type": "string", "pattern": r"^studbook\.[a-z0-9_.]{0,100}$", "examples": ["studbook.round.settled.v1"]}
    ),
]
"""The beginning of a type: `studbook.` is every event, `studbook.wallet.` those of wallets."""

EventTypes = Annotated[tuple[EventType, ...], Strict(strict=False), Field(min_length=1, max_length=TYPES_MOST)]

Position = Annotated[int, Strict(), Field(ge=0, le=POSITION_MAX)]


class WebhookBody(Body):
    """A new webhook. `after`: for events past this position; from now on when it is left out."""

    webhook: ClientId
    url: Url
    types: EventTypes = (ANY_TYPE,)
    active: bool = True
    after: Position | None = None


class WebhookChangeBody(Body):
    """What is to change; `active` true enables a webhook that was disabled, and the next try is made at once."""

    url: Url | None = None
    types: EventTypes | None = None
    active: bool | None = None


class ReplayBody(Body):
    """`after`: everything past this position. `position`: the one event there. One of both."""

    after: Position | None = None
    position: Position | None = None


class NoBody(Body):
    """Nothing."""
