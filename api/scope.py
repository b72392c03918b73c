"""Keys of our own in the scope of a request, as ASGI allows; heavy modules need not be loaded to know them."""

from __future__ import annotations

from typing import Final

PRINCIPAL: Final = "studbook.principal"
"""Who calls (`api.auth.Principal`), once the key has been checked."""

REQUEST_ID: Final = "studbook.request_id"
"""The request id, which the dispatcher sets on every request."""

ROUTE: Final = "studbook.route"
"""The template of a command's route; FastAPI keeps that of a read under `route`."""

IS_HEAD: Final = "studbook.is_head"
"""Set where a HEAD is served as the GET that it asks about: who asks reads no body, and a stream would never end."""

TRACE_ID: Final = "studbook.trace_id"
"""The trace that the request's span belongs to, where tracing is on."""
