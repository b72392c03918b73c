"""Whether a shuffle looks fair: what is counted of many decks, and the limits that the counts must keep (S0-03)."""
