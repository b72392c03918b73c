"""`studbook demo`: a small casino that plays all four games over HTTP and keeps books of its own.

It knows the service only by its REST contract, as an operator's engineer would: nothing here imports the domain, the
services or the adapters. What the service answers is compared with the demo's own books, to the cent.
"""
