"""The hash chain, and what verification finds in rows that were changed (F21)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.chain import GENESIS, RawEvent, link
from services.chain import KINDS, Anchor, Fault, verify_chain
from tests.adapters.test_codec import KINDS as CODEC_KINDS

Rows = list[RawEvent]


def chained(rows: Rows, start: int = 0) -> Rows:
    """The same rows with the hashes made anew from index `start` on."""
    done = rows[:start]
    for row in rows[start:]:
        previous = done[-1].hash if done else GENESIS
        fields = row._asdict()
        del fields["hash"], fields["operator"]
        done.append(row._replace(hash=link(previous, **fields)))
    return done


def clean(count: int = 12) -> Rows:
    """Events of two operators and four streams, by turns."""
    streams = ("one/wallet/a", "one/wallet/b", "two/wallet/a", "one/seat/r.a")
    names = {"wallet": "wallet.deposited.v1", "seat": "seat.decided.v1"}
    versions: dict[str, int] = {}
    sequences: dict[str, int] = {}
    rows: Rows = []
    for position in range(1, count + 1):
        stream = streams[position % 4]
        operator, kind, _ = stream.split("/")
        versions[stream] = versions.get(stream, 0) + 1
        sequences[operator] = sequences.get(operator, 0) + 1
        state = f'{{"amount":{position},"text":"é"}}'.encode()
        rows.append(
            RawEvent(position, stream, versions[stream], names[kind], state, operator, sequences[operator], b"")
        )
    return chained(rows)


CLEAN = clean()


def fault(rows: Rows, *anchors: Anchor) -> Fault | None:
    return verify_chain(rows, anchors).fault


def test_the_hash_is_the_one_that_anyone_computes_from_the_description() -> None:
    def field(value: bytes) -> bytes:
        return len(value).to_bytes(4, "big") + value

    def number(value: int) -> bytes:
        return field(value.to_bytes(8, "big"))

    row = CLEAN[1]
    text = b"".join(
        (
            field(CLEAN[0].hash), field(row.stream.encode()), number(row.version), field(row.name.encode()),
            number(row.position), number(row.sequence), field(row.state),
        )
    )  # fmt: skip  # as in the description
    assert row.hash == hashlib.sha256(text).digest()


def test_the_hash_of_a_known_event_never_changes() -> None:
    first = link(
        GENESIS, stream="demo/wallet/p", version=1, name="wallet.opened.v1", position=1, sequence=1, state=b"{}"
    )
    assert first.hex() == "d5b83f74b9f1cb3579a64e59ff76ac5038aa0960f3f9b3d45af05abad3b6f8a6"


def test_kinds_of_streams_are_those_that_have_events() -> None:
    assert set(CODEC_KINDS.values()) == KINDS


def test_a_clean_log_is_good_and_so_is_an_empty_one() -> None:
    verdict = verify_chain(CLEAN, [Anchor(5, CLEAN[4].hash), Anchor(12, CLEAN[-1].hash)])
    assert (verdict.events, verdict.hash, verdict.fault) == (12, CLEAN[-1].hash, None)
    assert (verify_chain([]).events, verify_chain([]).fault) == (0, None)


def swapped(rows: Rows, i: int, j: int, *fields: str) -> Rows:
    rows = list(rows)
    a, b = rows[i], rows[j]
    rows[i] = a._replace(**{field: getattr(b, field) for field in fields})
    rows[j] = b._replace(**{field: getattr(a, field) for field in fields})
    return rows


@pytest.mark.parametrize(
    ("tamper", "position", "reason"),
    [
        (lambda r: [*r[:5], r[5]._replace(state=b"{}"), *r[6:]], 6, "hash does not follow"),
        (lambda r: [*r[:5], r[5]._replace(name="wallet.withdrawn.v1"), *r[6:]], 6, "hash does not follow"),
        (lambda r: [*r[:5], r[5]._replace(hash=bytes(32)), *r[6:]], 6, "hash does not follow"),
        (lambda r: [*r[:5], *r[6:]], 6, "missing: 7 follows 5"),
        (lambda r: r[1:], 1, "missing: 2 follows 0"),
        (lambda r: [*r[:6], *r[5:]], 7, "missing: 6 follows 6"),
        (lambda r: [row for row in r if row.stream != "one/wallet/b"], 1, "missing"),
        (lambda r: swapped(r, 4, 8, "state"), 5, "hash does not follow"),
        (lambda r: swapped(r, 4, 5, "stream", "version", "operator", "sequence"), 5, "hash does not follow"),
        (lambda r: swapped(r, 2, 4, "name", "state"), 3, "wallet.deposited.v1 stands in stream one/seat/r.a"),
        (lambda r: [*r[:5], r[5]._replace(operator="one"), *r[6:]], 6, "filed under operator 'one'"),
        (lambda r: [*r[:5], r[5]._replace(stream="one/wallet"), *r[6:]], 6, "not the name of a stream"),
        (lambda r: [*r[:5], r[5]._replace(stream="one/ghost/a"), *r[6:]], 6, "not the name of a stream"),
    ],
)  # fmt: skip  # a table
def test_F21_a_changed_log_is_found_at_its_first_bad_position(
    tamper: Callable[[Rows], Rows], position: int, reason: str
) -> None:
    found = fault(tamper(CLEAN))
    assert found is not None
    assert reason in found.reason
    assert found.position == found.since == position


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda r: chained([*r[:5], *(x._replace(position=x.position - 1) for x in r[6:])]), "version"),
        (lambda r: chained([*r[:11], r[11]._replace(version=9)]), "version 9 of stream one/wallet/a, 3 was to come"),
        (lambda r: chained([*r[:11], r[11]._replace(sequence=8)]), "sequence 8 of operator one, 9 was to come"),
        (lambda r: chained(swapped(r, 2, 4, "name", "state")), "stands in stream"),
        (lambda r: chained(swapped(r, 4, 8, "version")), "version"),
    ],
)
def test_F21_a_chain_made_anew_does_not_hide_gaps_and_strangers(tamper: Callable[[Rows], Rows], reason: str) -> None:
    found = fault(tamper(CLEAN))
    assert found is not None
    assert reason in found.reason


def test_F21_bug_087_a_cut_tail_is_found_by_the_anchor() -> None:
    found = fault(CLEAN[:9], Anchor(5, CLEAN[4].hash), Anchor(12, CLEAN[-1].hash))
    assert found == Fault(10, 10, "the log ends here, an anchor holds 12 events")
    assert fault([], Anchor(12, CLEAN[-1].hash)) == Fault(1, 1, "the log ends here, an anchor holds 12 events")


def test_F21_a_suffix_chained_anew_is_found_between_two_anchors() -> None:
    forged = chained([*CLEAN[:6], CLEAN[6]._replace(state=b'{"amount":1}'), *CLEAN[7:]], start=6)
    assert fault(forged) is None
    found = fault(forged, Anchor(4, CLEAN[3].hash), Anchor(8, CLEAN[7].hash), Anchor(12, CLEAN[11].hash))
    assert found == Fault(8, 5, "the hash is not the one that an anchor holds: the chain was made anew")


def test_two_anchors_that_contradict_each_other_cannot_both_hold() -> None:
    found = fault(CLEAN, Anchor(4, CLEAN[3].hash), Anchor(4, CLEAN[4].hash))
    assert found is not None
    assert found.position == 4


@settings(max_examples=300)
@given(data=st.data())
def test_F21_any_change_of_one_field_of_one_row_is_found_there(data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(CLEAN) - 1))
    field = data.draw(st.sampled_from(RawEvent._fields))
    old = getattr(CLEAN[index], field)
    kinds: dict[type, st.SearchStrategy[Any]] = {
        int: st.integers(0, 2**62),
        str: st.text(max_size=20),
        bytes: st.binary(max_size=40),
    }
    new = data.draw(kinds[type(old)].filter(lambda value: value != old))
    found = fault([*CLEAN[:index], CLEAN[index]._replace(**{field: new}), *CLEAN[index + 1 :]])
    assert found is not None
    assert found.position == index + 1
