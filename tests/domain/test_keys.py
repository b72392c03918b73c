"""What may be done with keys: two for each subject, no role that the giver lacks, a last admin that stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from domain.errors import Forbidden, LimitReached, NotFound
from domain.keys import KeyFacts, check_new, check_revocation, check_rotation

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ALL = frozenset({"operator", "dealer", "auditor", "finance", "admin"})


def key(key_id: str, subject: str = "ann", *roles: str, revoked: bool = False) -> KeyFacts:
    return KeyFacts(
        key_id, subject, frozenset(roles or {"operator"}), "", False, NOW, NOW if revoked else None, None, None
    )


def test_a_subject_has_two_keys_that_work_and_no_third() -> None:
    keys = [key("a")]
    check_new(keys, "ann", frozenset({"dealer"}), ALL)
    keys.append(key("b"))
    with pytest.raises(LimitReached, match="a and b: revoke one") as refused:
        check_new(keys, "ann", frozenset({"dealer"}), ALL)
    assert refused.value.field == "subject"
    check_new(keys, "bob", frozenset({"dealer"}), ALL)
    check_new([key("a"), key("b", revoked=True)], "ann", frozenset({"dealer"}), ALL)


@pytest.mark.parametrize("missing", sorted(ALL))
def test_a_key_gives_no_role_that_it_has_not(missing: str) -> None:
    with pytest.raises(Forbidden, match=missing) as refused:
        check_new([], "ann", ALL, ALL - {missing})
    assert refused.value.field == "roles"
    check_new([], "ann", ALL - {missing}, ALL - {missing})


def test_nor_by_rotating_a_key_that_has_more() -> None:
    keys = [key("a", "ann", "finance", "operator")]
    with pytest.raises(Forbidden, match="finance"):
        check_rotation(keys, "a", frozenset({"admin", "operator"}))
    assert check_rotation(keys, "a", frozenset({"admin", "operator", "finance"})) == keys[0]


def test_a_rotation_makes_a_second_key_and_no_third_and_none_of_a_key_that_is_revoked_or_unknown() -> None:
    assert check_rotation([key("a")], "a", ALL).key_id == "a"
    with pytest.raises(LimitReached):
        check_rotation([key("a"), key("b")], "a", ALL)
    with pytest.raises(NotFound, match="revoked"):
        check_rotation([key("a", revoked=True)], "a", ALL)
    with pytest.raises(NotFound, match="no such key"):
        check_rotation([key("a")], "b", ALL)


def test_the_last_key_that_may_make_keys_is_not_revoked_by_accident() -> None:
    last = key("a", "ann", "admin", "operator")
    others = [key("b", "bob", "operator"), key("c", "cat", "admin", revoked=True)]
    with pytest.raises(Forbidden, match="last key with the role admin"):
        check_revocation([last, *others], "a")
    assert check_revocation([last, *others], "a", even_last=True) == last
    assert check_revocation([last, *others, key("d", "dan", "admin")], "a") == last
    assert check_revocation([last, *others], "b").key_id == "b"


def test_a_key_is_revoked_twice_without_harm() -> None:
    gone = replace(key("a", "ann", "admin"), revoked_at=NOW)
    assert check_revocation([gone], "a").revoked_at == NOW
