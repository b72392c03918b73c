"""`studbook settle`: the calculator that auditors can feed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO

import typer

from services.calculator import answer_line
from services.calculator_request import LINE_BYTES_MAX


def settle() -> None:
    """Settle deals given as JSON lines: the auditors' calculator.

    Reads JSON lines on standard input and writes one answer line for each on standard output, in order. All amounts
    are minor units. A wrong line is answered with its error in its place and the run goes on; the exit code is then
    1. Reads no database and applies no table limit.

    \b
    A line: {"id", "ruleset", "player": [5 cards], "dealer": [5 cards, in the order dealt], "ante",
             "side": {"five_plus_one" or "progressive": stake}, "decision": "call" | "fold" | "timeout",
             "meter", "reset"}; meter and reset go with a progressive wager.
    Several seats of one round: "seats": [{player, ante, side, decision}, ...], in the order of payment.

    \b
    Example:
      echo '{"id": "x1", "ruleset": "live-5plus1-v1", "ante": 1000, "decision": "call",' \\
           '"player": ["As","Kd","Qh","7c","2s"], "dealer": ["9c","9d","4h","Ts","2c"]}' | studbook settle
    """
    accepted = True
    for line in _lines(sys.stdin.buffer):
        answer = answer_line(line)
        accepted = accepted and answer.accepted
        sys.stdout.buffer.write(answer.line + b"\n")
        sys.stdout.buffer.flush()  # whoever feeds line by line waits for the answer
    if not accepted:
        raise typer.Exit(1)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long only as much as shows that it is."""
    while line := stream.readline(LINE_BYTES_MAX + 2):
        rest = line
        while len(rest) == LINE_BYTES_MAX + 2 and not rest.endswith(b"\n"):
            rest = stream.readline(LINE_BYTES_MAX + 2)
        yield line.rstrip(b"\r\n")
