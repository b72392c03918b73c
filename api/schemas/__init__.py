"""Bodies of commands, by resource: strict types, no unknown fields."""
