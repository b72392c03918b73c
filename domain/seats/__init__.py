"""A seat: one player's part in one round. Its wagers, the decision, the settlement, the void."""
