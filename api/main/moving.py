"""Bundles out of a database and into an empty one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from adapters.bundle import BundleFault, Loader, Manifest, read_bundle, write_bundle
from adapters.clock import SystemClock
from adapters.codec import CodecError
from adapters.database.connections import connect
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.event_store.rows import recorded
from api.logs import redaction
from api.main.database import prepare
from api.main.environment import environment, software_version
from api.main.faults import told
from api.main.place import Place
from domain.chain import RawEvent
from domain.errors import Invalid
from services.chain import Fault, verify_chain
from services.ports import NewerEvent

Progress = Callable[[str, int, int], None]

STEP = 1_000


@told()
def export_bundle(database_url: str | None, data_dir: Path | None, path: Path, progress: Progress) -> Manifest:
    """Write the whole log to a file, on the login `backup`, while the service runs. Invalid for a bad `path`."""
    with ExitStack() as stack:
        prepare(Place(database_url, data_dir), stack)
        redaction.learn()
        conn = stack.enter_context(connect(environment().settings.conninfo(Role.BACKUP, "studbook export")))
        row = conn.execute("SELECT coalesce(max(notification_id), 0) FROM stored_events").fetchone()
        head = int(row[0]) if row else 0
        try:
            return write_bundle(
                conn,
                path,
                software=software_version(),
                made_at=SystemClock().now(),
                progress=lambda at: progress("events", at, head),
            )
        except OSError as fault:
            raise Invalid(f"{path}: {fault.strerror}", field="path") from None


@told()
def import_bundle(
    database_url: str | None, data_dir: Path | None, path: Path, progress: Progress
) -> tuple[Manifest, Fault | None]:
    """Load a bundle into an empty store. With a fault of the chain, which is looked at on the way, nothing is loaded.

    Raises Invalid, in one line, for what is no bundle, and for a store that is not empty.
    """
    with ExitStack() as stack:
        prepare(Place(database_url, data_dir), stack, may_make=True)
        redaction.learn()
        settings = environment().settings
        with connect(settings.conninfo(Role.PROJECTOR)) as conn:
            schema_state(conn)
        try:
            with Loader(settings.conninfo(Role.WRITER, "studbook import"), settings.conninfo(Role.PROJECTOR)) as loader:
                return _loaded(loader, path, progress)
        except BundleFault as fault:
            raise Invalid(str(fault), field="bundle") from None


def _loaded(loader: Loader, path: Path, progress: Progress) -> tuple[Manifest, Fault | None]:
    manifest = Manifest(0, 0, 0, 0, 0, "", "")
    names: set[str] = set()

    def events() -> Iterator[RawEvent]:
        """The events, while everything else is taken in passing."""
        nonlocal manifest
        for item in read_bundle(path):
            if isinstance(item, Manifest):
                manifest = item
                continue
            if isinstance(item, RawEvent):
                yield item
                _require_known(item, names)
                if item.position % STEP == 0:
                    progress("events", item.position, 0)
            loader.take(item)

    verdict = verify_chain(events())
    if verdict.fault is None:
        loader.finish(manifest)
    return manifest, verdict.fault


def _require_known(row: RawEvent, names: set[str]) -> None:
    """The first event of each name must be one that this version can read."""
    if row.name in names:
        return
    names.add(row.name)
    try:
        recorded(row.position, row.stream, row.version, row.name, row.state)
    except (CodecError, NewerEvent) as fault:
        raise BundleFault(f"position {row.position}: {fault}") from None
