"""Logs: one line of JSON for each event, without secrets, with the request that they belong to."""
