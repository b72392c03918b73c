"""Replay: a round from the log alone, step by step, and settled again by other code from cards and rule set (R26)."""
