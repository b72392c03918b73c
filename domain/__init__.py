"""The rules of the house: pure functions on the standard library, no clock, no randomness, no I/O."""
