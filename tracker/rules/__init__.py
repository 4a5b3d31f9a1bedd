"""Rules: books as tables, knobs and house rules, one file a chapter. Pure but for `loader`."""
