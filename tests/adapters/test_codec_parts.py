"""Stored bytes read in parts tell what the codec reads in them as a whole: read models take from them what they need,
the audit all of it."""

from __future__ import annotations

from collections.abc import Callable

import orjson
import pytest

from adapters.codec import CODEC, CodecError
from adapters.codec.parts import PartsReader
from adapters.codec.whole import WholeReader
from domain.seats.events import RejectReason, WagersRejected
from services.ports import NewerEvent
from tests.adapters.event_samples import AT, sample_meta
from tests.golden.events.generate import golden_lines

NAME = "seat.wagers_rejected.v1"
GOOD = CODEC.encode(WagersRejected("r", "p", RejectReason.LEFT, ("w",), 5), sample_meta(), 0, AT)[1]


Read = Callable[[str, bytes], object]


def whole(name: str, state: bytes) -> object:
    event, meta, entry, recorded_at = CODEC.decode(name, state)
    return event, meta.causation, entry, recorded_at


def readers() -> list[tuple[Read, Read]]:
    """New readers, each with what it has to read."""
    return [(PartsReader().read, whole), (WholeReader().decode, CODEC.decode)]


def test_golden_events_of_every_version_are_the_same_in_parts() -> None:
    for read, expected in readers():
        for name, state in golden_lines() * 2:  # the second time from what the reader remembers
            assert read(name, state) == expected(name, state)


@pytest.mark.parametrize(
    "state",
    [
        orjson.dumps(orjson.loads(GOOD), option=orjson.OPT_INDENT_2),
        orjson.dumps(orjson.loads(GOOD), option=orjson.OPT_SORT_KEYS),
        GOOD.replace(b',"traceparent":null', b""),
        GOOD.replace(b'"player":"p"', b'"player":"p\\"},\\"entry\\":7"'),
        GOOD.replace(b'"causation":"', b'"causation":"},\\"entry\\":9,\\"data\\":'),
        GOOD.replace(b'"entry":0', b'"entry":12345678901234567890'),
        GOOD.replace(b".066256Z", b".066256+00:00"),
    ],
)
def test_another_layout_is_read_as_a_whole(state: bytes) -> None:
    assert state != GOOD
    for read, expected in readers():
        read(NAME, GOOD)
        assert read(NAME, state) == expected(NAME, state)
        assert read(NAME, GOOD) == expected(NAME, GOOD)


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"{",
        b"[]",
        GOOD[:-1],
        GOOD + b"}",
        GOOD + b" x",
        b"x" + GOOD,
        GOOD.replace(b'{"meta":{', b'{"beta":{'),
        GOOD.replace(b'{"meta":{', b'{"meta":{"more":1,'),
        GOOD.replace(b'"actor":', b'"actors":'),
        GOOD.replace(b'"entry":0', b'"entry":00'),
        GOOD.replace(b'"entry":0', b'"entry":"0"'),
        GOOD.replace(b'"entry":0', b'"entry":0,"more":1'),
        GOOD.replace(b"31.066256Z", b"31.066256"),
        GOOD.replace(b',"recorded_at":"2026-11-29T19:33:31.066256Z"', b""),
        GOOD.replace(b',"recorded_at":"2026-11-29T19:33:31.066256Z"', b',"recorded_at":'),
        GOOD.replace(b'"release_minor":5', b'"release_minor":"5"'),
        GOOD.replace(b'"release_minor":5', b'"release_minor":5,"more":1'),
        GOOD.replace(b'"data":{', b'"data":{},"data":{"more":1,'),
    ],
)
def test_what_is_wrong_is_refused_as_the_codec_refuses_it(state: bytes) -> None:
    assert state != GOOD
    with pytest.raises(CodecError) as told:
        CODEC.decode(NAME, state)
    for before in (GOOD, None):
        for read, _ in readers():
            if before is not None:
                read(NAME, before)
            with pytest.raises(CodecError) as found:
                read(NAME, state)
            assert str(found.value) == str(told.value)


def test_a_newer_version_is_named() -> None:
    for read, _ in readers():
        with pytest.raises(NewerEvent, match="up to v1"):
            read("wallet.deposited.v2", GOOD)


def test_a_meta_with_the_right_fields_is_read_further_by_the_audit_alone() -> None:
    state = GOOD.replace(b'"effective_at":"', b'"effective_at":"not ')
    assert PartsReader().read(NAME, state) == whole(NAME, GOOD)
    for decode in (CODEC.decode, WholeReader().decode):
        with pytest.raises(CodecError, match=r"meta\.effective_at"):
            decode(NAME, state)
