"""XP and what it buys, for the tests of advancement."""

from scenario import Table, card, given

from tracker.campaign import records


def with_xp(
    fighter: str,
    experience: int,
    *,
    book: str = "necromunda_2023",
    knobs: dict[str, str] | None = None,
    **more: object,
) -> Table:
    """That fighter with so much XP, between battles."""
    return given(card(fighter, experience=experience, **more), battle=False, book=book, knobs=knobs)


def buy(fighter: str, advancement: str, **more: object) -> records.BuyAdvancement:
    """They buy it."""
    return records.BuyAdvancement(fighter=fighter, advancement=advancement, **more)  # type: ignore[arg-type]
