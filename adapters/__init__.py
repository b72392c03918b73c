"""How the ports are met: PostgreSQL, encryption, clock, randomness."""
