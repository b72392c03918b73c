"""What `studbook check-integration` tries: whether a key, a network and a client's habits fit the service."""
