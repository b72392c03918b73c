"""REST and command line."""
