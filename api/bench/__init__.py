"""`studbook bench`: how fast a durable wager is, measured beside its peers on the same machine in the same run.

The service runs as users run it, in a process of its own; every peer uses the same PostgreSQL server. What has an
adapter to talk to is wired in `api.main.bench_ground` and `api.main.bench_fill`.
"""
