"""The shoe takes every choice from the operating system's entropy, without favour, or deals nothing (S0-03)."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import adapters.shoe
from adapters.shoe import EntropyFailure, Shoe
from domain.cards import DECK
from domain.dealing import check_commitment
from domain.errors import Unavailable

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("domain", "services", "adapters", "api")


def scripted(blocks: list[bytes]) -> Callable[[int], bytes]:
    """A source that is sound at start and then gives these bytes; each request is answered from one block."""
    left = [bytes(32), b"\1" * 32, *blocks]

    def give(count: int) -> bytes:
        block = left.pop(0)
        assert len(block) == count
        return block

    return give


def test_S0_03_every_shuffle_is_the_52_cards_with_a_fresh_salt() -> None:
    shoe = Shoe()
    first, second = shoe.shuffle(), shoe.shuffle()
    assert sorted(first.cards) == sorted(second.cards) == sorted(DECK)
    assert first.cards != second.cards
    assert first.salt != second.salt
    assert len(first.salt) == 32
    assert check_commitment(first.commitment, first.cards, first.salt)


def test_the_shuffle_is_fisher_yates_from_the_top() -> None:
    # given bytes that choose the lowest card that is left, each time
    order = Shoe(scripted([bytes(96)])).permutation()
    # then each place from the top got what lay at the bottom
    assert order == [*range(1, 52), 0]


def test_a_byte_that_would_favour_some_cards_is_thrown_away() -> None:
    # 208 = 4 x 52: the bytes 208 to 255 are too many for 52 equal choices
    plain = Shoe(scripted([bytes(range(1, 97))])).permutation()
    mixed = Shoe(scripted([bytes([208, 255, *range(1, 95)])])).permutation()
    assert mixed == plain


def test_the_last_fair_byte_is_used() -> None:
    fair = Shoe(scripted([bytes([207, *range(1, 96)])])).permutation()
    assert fair == Shoe(scripted([bytes([51, *range(1, 96)])])).permutation()


@pytest.mark.parametrize("step", adapters.shoe._STEPS)
def test_every_choice_is_equally_likely_among_the_bytes_that_count(step: tuple[int, int]) -> None:
    high, limit = step
    counts = Counter(byte % (high + 1) for byte in range(limit))
    assert set(counts.values()) == {256 // (high + 1)}
    assert len(counts) == high + 1


def test_the_choices_go_from_52_cards_down_to_2() -> None:
    assert [high for high, _ in adapters.shoe._STEPS] == list(range(51, 0, -1))


def test_when_a_block_is_used_up_another_is_drawn() -> None:
    # given 95 bytes that do not count and one that does, then a whole block
    order = Shoe(scripted([b"\xff" * 95 + b"\0", bytes(96)])).permutation()
    assert order == [*range(1, 52), 0]


def test_two_shuffles_share_no_bytes() -> None:
    asked: list[int] = []

    def counting(count: int) -> bytes:
        asked.append(count)
        return os.urandom(count)

    shoe = Shoe(counting)
    asked.clear()
    shoe.shuffle()
    once = list(asked)
    assert once[-1] == 32  # the salt
    assert set(once[:-1]) == {96}  # at least one block for the shuffle, drawn for it alone
    shoe.shuffle()
    assert set(asked[len(once) : -1]) == {96}


def refusing(_: int) -> bytes:
    raise OSError("no entropy")


def unknown(_: int) -> bytes:
    raise NotImplementedError("no source of randomness on this system")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (refusing, "no entropy"),
        (unknown, "no source"),
        (lambda count: os.urandom(count - 1), "31 of 32 bytes"),
        (lambda count: os.urandom(count + 1), "33 of 32 bytes"),
        (bytes, "repeats itself"),
    ],
)
def test_a_source_that_fails_gives_another_number_of_bytes_or_repeats_itself_stops_the_start(
    source: Callable[[int], bytes], words: str
) -> None:
    with pytest.raises(EntropyFailure, match=words):
        Shoe(source)


def test_patching_the_systems_source_away_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", refusing)
    with pytest.raises(EntropyFailure, match="no entropy"):
        Shoe()


@pytest.mark.parametrize("good_requests", [0, 1])
def test_a_source_that_fails_later_deals_nothing(good_requests: int) -> None:
    # given a source that is sound at start and fails at the shuffle, or after it at the salt
    left = 2 + good_requests

    def tiring(count: int) -> bytes:
        nonlocal left
        left -= 1
        return os.urandom(count) if left >= 0 else refusing(count)

    shoe = Shoe(tiring)
    with pytest.raises(EntropyFailure) as failure:
        shoe.shuffle()
    assert isinstance(failure.value, Unavailable)
    assert failure.value.retryable


def test_a_source_that_sticks_deals_no_second_round() -> None:
    # given a source that is sound at start and then gives the same bytes for ever
    started = False

    def sticking(count: int) -> bytes:
        return bytes(range(count)) if started else os.urandom(count)

    shoe = Shoe(sticking)
    started = True
    shoe.shuffle()
    with pytest.raises(EntropyFailure, match="repeats"):
        shoe.shuffle()


def test_a_source_without_any_usable_byte_ends_in_a_failure_not_in_a_loop() -> None:
    started = False

    def useless(count: int) -> bytes:
        return b"\xff" * count if started else os.urandom(count)

    shoe = Shoe(useless)
    started = True
    with pytest.raises(EntropyFailure, match="usable"):
        shoe.shuffle()


def imports_of_random(source: str) -> list[int]:
    """The lines of a module that import the standard library's predictable generator, in any form."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names) if any(name.name.split(".")[0] == "random" for name in names):
                lines.append(node.lineno)
            case ast.ImportFrom(module=module, level=0) if (module or "").split(".")[0] == "random":
                lines.append(node.lineno)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value="random"), *_],
            ):
                lines.append(node.lineno)
            case _:
                pass
    return lines


@pytest.mark.parametrize(
    "source",
    ["import random", "import os, random as r", "from random import shuffle", "def f():\n    import random",
     "import importlib\nimportlib.import_module('random')", "__import__('random')"],
)  # fmt: skip
def test_the_static_check_sees_every_form_of_import(source: str) -> None:
    assert imports_of_random(source)


def test_no_module_of_the_program_imports_random() -> None:
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    assert ROOT / "adapters" / "shoe.py" in modules
    found = [str(path.relative_to(ROOT)) for path in modules if imports_of_random(path.read_text(encoding="utf-8"))]
    assert found == []


def test_a_forked_process_does_not_repeat_its_parents_deck() -> None:
    # given a shoe that has dealt before the fork
    shoe = Shoe()
    shoe.shuffle()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, "".join(shoe.shuffle().cards).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        theirs = pipe.read()
    os.waitpid(child, 0)
    assert len(theirs) == 104
    assert theirs != "".join(shoe.shuffle().cards)
