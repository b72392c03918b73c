"""The database: one login per role, the schema and its numbered steps, and what must hold before the service starts."""
