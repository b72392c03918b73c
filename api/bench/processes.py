"""Processes of the benchmark: each is ended by its number on every way out."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final

from api.bench.faults import BenchFailed
from api.commands.stoppable import undisturbed

READY_SECONDS: Final = 120.0
STOP_SECONDS: Final = 60.0


@dataclass(slots=True)
class Process:
    """A child whose output is read line by line."""

    name: str
    child: subprocess.Popen[bytes]
    errors: IO[bytes]

    @property
    def pid(self) -> int:
        """Its number."""
        return self.child.pid

    def line(self, seconds: float) -> str:
        """The next line of its output. BenchFailed, with its last words, when it ends or takes too long."""
        assert self.child.stdout is not None
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.child.stdout], [], [], min(left, 1.0))[0]:
                if line := self.child.stdout.readline():
                    return line.decode()
                raise BenchFailed(f"{self.name} ended: {self.last_words()}")
        raise BenchFailed(f"{self.name} said nothing for {seconds:.0f} s: {self.last_words()}")

    def tell(self, **told: object) -> None:
        """Hand in a JSON line."""
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(json.dumps(told).encode() + b"\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            raise BenchFailed(f"{self.name} ended: {self.last_words()}") from None

    def ask(self, patience: float, /, **told: object) -> dict[str, Any]:
        """Hand in a JSON line and return the JSON line that answers it. BenchFailed when it has failed."""
        self.tell(**told)
        answer: dict[str, Any] = json.loads(self.line(patience))
        if "failed" in answer:
            raise BenchFailed(f"{self.name}: {answer['failed']}")
        return answer

    def last_words(self) -> str:
        """The last line that it wrote to standard error."""
        self.errors.seek(0)
        said = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else "it said nothing"

    def stop(self) -> None:
        """End it, by force when that takes too long."""
        if self.child.poll() is None:
            self.child.terminate()
        try:
            self.child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def process(name: str, command: Sequence[str], environ: Mapping[str, str]) -> Iterator[Process]:
    """A child process, ended at the end. Ctrl-C is not for it: we end it in order."""
    with tempfile.TemporaryFile() as errors:
        made: Process | None = None
        try:
            with undisturbed():
                child = subprocess.Popen(
                    list(command),
                    env=dict(environ),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    start_new_session=True,
                )
                made = Process(name, child, errors)
            yield made
        finally:
            if made is not None:
                made.stop()


def finished(name: str, command: Sequence[str], environ: Mapping[str, str], seconds: float) -> str:
    """Run a program to its end; what it printed. BenchFailed when it fails or takes too long."""
    code, output, said = completed(name, command, environ, seconds)
    if code:
        raise BenchFailed(f"{name} ended with {code}: {said}")
    return output


def completed(name: str, command: Sequence[str], environ: Mapping[str, str], seconds: float) -> tuple[int, str, str]:
    """Exit code, output and last line of standard error of a program. BenchFailed when it takes too long."""
    with process(name, command, environ) as made:
        try:
            output, _ = made.child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise BenchFailed(f"{name} took more than {seconds:.0f} s") from None
        return made.child.returncode, output.decode(), made.last_words()


def module(name: str, *arguments: str) -> list[str]:
    """The command that runs one of our modules."""
    return [sys.executable, "-m", name, *arguments]


def resident_mb(pid: int) -> float:
    """Resident memory of a process, in MiB (1,048,576 bytes)."""
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    if not shown.strip():
        raise BenchFailed(f"process {pid} is gone")
    return int(shown) / 1024
