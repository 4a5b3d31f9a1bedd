"""The application service: play, rule, ask. The only layer that knows the clock, makes ids and rolls dice."""
