"""Fighters: their record between battles."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from tracker.campaign.after_battle import RescueResult
from tracker.campaign.profiles import Armour, Bionic, Category, Characteristics, Weapon
from tracker.records import Record

Standing: TypeAlias = Literal["enlisted", "retired", "dead", "sold"]


class InjurySuffered(Record):
    """A lasting injury on the card. `counted_as` is the row it was treated as."""

    injury: str
    name: str
    counted_as: str
    battle: int | None


class Fighter(Record):
    """A fighter between battles. `characteristics` are as amended; `recovering_since` is a battle number.

    `basic_profile` is the card as enlisted, or as the last promotion made it: improvements are measured from
    it. `prices` are those of armour and wargear that came after enlisting, by name. `off_rating`: their cost
    does not count in the gang's rating, as while a captive. `shock_tested`: for which battle. `earns_again`:
    a promotion die gave back the XP that an injury had stopped.
    """

    fighter: str
    gang: str
    name: str
    category: Category
    kind: str
    cost_credits: int
    characteristics: Characteristics
    skills: tuple[str, ...] = ()
    grudges: tuple[str, ...] = ()
    armour: Armour | None = None
    field_armour: Armour | None = None
    weapons: tuple[Weapon, ...] = ()
    wargear: tuple[str, ...] = ()
    experience: int = 0
    injuries: tuple[InjurySuffered, ...] = ()
    scars: int = 0
    standing: Standing = "enlisted"
    convalescing: bool = False
    recovering_since: int | None = None
    capture_pending: bool = False
    captor: str | None = None
    critical: bool = False
    enemies_taken_out: int = 0
    times_out_of_action: int = 0
    battles_fought: int = 0
    experience_spent: int = 0
    advancements: int = 0
    times_improved: dict[str, int] = field(default_factory=dict)
    basic_profile: Characteristics = field(default_factory=dict)
    prices: dict[str, tuple[int, ...]] = field(default_factory=dict)
    mounted: bool = False
    gang_fighter: bool | None = None
    bionics: tuple[str, ...] = ()
    off_rating: bool = False
    daemon: bool = False
    mutations: tuple[str, ...] = ()
    mutations_to_choose: int = 0
    # A captive: who holds them, how a rescue ended, where they work. Away: missing one battle.
    held_by: str | None = None
    rescue: RescueResult | None = None
    works_at: str | None = None
    absent_since: int | None = None
    shock_tested: int | None = None
    earns_again: bool = False
    painted: bool = False
    fitted: tuple[Bionic, ...] = ()
    # Brought along: from where, and what no rule counts.
    brought_from: str | None = None
    promoted_from: str | None = None
    flags: tuple[str, ...] = ()

    def has_skill(self, skill: str) -> bool:
        """Whether a skill stands on the card, however it is written there."""
        return skill in {name.strip().lower().replace(" ", "_") for name in self.skills}
