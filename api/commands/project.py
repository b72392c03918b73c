"""`studbook project`: the projector, which keeps the read models up to date. `serve` starts one by itself."""

from __future__ import annotations


def project() -> None:
    """Keep the read models up to date, until stopped; a second projector waits for the first.

    \b
    Example: studbook project
    """
    from api.main.projecting import project as run

    run()
