"""A round: one deal of one table. Its phases, its cards, pauses and the void."""
