"""Tokens: what they open, and each check that one can fail, by its name."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from api.auth import KeyRing, Principal, StoredKey, bootstrap_key, make_key
from api.errors import Unauthenticated
from api.tokens import AUDIENCE, ISSUER, KIND, TOKEN_SECONDS, Tokens
from domain.errors import Invalid
from tests.api.front import KeysInMemory

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
ROLES = frozenset({"operator", "dealer"})


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def tokens(clock: Clock, **keys: bytes) -> Tokens:
    return Tokens(keys or {"one": KEY}, clock)


def made(header: dict[str, Any] | None = None, key: bytes = KEY, **claims: Any) -> str:
    """A token as somebody who has the key might make it."""
    now = int(Clock.now)
    usual = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ann",
        "client_id": "k",
        "scope": "dealer",
        "iat": now,
        "exp": now + 9,
    }
    said = {name: value for name, value in {**usual, **claims}.items() if value is not None}
    full = {"alg": "HS256", "kid": "one", "typ": KIND, **(header or {})}
    return jwt.encode({k: v for k, v in full.items() if v}, said, OctKey.import_key(key), algorithms=["HS256", "HS512"])


def check_of(refused: pytest.ExceptionInfo[Unauthenticated]) -> str:
    return refused.value.more["check"]


def test_a_token_says_which_key_and_roles_it_stands_for_for_ten_minutes() -> None:
    clock = Clock()
    office = tokens(clock)
    token = office.give("ann", "k1", ROLES)
    found = office.read(token)
    assert (found.key_id, found.roles) == ("k1", ROLES)
    assert TOKEN_SECONDS <= 600
    clock.now += TOKEN_SECONDS - 1
    assert office.read(token) == found
    clock.now += 1
    with pytest.raises(Unauthenticated, match="expired") as refused:
        office.read(token)
    assert check_of(refused) == "token.exp"


def test_the_old_key_still_opens_its_tokens_while_a_new_one_signs() -> None:
    clock = Clock()
    token = tokens(clock, one=KEY).give("ann", "k1", ROLES)
    both = tokens(clock, two=OTHER, one=KEY)
    assert both.read(token).key_id == "k1"
    fresh = both.give("ann", "k1", ROLES)
    with pytest.raises(Unauthenticated) as refused:
        tokens(clock, one=KEY).read(fresh)
    assert check_of(refused) == "token.kid"


def forged(part: int, **changed: Any) -> str:
    """Our own token with its header (0) or its claims (1) changed and the signature left."""
    parts = made().split(".")
    said = json.loads(base64.urlsafe_b64decode(parts[part] + "==")) | changed
    parts[part] = base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")
    return ".".join(parts)


NONE = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "one", "typ": KIND}).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("token", "check"),
    [
        (made(key=OTHER), "signature"),
        (forged(1, client_id="k2"), "signature"),
        (forged(1, exp=4_000_000_000), "signature"),
        (made()[:-4] + "AAAA", "signature"),
        (made({"alg": "HS512"}), "alg"),
        (forged(0, alg="none"), "alg"),
        (f"{NONE}.{made().split('.')[1]}.AAAA", "alg"),
        (forged(0, alg="RS256"), "alg"),
        (made({"kid": "two"}), "kid"),
        (made({"kid": None}), "kid"),
        (made({"typ": "JWT"}), "typ"),
        (made(iss="someone"), "iss"),
        (made(aud="another-api"), "aud"),
        (made(aud=None), "aud"),
        (made(exp=None), "exp"),
        (made(exp=int(Clock.now) - 60, iat=int(Clock.now) - 660), "exp"),
        (made(exp="soon"), "exp"),
        (made(iat=int(Clock.now) + 3600, exp=int(Clock.now) + 4200), "iat"),
        (made(client_id=None), "client_id"),
        (made(scope=""), "scope"),
        ("eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "kid"),
        ("eyJhb.x.y", "form"),
    ],
)
def test_a_token_that_fails_is_told_the_check_and_not_repeated(token: str, check: str) -> None:
    with pytest.raises(Unauthenticated) as refused:
        tokens(Clock()).read(token)
    assert check_of(refused) == f"token.{check}"
    assert token not in refused.value.detail


def test_a_token_signed_with_a_public_key_of_ours_as_secret_opens_nothing() -> None:
    """There is no public key here, so the classical confusion has nothing to work with; a foreign one is refused."""
    key = RSAKey.generate_key(2048)
    token = jwt.encode({"alg": "RS256", "kid": "one", "typ": KIND}, {"iss": ISSUER}, key, algorithms=["RS256"])
    with pytest.raises(Unauthenticated):
        tokens(Clock()).read(token)


async def test_a_token_opens_what_its_key_opens_with_the_roles_it_was_given_for_and_ends_with_it() -> None:
    clock, store = Clock(), KeysInMemory()
    office = tokens(clock)
    new = make_key()
    store.add(new, {"operator", "dealer", "admin"}, "north")
    ring = KeyRing(store, tokens=office)
    token = office.give("anna", new.key_id, frozenset({"dealer", "finance"}))
    who = await ring.principal(f"Bearer {token}".encode())
    assert (who.operator, who.subject, who.key_id, who.roles) == ("north", "anna", new.key_id, {"dealer"})
    stored = store.rows[new.key_id]
    store.rows[new.key_id] = StoredKey(stored.hash, stored.principal, is_revoked=True)
    ring.forget(new.key_id)
    with pytest.raises(Unauthenticated, match="revoked") as refused:
        await ring.principal(f"Bearer {token}".encode())
    assert check_of(refused) == "token.key"
    assert refused.value.operator == "north"


async def test_without_a_key_of_the_service_no_token_opens_anything() -> None:
    ring = KeyRing(KeysInMemory())
    with pytest.raises(Unauthenticated) as refused:
        await ring.principal(f"Bearer {made()}".encode())
    assert check_of(refused) == "token.kid"
    assert not Tokens({}).is_on


async def test_a_revoked_key_is_told_as_unknown_and_its_operator_is_known_to_the_log() -> None:
    store = KeysInMemory()
    new = make_key()
    who = Principal("north", "anna", new.key_id, ROLES)
    store.rows[new.key_id] = StoredKey(new.hash, who, is_revoked=True)
    with pytest.raises(Unauthenticated, match="unknown or revoked") as refused:
        await KeyRing(store).principal(f"Bearer {new.key}".encode())
    assert (refused.value.operator, refused.value.key_id) == ("north", new.key_id)
    assert refused.value.more == {}


def test_a_bootstrap_key_cannot_look_like_a_token() -> None:
    with pytest.raises(Invalid):
        bootstrap_key("eyJ-looks-like-a-token")
