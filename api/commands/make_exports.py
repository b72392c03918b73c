"""`studbook make-exports`: the process that makes exports. `studbook serve` starts one by itself."""

from __future__ import annotations


def make_exports() -> None:
    """Make the exports that operators ask for, until stopped; a second one waits until the first is gone.

    \b
    Example: studbook make-exports
    """
    from api.main.making_exports import make_exports as run

    run()
