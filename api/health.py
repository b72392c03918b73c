"""Is it alive, is it ready, how does it do: no key needed, and nothing about any operator told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response


@dataclass(frozen=True, slots=True)
class Model:
    """How far a read model is, why it stopped, if it did, and how many events operators let it pass over."""

    name: str
    position: int
    lag: int
    stopped: str | None
    skipped: int


@dataclass(frozen=True, slots=True)
class Deliverer:
    """What the deliverer left: how many seconds ago, how many webhooks are called, how many of them fail, how many are
    disabled, how many events wait for them, and how many calls were taken and not taken since it began.
    """

    age_seconds: float
    active: int
    failing: int
    disabled: int
    backlog: int
    delivered: int
    failed: int


@dataclass(frozen=True, slots=True)
class Exporter:
    """What the exporter left: how many seconds ago, how many exports wait, how many it made and could not make since it
    began.
    """

    age_seconds: float
    waiting: int
    done: int
    failed: int


@dataclass(frozen=True, slots=True)
class Condition:
    """What one serving process knows of itself and its database; `faults` says why it is not ready."""

    faults: tuple[str, ...]
    position: int
    waiting: int
    models: tuple[Model, ...]
    broken_streams: int
    turns_lost: int
    deliverer: Deliverer | None = None
    exporter: Exporter | None = None


Probe = Callable[[], Awaitable[Condition]]

Figures = Callable[[str | None], Awaitable[bytes]]
"""What `/metrics` answers to who sends this Authorization header."""


class Reached(BaseModel):
    """How far a read model is."""

    position: int
    lag: int
    stopped: str | None
    skipped: int


class Readiness(BaseModel):
    """What `/readyz` tells."""

    status: Literal["ok", "unavailable"]
    faults: list[str]
    position: int
    waiting: int
    broken_streams: int
    models: dict[str, Reached]


class NoQuery(BaseModel):
    """No query parameters are known here."""

    model_config = ConfigDict(extra="forbid")


def router(probe: Probe, figures: Figures) -> APIRouter:
    """`/livez`, `/readyz` and `/metrics`."""
    made = APIRouter(tags=["health"])

    @made.get("/livez", operation_id="get_livez", summary="Is the process alive")
    async def livez(_: Annotated[NoQuery, Query()]) -> dict[str, str]:
        return {"status": "ok"}

    @made.get(
        "/readyz",
        operation_id="get_readyz",
        summary="Can it serve",
        response_model=Readiness,
        responses={503: {"model": Readiness, "description": "It cannot; `faults` says why"}},
    )
    async def readyz(_: Annotated[NoQuery, Query()]) -> JSONResponse:
        found = await probe()
        return JSONResponse(_told(found), status_code=503 if found.faults else 200)

    @made.get(
        "/metrics", operation_id="get_metrics", summary="Figures for Prometheus", response_class=PlainTextResponse
    )
    async def get_metrics(request: Request, _: Annotated[NoQuery, Query()]) -> Response:
        text = await figures(request.headers.get("authorization"))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    return made


def _told(found: Condition) -> dict[str, Any]:
    return {
        "status": "unavailable" if found.faults else "ok",
        "faults": list(found.faults),
        "position": found.position,
        "waiting": found.waiting,
        "broken_streams": found.broken_streams,
        "models": {
            one.name: {"position": one.position, "lag": one.lag, "stopped": one.stopped, "skipped": one.skipped}
            for one in found.models
        },
    }
