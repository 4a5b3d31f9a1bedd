"""Small faults put into the program one at a time: `make mutants` counts which of them a test notices (docs/mutation.md)."""
