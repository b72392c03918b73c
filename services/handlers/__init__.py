"""One small function per command: reads states, calls deciders, posts entries, answers."""
