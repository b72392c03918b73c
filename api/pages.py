"""The page /docs: Swagger UI out of this package, so that a closed network shows it too, and nothing is asked outside.

`static/swagger` holds swagger-ui-dist 5.35.0 unchanged (Apache-2.0, with its LICENSE and NOTICE) and our start.js.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.staticfiles import StaticFiles

from api import pack_form

FILES: Final = "/docs/static"
_FOLDER: Final = Path(__file__).parent / "static" / "swagger"
_LLMS: Final = Path(__file__).parent / "static" / "llms.txt"
_PAGE: Final = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>studbook API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{FILES}/swagger-ui.css">
<script src="{FILES}/swagger-ui-bundle.js"></script>
<script src="{FILES}/start.js"></script>
</head>
<body><div id="swagger-ui"></div></body>
</html>
"""

GUARDS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""What the page may load: files of this service, and images that stand in its style sheet."""


def install(app: FastAPI) -> None:
    """Serve /docs and its files, /llms.txt, and the form of an evidence pack."""
    app.add_api_route("/docs", _page, methods=["GET"], include_in_schema=False)
    app.add_api_route("/llms.txt", _llms, methods=["GET"], include_in_schema=False)
    app.add_api_route(pack_form.PLACE, _pack_form, methods=["GET"], include_in_schema=False)
    app.mount(FILES, StaticFiles(directory=_FOLDER))


async def _llms() -> PlainTextResponse:
    """How to call the service, in a page that a language model reads at once (llmstxt.org)."""
    return PlainTextResponse(_LLMS.read_text("utf-8"))


async def _pack_form() -> JSONResponse:
    """What an evidence pack looks like."""
    return JSONResponse(pack_form.schema(), media_type="application/schema+json")


async def _page() -> HTMLResponse:
    """The page."""
    return HTMLResponse(_PAGE, headers=GUARDS)
