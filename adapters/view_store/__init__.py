"""Reading the read models and the log for requests, under row-level security."""
