"""The commands of `studbook`, one module each."""
