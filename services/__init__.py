"""What the house does: commands in, answers out; the ports that it needs."""
