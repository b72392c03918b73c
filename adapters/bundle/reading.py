"""Reading a bundle, line by line; what was cut off or changed on the way is told with its line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

import orjson

from adapters.bundle.form import TYPE, BundleFault, Item, Manifest, OperatorRow, RecordRow, SkipRow, item_of
from domain.chain import GENESIS, RawEvent

LINE_MOST: Final = 16 * 1024 * 1024


def read_bundle(path: Path) -> Iterator[Item | Manifest]:
    """Every item in order; the manifest comes last, and only when it fits what came before. Raises BundleFault."""
    counts = {RawEvent: 0, RecordRow: 0, OperatorRow: 0, SkipRow: 0}
    digest, last, manifest = sha256(), (0, GENESIS), None
    for nth, line in _lines(path):
        if manifest is not None:
            raise BundleFault(f"{path.name}, line {nth}: it goes on behind its end")
        item = _read(path, nth, line)
        if isinstance(item, Manifest):
            manifest = item
            continue
        digest.update(line)
        if item is None:
            continue
        counts[type(item)] += 1
        if isinstance(item, RawEvent):
            last = item.position, item.hash
        yield item
    if manifest is None:
        raise BundleFault(f"{path.name} ends before its end: it was cut off")
    found = Manifest(
        counts[RawEvent], counts[RecordRow], counts[OperatorRow], counts[SkipRow], last[0], last[1].hex(),
        digest.hexdigest(),
    )  # fmt: skip
    if found != manifest:
        raise BundleFault(f"{path.name} does not hold what its last line says: it was changed or damaged")
    yield manifest


def _read(path: Path, nth: int, line: bytes) -> Item | Manifest | None:
    """The item of a line; None for the first line, which says what the file is."""
    try:
        if nth > 1:
            return item_of(line)
        if orjson.loads(line)["type"] != TYPE:
            raise BundleFault(f"{path.name} is a bundle of another form than {TYPE}: use the program that wrote it")
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
        raise BundleFault(f"{path.name}, line {nth}: it is no line of a bundle") from None
    return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line numbers from 1 and lines, of a packed file or of an unpacked one."""
    try:
        with path.open("rb") as raw:
            is_packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            file: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=raw) if is_packed else raw
            nth = 0
            while line := file.readline(LINE_MOST):
                yield (nth := nth + 1), line
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise BundleFault(f"{path.name} is damaged, or was cut off") from None
    except OSError as fault:
        raise BundleFault(f"{path}: {fault.strerror}") from None
