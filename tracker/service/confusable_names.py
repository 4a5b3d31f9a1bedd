"""Names that read alike, by Unicode's own list of look-alike letters."""

import unicodedata


def are_confusable(typed: str, other: str) -> bool:
    """Whether two names look the same, apart from width and case.

    `ＡＲＢ`, `arb` and `Αrb` with a Greek letter are confusable, and so are
    `Ian` and `lan`; `Ian` and `Lan` are not.
    """
    return _folded(typed) == _folded(other) or _look(typed) == _look(other)


def _folded(name: str) -> str:
    """The case-folded name, with letters beyond ASCII replaced by the ones that they look like."""
    return _look(_look(name, plain_stay=True).casefold(), plain_stay=True).casefold()


def _look(name: str, *, plain_stay: bool = False) -> str:
    """The name with each letter replaced by the one that stands for all of its look (UTS 39)."""
    # Not above: it reads a large file.
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]

    def prototype(letter: str) -> str:
        if plain_stay and letter.isascii():
            return letter
        alike = [str(letter_alike["c"]) for letter_alike in confusables_data.get(letter, ())]
        if len(alike) != 1:
            return letter  # nothing looks like it, or it is the prototype itself
        (standing_for_it,) = alike
        ambiguous = len(confusables_data.get(standing_for_it, ())) == 1
        return min(letter, standing_for_it) if ambiguous else standing_for_it

    return "".join(map(prototype, unicodedata.normalize("NFKC", name)))
