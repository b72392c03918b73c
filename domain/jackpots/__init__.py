"""A progressive pool: contributions, awards, resets, and what a void mirrors."""
