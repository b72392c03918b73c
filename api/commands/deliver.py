"""`studbook deliver`: the process that calls webhooks. `studbook serve` starts one by itself."""

from __future__ import annotations


def deliver() -> None:
    """Call the webhooks of the database in STUDBOOK_DATABASE_URL until stopped.

    A second one waits until the first is gone. Example: studbook deliver
    """
    from api.main.delivering import deliver as run

    run()
