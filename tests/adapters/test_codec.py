"""Stored names, and events as bytes and back."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.codec import CODEC, NAMES, CodecError
from domain.players import PlayerRegistered
from domain.seats.events import RejectReason, Wager, WagerKind, WagerPlaced, WagersRejected
from domain.streams import EVENT_TYPES
from domain.wallets.events import Deposited
from services import chain, laws
from services.ports import Meta, NewerEvent
from tests.adapters.event_samples import AT, BIG, metas, sample_meta, utc_times, values_of
from tests.golden.events.generate import golden_lines, missing_lines

KINDS = {
    "domain.wallets.events": "wallet",
    "domain.approvals": "approval",
    "domain.chat": "chat",
    "domain.gaming": "gaming",
    "domain.reconciliations": "reconciliation",
    "domain.messages": "message",
    "domain.players.events": "player",
    "domain.transactions": "transaction",
    "domain.table_events": "table",
    "domain.rounds.events": "round",
    "domain.rounds.scans": "round",
    "domain.seats.events": "seat",
    "domain.jackpots.events": "jackpot",
    "domain.jackpots.upkeep": "jackpot",
}


def test_every_event_has_exactly_one_name() -> None:
    assert set(NAMES.values()) == set(EVENT_TYPES)
    assert len(NAMES) == len(EVENT_TYPES)


def test_a_name_is_kind_what_and_version_and_the_kind_is_that_of_the_stream() -> None:
    for name, cls in NAMES.items():
        assert re.fullmatch(r"[a-z]+\.[a-z_]+\.v[1-9]\d*", name)
        assert name.split(".")[0] == KINDS[cls.__module__]


def test_verify_knows_every_kind_of_stream_and_whose_an_event_is() -> None:
    assert {name.split(".")[0] for name in NAMES} == set(chain.KINDS) == set(laws.OWN_ID)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(data=st.data(), meta=metas, entry=st.integers(0, 50), at=utc_times)
def test_every_event_comes_back_as_it_was(name: str, data: st.DataObject, meta: Meta, entry: int, at: datetime) -> None:
    event = data.draw(values_of(NAMES[name]))
    stored_name, state = CODEC.encode(event, meta, entry, at)
    decoded = CODEC.decode(stored_name, state)
    assert stored_name == name
    assert decoded == (event, meta, entry, at)
    assert types_within(decoded[0]) == types_within(event)
    assert CODEC.encode(*decoded) == (name, state)


def types_within(value: object) -> object:
    """The type of a value and of all that it holds: equal tuples of texts and of enums are told apart."""
    if isinstance(value, tuple):
        return [tuple, *map(types_within, value)]
    slots = getattr(type(value), "__dataclass_fields__", None)
    if slots is None:
        return "aware" if isinstance(value, datetime) and value.utcoffset() is not None else type(value)
    return [type(value), *(types_within(getattr(value, slot)) for slot in slots)]


def test_recorded_at_has_six_decimals_and_utc_whatever_the_offset() -> None:
    east = datetime.fromisoformat("2026-03-01T01:00:00+02:00")
    _, state = CODEC.encode(PlayerRegistered("p", "EUR"), sample_meta(), 0, east)
    assert b'"recorded_at":"2026-02-28T23:00:00.000000Z"' in state


def test_the_stored_form_is_fixed_byte_by_byte() -> None:
    event = Deposited("p1", "EUR", "t-1", BIG, BIG, 0)
    meta = Meta("demo", "cashier", "key-1", "r-1", None, "r-1", "c-1", datetime(2026, 1, 2, tzinfo=UTC))
    assert CODEC.encode(event, meta, 1, AT) == (
        "wallet.deposited.v1",
        b'{"meta":{"operator":"demo","actor":"cashier","key_id":"key-1","request_id":"r-1","idempotency_key":null,'
        b'"correlation":"r-1","causation":"c-1","effective_at":"2026-01-02T00:00:00Z","traceparent":null},"entry":1,'
        b'"recorded_at":"2026-11-29T19:33:31.066256Z","data":{"player":"p1","currency":"EUR","transaction_id":"t-1",'
        b'"amount_minor":9007199254740993,"available_after_minor":9007199254740993,"held_after_minor":0}}',
    )


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (Deposited("p", "EUR", "t", 1.5, 0, 0), "amount_minor"),  # type: ignore[arg-type]  # wrong on purpose
        (Deposited("p", "EUR", None, 1, 0, 0), "transaction_id"),  # type: ignore[arg-type]  # wrong on purpose
        (WagerPlaced("r", "p", None, "a", (Wager("w", WagerKind.ANTE, None),), 9, None, False), "stake_minor"),  # type: ignore[arg-type]  # wrong on purpose
        (Deposited("\ud800", "EUR", "t", 1, 0, 0), "surrogates"),
        (WagersRejected("r", "p", "LEFT", (), 0), "reason"),  # type: ignore[arg-type]  # wrong on purpose
        (WagersRejected("r", "p", RejectReason.LEFT, ["w"], 0), "wagers"),  # type: ignore[arg-type]  # wrong on purpose
        (WagerPlaced("r", "p", 1, "a", (Wager("w", WagerKind.ANTE, "9"),), 9, None, False), "stake_minor"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_a_field_that_would_not_come_back_is_not_written(event: Deposited, fault: str) -> None:
    with pytest.raises(CodecError, match=fault):
        CODEC.encode(event, sample_meta(), 0, AT)


def test_the_word_null_in_a_text_is_just_a_text() -> None:
    event = Deposited("null", "null", "null null", 1, 0, 0)
    assert CODEC.decode(*CODEC.encode(event, sample_meta(), 0, AT)).event == event


def test_a_time_without_offset_is_not_written() -> None:
    naive = datetime(2026, 1, 1)  # wrong on purpose
    with pytest.raises(CodecError, match="recorded_at"):
        CODEC.encode(PlayerRegistered("p", "EUR"), sample_meta(), 0, naive)
    with pytest.raises(CodecError, match="effective_at"):
        CODEC.encode(PlayerRegistered("p", "EUR"), replace(sample_meta(), effective_at=naive), 0, AT)


def test_a_class_without_name_is_not_written() -> None:
    with pytest.raises(CodecError, match="Wager is no event"):
        CODEC.encode(Wager("w", WagerKind.ANTE, 1), sample_meta(), 0, AT)  # type: ignore[arg-type]  # wrong on purpose


GOOD = CODEC.encode(WagersRejected("r", "p", RejectReason.LEFT, ("w",), 5), sample_meta(), 0, AT)[1]


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (b"{", "stored bytes"),
        (b"", "stored bytes"),
        (b"[]", "stored bytes"),
        (b"\xff\xfe", "stored bytes"),
        (GOOD.replace(b'"release_minor":5', b'"release":5'), "data.release"),
        (GOOD.replace(b'"release_minor":5', b'"release_minor":5,"more":1'), "data.more"),
        (GOOD.replace(b'"release_minor":5', b'"release_minor":5.0'), "data.release_minor"),
        (GOOD.replace(b'"release_minor":5', b'"release_minor":"5"'), "data.release_minor"),
        (GOOD.replace(b'"LEFT"', b'"GONE"'), "data.reason"),
        (GOOD.replace(b'"recorded_at":"2026-11-29T19:33:31.066256Z",', b""), "recorded_at"),
        (GOOD.replace(b"31.066256Z", b"31.066256"), "recorded_at"),
        (GOOD.replace(b'"actor":"player-1",', b""), "meta.actor"),
    ],
)
def test_broken_bytes_are_refused_by_the_place_of_the_fault(state: bytes, fault: str) -> None:
    with pytest.raises(CodecError, match=re.escape(f"seat.wagers_rejected.v1: {fault}")):
        CODEC.decode("seat.wagers_rejected.v1", state)


@pytest.mark.parametrize(
    "name", ["seat.danced.v1", "wallet.deposited", "wallet.deposited.v0", "domain.wallets:Deposited", ""]
)
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(CodecError, match="is not the name of an event"):
        CODEC.decode(name, GOOD)


def test_bug_008_a_newer_version_than_known_is_named() -> None:
    with pytest.raises(NewerEvent, match=r"holds wallet\.deposited\.v2.*up to v1"):
        CODEC.decode("wallet.deposited.v2", GOOD)


def test_golden_events_of_every_version_are_read_and_written_byte_for_byte() -> None:
    lines = golden_lines()
    assert {name for name, _ in lines} >= set(NAMES), missing_lines()
    for name, state in lines:
        decoded = CODEC.decode(name, state)
        if name in NAMES:
            assert CODEC.encode(*decoded) == (name, state)
