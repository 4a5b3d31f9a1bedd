"""What is broken on purpose: `make soak` runs it long, the tests beside it a small share of the same code."""
