"""The library: books as tables, knobs and policies, one file a chapter. Pure but for `shelf`."""
