"""`studbook anchor`: what anchors the log in a folder outside of the database. `serve` starts one by itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

EPILOG = "Example: studbook anchor --anchor-dir /var/lib/studbook-anchors"

AnchorDir = Annotated[
    Path | None, typer.Option(help="The folder of anchors, outside of the database.", envvar="STUDBOOK_ANCHOR_DIR")
]


def anchor(anchor_dir: AnchorDir = None) -> None:
    """Anchor the head of the log, signed, until stopped; a second process on the same folder waits for the first."""
    from api.main.anchoring import anchor as run

    if anchor_dir is not None:
        os.environ["STUDBOOK_ANCHOR_DIR"] = str(anchor_dir)
    run()
