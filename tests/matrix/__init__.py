"""State and command: what the service answers in every cell (F05). The page docs/states.md is played, not written."""
