"""The evidence of one round in one signed document, and checking it without database and network."""
