"""Stored bytes read in parts tell what the codec reads in them as a whole."""

from __future__ import annotations

import orjson
import pytest

from adapters.codec import CODEC, CodecError
from adapters.codec.parts import PartsReader
from domain.seats.events import RejectReason, WagersRejected
from services.ports import NewerEvent
from tests.adapters.event_samples import AT, sample_meta
from tests.golden.events.generate import golden_lines

NAME = "seat.wagers_rejected.v1"
GOOD = CODEC.encode(WagersRejected("r", "p", RejectReason.LEFT, ("w",), 5), sample_meta(), 0, AT)[1]


def whole(name: str, state: bytes) -> object:
    event, meta, entry, recorded_at = CODEC.decode(name, state)
    return event, meta.causation, entry, recorded_at


def test_golden_events_of_every_version_are_the_same_in_parts() -> None:
    reader = PartsReader()
    for name, state in golden_lines() * 2:  # the second time from what the reader remembers
        assert reader.read(name, state) == whole(name, state)


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
    reader = PartsReader()
    reader.read(NAME, GOOD)
    assert state != GOOD
    assert reader.read(NAME, state) == whole(NAME, state)


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
        GOOD.replace(b'"release_minor":5', b'"release_minor":"5"'),
        GOOD.replace(b'"release_minor":5', b'"release_minor":5,"more":1'),
        GOOD.replace(b'"data":{', b'"data":{},"data":{"more":1,'),
    ],
)
def test_what_is_wrong_is_refused_as_the_codec_refuses_it(state: bytes) -> None:
    assert state != GOOD
    with pytest.raises(CodecError) as told:
        CODEC.decode(NAME, state)
    reader = PartsReader()
    reader.read(NAME, GOOD)
    with pytest.raises(CodecError) as found:
        reader.read(NAME, state)
    assert str(found.value) == str(told.value)


def test_a_newer_version_is_named() -> None:
    with pytest.raises(NewerEvent, match="up to v1"):
        PartsReader().read("wallet.deposited.v2", GOOD)


def test_a_meta_with_the_right_fields_is_not_read_any_further() -> None:
    state = GOOD.replace(b'"effective_at":"', b'"effective_at":"not ')
    assert PartsReader().read(NAME, state) == whole(NAME, GOOD)
    with pytest.raises(CodecError, match=r"meta\.effective_at"):
        CODEC.decode(NAME, state)
