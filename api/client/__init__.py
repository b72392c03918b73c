"""A Python client of studbook. It needs httpx2 and pydantic, and standardwebhooks for webhooks and keys that sign;
nothing else of this repository: copy the folder `api/client` into your code under any name.

    from api.client import Client, InsufficientFunds, LostAnswer

    with Client("https://casino.example", key) as casino:
        casino.register_player(player="ann", currency="EUR")
        casino.deposit("ann", amount=10_000, currency="EUR", transaction_id="bank-1")
        try:
            placed = casino.place_wagers(round_, player="ann", seat=2, ante=500, side={"progressive": 50})
        except InsufficientFunds as refusal:
            show(refusal.detail)

Each call of the API is one method, named as the OpenAPI document names it. models.py, bodies.py, refusals.py and the
methods are written from that document by `python -m tests.contract.write`.
"""

from __future__ import annotations

from .client import Client as Client
from .faults import BadSignature as BadSignature
from .faults import LostAnswer as LostAnswer
from .faults import Refused as Refused
from .faults import StudbookError as StudbookError
from .faults import UnexpectedAnswer as UnexpectedAnswer
from .refusals import *  # noqa: F403  # one class for each code, listed in refusals.py
from .transport import new_key as new_key
