"""Anchors of the log: a folder that no login of the database can write to, and what follows the log and fills it."""
