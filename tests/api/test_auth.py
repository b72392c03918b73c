"""Keys: their form, how they are checked, cached and forgotten."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.auth import KeyRing, Principal, StoredKey, bearer, bootstrap_key, hash_key, key_id_of, make_key, requires
from api.auth_gate import open_path
from api.errors import Unauthenticated
from domain.errors import Invalid, Unavailable
from tests.api.front import KeysInMemory


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def header(key: str) -> bytes:
    return f"Bearer {key}".encode()


def test_a_new_key_has_our_form_and_only_its_hash_is_kept() -> None:
    new = make_key()
    assert re.fullmatch(r"sb_[0-9a-f]{16}_[0-9a-f]{64}", new.key)
    assert key_id_of(new.key) == new.key_id
    assert new.hash == hash_key(new.key) == sha256(new.key.encode()).digest()
    assert make_key().key != new.key


def test_a_bootstrap_key_may_be_any_text_of_16_characters() -> None:
    text = "correct-horse-battery"
    assert bootstrap_key(text).key_id == sha256(text.encode()).hexdigest()[:16]
    own = make_key()
    assert bootstrap_key(own.key) == own


@pytest.mark.parametrize("text", ["", "x" * 15, "x" * 257, "with a space in it", "sixteen-caf\xe9-text", "line\n" * 5])
def test_a_weak_or_unsendable_bootstrap_key_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        bootstrap_key(text)
    assert refused.value.field == "bootstrap_key"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "send the header"),
        (b"", "scheme"),
        (b"Basic YTpi", "scheme"),
        (b"sb_0123456789abcdef", "scheme"),
        (b"Bearer", "empty"),
        (b"Bearer ", "empty"),
        (b"Bearer short", "cut off"),
        (b"Bearer two words-of-a-longer-key", "characters"),
        (b"Bearer " + b"x" * 257, "key"),
        (b"Bearer \xff\xfe0123456789abcdef", "characters"),
        (b"Bearer 0123456789abcdef\x00", "characters"),
    ],
)
def test_a_wrong_header_is_told_what_is_wrong_and_not_repeated(value: bytes | None, says: str) -> None:
    with pytest.raises(Unauthenticated, match=says) as refused:
        bearer(value)
    assert "YTpi" not in refused.value.detail
    assert "0123456789abcdef" not in refused.value.detail


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_read_in_any_case(scheme: str) -> None:
    assert bearer(f"{scheme} 0123456789abcdef".encode()) == "0123456789abcdef"


@given(st.binary(max_size=80))
def test_random_headers_are_refused_or_are_keys(value: bytes) -> None:
    with suppress(Unauthenticated):
        assert re.fullmatch("[!-~]{16,256}", bearer(value))


async def test_a_key_opens_for_its_principal_and_is_looked_up_once_within_the_second() -> None:
    store, clock = KeysInMemory(), Clock()
    key = store.add(make_key(), {"dealer"}, "north")
    ring = KeyRing(store, clock=clock)
    for clock.now in (0.0, 0.5, 0.999):
        assert (await ring.principal(header(key))).operator == "north"
    assert len(store.asked) == 1


async def test_a_revoked_key_is_refused_after_a_second_and_at_once_when_forgotten() -> None:
    store, clock = KeysInMemory(), Clock()
    ring = KeyRing(store, clock=clock)
    for forgotten in (False, True):
        new = make_key()
        store.add(new, {"dealer"})
        await ring.principal(header(new.key))
        store.rows.clear()
        if forgotten:
            ring.forget(new.key_id)
        else:
            clock.now += 1.0
        with pytest.raises(Unauthenticated, match="unknown or revoked"):
            await ring.principal(header(new.key))


async def test_a_right_id_with_a_wrong_secret_is_refused_cached_or_not() -> None:
    store = KeysInMemory()
    new = make_key()
    store.add(new, {"dealer"})
    ring = KeyRing(store)
    forged = f"sb_{new.key_id}_{'0' * 64}"
    for _ in range(2):
        with pytest.raises(Unauthenticated, match="unknown or revoked"):
            await ring.principal(header(forged))
        assert (await ring.principal(header(new.key))).key_id == new.key_id


async def test_unknown_keys_do_not_fill_the_cache() -> None:
    store = KeysInMemory()
    key = store.add(make_key(), {"dealer"})
    ring = KeyRing(store, size=2)
    await ring.principal(header(key))
    for _ in range(5):
        with pytest.raises(Unauthenticated):
            await ring.principal(header(make_key().key))
    await ring.principal(header(key))
    assert store.asked.count(key_id_of(key)) == 1


async def test_the_cache_is_bounded() -> None:
    store = KeysInMemory()
    keys = [store.add(make_key(), {"dealer"}) for _ in range(3)]
    ring = KeyRing(store, size=2)
    for key in (*keys, keys[2], keys[1], keys[0]):
        await ring.principal(header(key))
    assert len(store.asked) == 4


class SlowStore:
    """A store that answers when told, or fails."""

    def __init__(self, found: StoredKey | None) -> None:
        self.asked = 0
        self.found = found
        self.go = asyncio.Event()
        self.fails = False

    async def find(self, key_id: str) -> StoredKey | None:
        self.asked += 1
        await self.go.wait()
        if self.fails:
            raise Unavailable("the database does not answer")
        return self.found


def slow(new_key: str) -> SlowStore:
    return SlowStore(StoredKey(hash_key(new_key), Principal("demo", "a", key_id_of(new_key), frozenset({"dealer"}))))


async def test_many_who_wait_for_one_key_ask_the_store_once_and_one_who_leaves_spoils_nothing() -> None:
    key = make_key().key
    store = slow(key)
    ring = KeyRing(store)
    waiting = [asyncio.ensure_future(ring.principal(header(key))) for _ in range(20)]
    await asyncio.sleep(0)
    waiting.pop(0).cancel()
    store.go.set()
    assert len({id(who) for who in await asyncio.gather(*waiting)}) == 1
    assert store.asked == 1


async def test_a_key_forgotten_during_its_look_up_is_not_kept() -> None:
    key = make_key().key
    store = slow(key)
    ring = KeyRing(store)
    waiting = asyncio.ensure_future(ring.principal(header(key)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    ring.forget(key_id_of(key))
    store.go.set()
    await waiting
    store.found = None
    with pytest.raises(Unauthenticated):
        await ring.principal(header(key))


async def test_a_store_that_cannot_tell_makes_the_call_unavailable_and_is_asked_again() -> None:
    key = make_key().key
    store = slow(key)
    store.fails = True
    store.go.set()
    ring = KeyRing(store)
    with pytest.raises(Unavailable):
        await ring.principal(header(key))
    store.fails = False
    assert (await ring.principal(header(key))).operator == "demo"


@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("/livez", True),
        ("/docs", True),
        ("/docs/problems", True),
        ("/docsx", False),
        ("/v1/tables", False),
        ("", False),
    ],
)
def test_which_paths_need_no_key(path: str, is_open: bool) -> None:
    assert open_path(path) is is_open


def test_a_misspelt_role_is_found_at_construction() -> None:
    for roles in ((), ("auditors",)):
        with pytest.raises(ValueError, match="roles are"):
            requires(*roles)


async def test_a_header_that_has_opened_opens_at_once_as_long_as_its_key_is_known_and_no_longer() -> None:
    store, clock = KeysInMemory(), Clock()
    ring = KeyRing(store, clock=clock)
    new = make_key()
    store.add(new, {"dealer"}, "north")
    asked = header(new.key)
    assert (ring.opened(asked), ring.opened(None)) == (None, None)
    who = await ring.principal(asked)
    assert ring.opened(asked) == who
    assert ring.opened(header(f"sb_{new.key_id}_{'0' * 64}")) is None
    clock.now = 0.999
    assert ring.opened(asked) == who
    clock.now = 1.0
    assert ring.opened(asked) is None
    await ring.principal(asked)
    ring.forget(new.key_id)
    assert ring.opened(asked) is None
    await ring.principal(asked)
    ring.forget(None)
    assert ring.opened(asked) is None


async def test_few_headers_are_remembered() -> None:
    store = KeysInMemory()
    ring = KeyRing(store, size=3)
    for _ in range(10):
        await ring.principal(header(store.add(make_key(), {"dealer"})))
    assert len(ring._opened) <= 3
