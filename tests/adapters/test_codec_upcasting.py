"""Old events are read as today's (with made-up old versions, as none was ever shipped)."""

from __future__ import annotations

import pytest

from adapters.codec import CODEC, NAMES, CodecError, EventCodec, Json
from domain.wallets.events import Deposited
from services.ports import NewerEvent
from tests.adapters.event_samples import AT, sample_meta

TODAY = Deposited("p1", "EUR", "t-1", 2**60 + 1, 700, 0)
_, STORED = CODEC.encode(TODAY, sample_meta(), 3, AT)


def to_v2(data: Json) -> tuple[str, Json]:
    """v1 was called cash_in and its amount had another name."""
    return "wallet.deposited.v2", {"amount_minor": data.pop("amount"), **data}


def to_v3(data: Json) -> tuple[str, Json]:
    """v2 knew no held money: there was none."""
    return "wallet.deposited.v3", {**data, "held_after_minor": 0}


NEW = EventCodec(
    {("wallet.deposited.v3" if cls is Deposited else name): cls for name, cls in NAMES.items()},
    {"wallet.cash_in.v1": to_v2, "wallet.deposited.v2": to_v3},
)
OLDEST = STORED.replace(b"amount_minor", b"amount", 1).replace(b',"held_after_minor":0', b"")


def test_bug_008_an_event_of_an_old_name_with_an_old_field_is_todays_event() -> None:
    decoded = NEW.decode("wallet.cash_in.v1", OLDEST)
    assert decoded == (TODAY, sample_meta(), 3, AT)


def test_bug_008_each_version_between_is_read_too() -> None:
    assert NEW.decode("wallet.deposited.v2", STORED.replace(b',"held_after_minor":0', b"")).event == TODAY
    assert NEW.decode("wallet.deposited.v3", STORED).event == TODAY


def test_an_old_event_is_never_written_as_old() -> None:
    assert NEW.encode(TODAY, sample_meta(), 3, AT) == ("wallet.deposited.v3", STORED)


def test_bug_008_the_version_after_the_newest_stops_and_is_named() -> None:
    with pytest.raises(NewerEvent, match=r"wallet\.deposited\.v4.*up to v3"):
        NEW.decode("wallet.deposited.v4", STORED)


def test_a_version_below_all_known_ones_is_refused() -> None:
    with pytest.raises(CodecError, match="is not the name of an event"):
        NEW.decode("wallet.deposited.v1", STORED)


@pytest.mark.parametrize("state", [b"{", b"[1]", b'{"data":[]}', b"{}", b"[" * 100_000])
def test_broken_old_bytes_are_refused(state: bytes) -> None:
    with pytest.raises(CodecError, match=r"^wallet\.cash_in\.v1: "):
        NEW.decode("wallet.cash_in.v1", state)


def test_old_data_that_the_upcaster_does_not_know_is_refused() -> None:
    with pytest.raises(CodecError, match="cannot be upcast"):
        NEW.decode("wallet.cash_in.v1", STORED)


def test_upcasters_that_lead_nowhere_or_round_in_a_ring_are_refused() -> None:
    nowhere = EventCodec(NAMES, {"wallet.cash_in.v1": lambda data: ("wallet.gone.v1", data)})
    ring = EventCodec(
        NAMES, {"wallet.a.v1": lambda data: ("wallet.b.v1", data), "wallet.b.v1": lambda data: ("wallet.a.v1", data)}
    )
    for codec, name in ((nowhere, "wallet.cash_in.v1"), (ring, "wallet.a.v1")):
        with pytest.raises(CodecError, match="lead to"):
            codec.decode(name, STORED)


def test_a_table_of_names_with_an_ill_made_name_is_not_taken() -> None:
    with pytest.raises(ValueError, match=r"kind\.what\.vN"):
        EventCodec({"Deposited": Deposited})
