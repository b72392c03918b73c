"""`studbook settle` against the given deals, through a process of its own and within this one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from services.calculator import answer_line
from services.calculator_request import LINE_BYTES_MAX

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "golden" / "cases"
FILES = {"settle": 400, "hands": 180, "five-plus-one": 100, "rounds": 25}


def cases(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def agrees(expected: object, found: object) -> bool:
    """Whether every key of `expected` stands in `found` with that value, lists item by item."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and agrees(value, found[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(agrees, expected, found))
    return type(expected) is type(found) and expected == found


def settle_in_a_process(lines: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "api.cli", "settle"]
    return subprocess.run(command, input=lines, capture_output=True, cwd=ROOT, timeout=120, check=False)


@pytest.mark.parametrize("name", FILES)
def test_every_given_case_comes_out_right_on_the_command_line(name: str) -> None:
    given = cases(name)
    assert len(given) == FILES[name]
    done = settle_in_a_process(b"".join(json.dumps(case["in"]).encode() + b"\n" for case in given))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, len(answers)) == (0, b"", len(given))
    assert [case["in"] for case, answer in zip(given, answers, strict=True) if not agrees(case["out"], answer)] == []


def test_a_whole_answer_is_equal_to_the_byte_keys_in_the_order_shown() -> None:
    for case in cases("settle"):
        answer = answer_line(json.dumps(case["in"]).encode())
        assert answer.line == json.dumps(case["out"], separators=(",", ":")).encode()


def test_a_deal_as_one_seat_of_many_comes_out_as_alone() -> None:
    shared = ("id", "ruleset", "dealer", "meter", "reset")
    for case in cases("settle"):
        deal, out = case["in"], case["out"]
        assert isinstance(deal, dict)
        assert isinstance(out, dict)
        line = {key: value for key, value in deal.items() if key in shared}
        line["seats"] = [{key: value for key, value in deal.items() if key not in shared}]
        answer = json.loads(answer_line(json.dumps(line).encode()).line)
        head = {key: out[key] for key in ("id", "dealer_hand", "qualifies")}
        assert answer == head | {"seats": [{key: value for key, value in out.items() if key not in head}]}


def test_answers_come_in_the_order_of_the_lines_with_errors_in_their_place() -> None:
    deal = json.dumps(cases("settle")[0]["in"])
    lines = "\n".join([deal.replace("seed000-0218", "first"), '{"id": "second"}', "", deal.replace("seed000-", "l-")])
    done = settle_in_a_process(lines.encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["first", "second", None, "l-0218"]
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_line_that_is_too_long_is_one_error_and_the_next_is_read() -> None:
    deal = json.dumps(cases("settle")[0]["in"]).encode()
    done = settle_in_a_process(b"x" * (2 * LINE_BYTES_MAX + 10) + b"\n" + deal)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [None, "seed000-0218"]
    assert answers[0]["error"]["detail"].startswith("line: longer than")


def test_no_lines_are_no_fault() -> None:
    done = settle_in_a_process(b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_answer_comes_before_the_next_line_is_sent() -> None:
    deal = json.dumps(cases("settle")[0]["in"]).encode() + b"\n"
    command = [sys.executable, "-m", "api.cli", "settle"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for _ in range(3):
            running.stdin.write(deal)
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["id"] == "seed000-0218"
        running.stdin.close()
        assert running.wait(timeout=120) == 0


def test_a_reader_that_goes_away_ends_the_run_without_a_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "api.cli", "settle"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(b"x\n")
        running.stdin.close()
        assert running.wait(timeout=120) == 128 + signal.SIGPIPE
        assert b"Traceback" not in running.stderr.read()
