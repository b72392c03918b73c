"""Why the database cannot be used: each error is one line for the person who started the program."""

from __future__ import annotations


class StartRefused(Exception):
    """The program does not start (exit code 2); the text is one line that names the fault and what to do."""


class DatabaseUnreachable(StartRefused):
    """No connection: wrong host, wrong password, or no server."""


class SchemaRefused(StartRefused):
    """The schema is missing, half-migrated, newer than this program, or changed behind its back."""


class UnsafeDatabase(StartRefused):
    """A setting that could lose a committed event, or show one operator's rows to another."""
