"""The one place that wires adapters to services and the API.

`environment` reads where the database is, `application` builds the served app, `serving` runs the processes of
`studbook serve`, `auditing` those of `verify` and `rebuild`.
"""
