"""Actions and tests of skills and mounts as a book prints them. Knows the numbers and no fighter."""

from __future__ import annotations

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter


class HeadbuttRules(BookTable):
    """What is added to Strength, the Damage to the enemy, and the Damage to the fighter."""

    strength_added: int
    damage: int
    own_damage: int


class HurlRules(BookTable):
    """The hit on whoever is thrown against something, and on whom they meet."""

    strength: int
    damage: int


class KnockedDownBand(BookTable):
    """The hit of a fall from a mount that moved at least this many inches."""

    from_inches: int
    strength: int
    armour_penetration: int = 0
    damage: int = 1


class AftermathSkills(BookTable):
    """Skills outside the fighting: the factor of a Fixer's D3, a Savvy Trader's modifier of a search and
    discount, an Escape Artist's modifier of a Retreat, a Mentor's XP for a friend.
    """

    fixer_times: int
    savvy_trader_search: int
    savvy_trader_discount: int
    escape_artist_retreat: int
    mentor_experience: int


class SkillActionRules(Chapter):
    """The dice that succeed, and the hits. `saddle_blast` is added to the test against Blast and Knockback;
    `unstoppable_from` is the D6 that takes a Flesh Wound off.
    """

    treat_wounds_from: int
    order_needs_leadership: bool
    unstoppable_from: int
    iron_will: int
    saddle_blast: int
    headbutt: HeadbuttRules
    hurl: HurlRules
    aftermath: AftermathSkills
    knocked_down: tuple[KnockedDownBand, ...] = field(name="knocked_down")

    def __post_init__(self) -> None:
        lowest = [band.from_inches for band in self.knocked_down]
        if not lowest or lowest[0] != 0 or lowest != sorted(set(lowest)):
            raise ValueError("the bands of 'knocked_down' begin at 0 inches and rise")

    def knocked_down_by(self, inches: int) -> KnockedDownBand:
        """The hit of a fall from a mount that moved this far, in inches."""
        return next(band for band in reversed(self.knocked_down) if inches >= band.from_inches)
